"""The mark of a design: it stands in its content, where an approval would have its date, and the badge says it."""

from houseway.rulebook.edition import Edition

NOT_APPROVED = "not approved: a design"


def is_design(edition: Edition) -> bool:
    """Whether an edition's content says that it is a design, and no approval."""
    return not edition.approval.on_file and edition.approval.date == NOT_APPROVED
