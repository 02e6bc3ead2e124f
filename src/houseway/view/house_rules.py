"""The rules that a house has set for itself, for whoever may see them."""

from houseway.table.house_rules import HOUSE_RULES
from houseway.table.state import House
from houseway.view.reader import Json


def house_rules_view(state: House) -> list[Json]:
    """Every rule that a house may set, as it is here."""
    return [
        {
            "rule": rule.name,
            "about": rule.about,
            "value": state.rules.get(rule.name, rule.usual),
            "usual": rule.usual,
            "wanted": rule.wanted,
        }
        for rule in HOUSE_RULES.values()
    ]
