"""The roles people have in a house, and which of them do what. Nowhere else is said who may do a thing.

In every group the first is who usually does it.
"""

from collections.abc import Iterable

from houseway.refusal import Refused

ROLES = ("guest", "dealer", "supervisor", "cashier", "security", "accounting", "host", "auditor", "administrator")
STAFF = tuple(role for role in ROLES if role != "guest")
DEPARTMENTS = {"security", "accounting"}
"""Roles that are no word for one person."""


def a_role(role: str) -> str:
    """Somebody of a role.

    >>> a_role("dealer"), a_role("auditor"), a_role("accounting")
    ('a dealer', 'an auditor', 'accounting')
    """
    return role if role in DEPARTMENTS else f"an {role}" if role[:1] in "aeiou" else f"a {role}"


def may_not(role: str, act: str, may: Iterable[str]) -> Refused:
    """That a role may not do something, and which may."""
    return Refused("role-may-not", f"{a_role(role)} may not {act} (may: {', '.join(may)})")


# Who gives a command
PLAYERS = ("guest", "dealer", "supervisor")
"""A guest for himself; the dealer or the floor for him, at a table without screens."""
TIPPERS = ("guest", "dealer")
DEALERS = ("dealer", "supervisor")
DISPUTERS = ("supervisor", "dealer")
SUPERVISORS = ("supervisor",)
OPENERS = ("supervisor", "administrator")
CASHIERS = ("cashier", "supervisor")
COUNTERS = ("cashier", "dealer", "supervisor")
ADMINISTRATORS = ("administrator",)
HOSTS = ("host", "supervisor", "cashier", "administrator")
"""Who knows guests: seats them, and may look into the patron file."""
SEATERS = ("host", "supervisor")
WAITERS = (*SEATERS, "guest")
BREAKERS = ("dealer", "supervisor", "cashier", "security")
EXCLUDERS = (*HOSTS, "guest")
"""A guest for himself, or those who know guests."""

CASHIERS_ONLY = ("cashier",)
SECURITY = ("security",)
ACCOUNTANTS = ("accounting",)
SIGNERS = ("supervisor", "cashier", "security", "dealer", "accounting")
"""Whoever signs some step of some slip."""
VOIDERS = ("supervisor", "cashier")
NOTIFIERS = ("supervisor", "accounting", "administrator")

# Who may be the second person
OF_THE_FLOOR = ("supervisor", "administrator")
OF_MONEY = ("supervisor", "cashier", "administrator")
OF_CHIPS = ("supervisor", "cashier", "dealer")
OF_CARDS = ("supervisor", "dealer")
OF_ACCOUNTS = ("administrator", "supervisor")

# Who sees what
SEES = {
    "floor": STAFF,
    "dealer": DEALERS,
    "journal": ("auditor", "supervisor", "administrator"),
    "books": ("accounting", "auditor", "supervisor", "administrator"),
    "people": ADMINISTRATORS,
    "slips": STAFF,
    "cage": ("cashier", "auditor", "supervisor", "administrator"),
    "tray": ("dealer", "supervisor", "auditor", "administrator"),
    "drop": ("auditor", "supervisor", "administrator"),
    "editions": OPENERS,
    "patrons": HOSTS,
    "host": ("host", "supervisor", "administrator"),
    "rotation": OPENERS,
    "training": OPENERS,
}
"""The parts of the house that are not for everybody."""


def sees(role: str) -> list[str]:
    """The parts of the house that are open to a role."""
    return [part for part, roles in SEES.items() if role in roles]
