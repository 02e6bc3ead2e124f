"""A process of its own that works out the odds of a settled round: behind everybody at the tables, and gone with who asked.

It is told a course in one line of JSON, and answers in one.
"""

import json
import os
import sys
import threading

from houseway.view.course import course_from, odds_view
from houseway.web.lab_worker import behind_the_others, end_with_who_asked


def main() -> None:
    """One course, and its odds."""
    behind_the_others()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what others print is not taken for an answer
    course = course_from(json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_who_asked, args=(sys.stdin,), daemon=True).start()
    answers.write(json.dumps(odds_view(course), ensure_ascii=False, allow_nan=False) + "\n")
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
