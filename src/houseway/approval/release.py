"""Write the manifest of a release (`make release`): the last thing before a commit that others take."""

import sys

from houseway.approval.manifest import NAME, release
from houseway.refusal import Refused


def main() -> None:
    """Write it, and say what it is."""
    try:
        manifest = release()
    except Refused as refused:
        sys.exit(f"houseway: {refused.message}")
    signed = f"signed by {manifest['public_key'][:16]}" if "public_key" in manifest else "not signed"
    print(f"{NAME}: release {manifest['version']}, {len(manifest['files'])} files, {signed}")


if __name__ == "__main__":
    main()
