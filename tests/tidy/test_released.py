"""What is committed was released: the manifest is made last, after every change of the package."""

from houseway.approval.manifest import check
from houseway.release import VERSION


def test_the_manifest_is_true():
    """A clean clone says unchanged."""
    found = check()
    assert found.is_unchanged, f"run make release: {found}"
    assert found.release == VERSION
