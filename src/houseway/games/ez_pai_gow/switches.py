"""What a pai gow table can choose. The constants are the places of the switches in a rule's settings."""

from houseway.rulebook.game import Switch, switches

JOKER_RULE, WHEEL, R1, R2, R2B, R5, R15, COLOUR, DEAL, HOUSE_WAY = range(10)
EXTRAS = 10
"""Where the chosen House Way's numbers begin."""

SEMI_WILD, FULLY_WILD = range(2)
WHEEL_SECOND, WHEEL_LOWEST = range(2)
AS_PUBLISHED, NATURAL_ONLY = range(2)
NO_JOKER, JOKER_ELSEWHERE = range(2)
WITHOUT_SUITED_A_7, ALL_WHEELS = range(2)
HIGHEST_PAY, HIGHEST_RANK = range(2)
RED, BLACK = range(2)

HOUSE_WAYS = ("plaza", "foxwoods", "mgm", "stones")

SWITCHES = switches(
    Switch("joker", ("semi", "full"), "EPG-1", "semi-wild or fully wild joker"),
    Switch("wheel", ("second", "lowest"), "EPG-1b", "A-2-3-4-5 is the second-highest or the lowest straight"),
    Switch("R1", ("as-published", "natural-only"), "EPG-3", "royal flush + suited A-Q made with the joker"),
    Switch("R2", ("no-joker", "joker-elsewhere"), "EPG-3", "Luhn Tao wheel with the joker elsewhere"),
    Switch("R2b", ("as-published", "all"), "EPG-4", "suited A-7 as a natural A-5 straight flush"),
    Switch("R5", ("highest-pay", "highest-rank"), "EPG-3", "a hand with three of a kind and a straight"),
    Switch("R15", ("refused", "accepted"), "EPG-1", "bonus tables with a fully wild joker"),
    Switch("colour", ("red", "black"), "EPG-5", "the colour a Red/Black bet is on"),
    Switch("deal", ("every-position", "wagered-positions"), "EPG-7b", "who is dealt a hand"),
    Switch("house-way", HOUSE_WAYS, "EPG-10", "how the dealer sets his hand", own_file=True),
)
