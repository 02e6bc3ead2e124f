"""For servers that `load.py` gives a share of a core: Python's threads take turns after as much work as on a whole one.

Their turns are 5 ms by the wall, in which such a server does a part of that work.
"""

import os
import sys

if share := os.environ.get("HOUSEWAY_SHARE_OF_CORE"):
    sys.setswitchinterval(sys.getswitchinterval() / float(share))
