"""Guests as the staff that knows them sees them: who may not play, and the cash of the day."""

from houseway.table.guests import bar_of
from houseway.table.state import House
from houseway.view.reader import Json
from houseway.view.words import GROUNDS


def guests_view(house: House, day: str) -> Json:
    """Everybody who may not play today, and the cash of all whose cash is added up, largest first."""
    bars = [bar for bar in house.barred.values() if bar_of(house, bar.guest, day)]
    cash = house.today.cash if house.today.day == day else {}
    return {
        "may_not_play": [
            {"guest": bar.guest, "ground": bar.ground, "until": bar.until, "words": _words(bar.ground, bar.until)}
            for bar in bars
        ]
        + [{"guest": name, "ground": "age", "until": "", "words": "too young"} for name in house.too_young],
        "cash": [
            {
                "guest": guest,
                "in_cents": sums.in_cents,
                "out_cents": sums.out_cents,
                "identified": guest in house.today.identified,
            }
            for guest, sums in sorted(cash.items(), key=lambda each: -max(each[1].in_cents, each[1].out_cents))
        ],
    }


def _words(ground: str, until: str) -> str:
    return GROUNDS[ground] + (f", until {until}" if until else ", without an end")
