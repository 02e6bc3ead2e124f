"""What a pai gow table can choose. The constants are the places and codes that compiled rules see."""

from houseway.rulebook.game import Switch, switches

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
    Switch("R16b", ("pushes", "loses"), "EPG-9", "a foul set that loses (R16) against a Queen-high Pai Gow", since="0.2"),
    Switch(
        "empty-start",
        ("dealer-counts", "next-wager"),
        "EPG-7b",
        "who is first if the number falls on an empty position",
        since="0.2",
    ),
    Switch("keyed", ("every-hand", "wagered-hands"), "EPG-8", "whose cards are keyed in at a manual table", since="0.2"),
    Switch("own-seat-envy", ("won", "never"), "EPG-3", "envy for a guest's own second seat", since="0.2"),
)

JOKER_RULE, WHEEL, COLOUR = SWITCHES.place("joker"), SWITCHES.place("wheel"), SWITCHES.place("colour")
R1, R2, R2B, R5 = SWITCHES.place("R1"), SWITCHES.place("R2"), SWITCHES.place("R2b"), SWITCHES.place("R5")
EXTRAS = len(SWITCHES)
"""Where the chosen House Way's numbers begin."""

FULLY_WILD = SWITCHES.code("joker", "full")
WHEEL_SECOND = SWITCHES.code("wheel", "second")
NATURAL_ONLY = SWITCHES.code("R1", "natural-only")
JOKER_ELSEWHERE = SWITCHES.code("R2", "joker-elsewhere")
ALL_WHEELS = SWITCHES.code("R2b", "all")
HIGHEST_PAY = SWITCHES.code("R5", "highest-pay")
RED, BLACK = SWITCHES.code("colour", "red"), SWITCHES.code("colour", "black")
