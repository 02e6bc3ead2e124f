"""What an event is, and the form in which a journal tells it: `{"event": kind, **fields}`.

No field holds a sentence: `view.words` makes those, in dollars, for whoever reads an entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, ClassVar

FORM = 8
"""The form of entries in a journal: those of 0.1, which say no form, hold sentences as well.

A table plays by the form of the entry that opened it: before form 3 a short bank covered wagers as they were keyed, and wagers
that are settled early waited for all cards of the first deal. Before form 3 nobody owed what a void could not take back.
Before form 4 one name did everything: a house whose first command is older works with one name until it says otherwise.
Before form 4 whatever was done at a table set its clock anew.
Before form 5 a round kept its bets as a bank had cut them, and not as they were laid, nor who had paid for a void deal of it.
Before form 6 a payout could be acknowledged before it was known, and a request was for whatever round came by;
a guest who was not seated had no screen any more once his bet was gone, and anybody of the staff passed, left and mixed;
and what somebody had asked for could be confirmed when he had no account any more.
Before form 6 one person opened and closed a table with any amount in its tray.
Before form 6 a mend at a virtual table told which card was wanted, as if one were to be given.
Before form 6 a bank kept no deals: what was collected for a hand stayed, if the round before it was void after all.
Before form 7 a seat that was to draw the cards was that also without a wager.
Before form 7 a collection that a bank had paid from its stake came back to its guest's chips.
Before form 8 the cash of a guest was added up once anybody was registered, from then on, and no line was told before.
Before form 8 a seat stayed held for a guest who was excluded.
Before form 8 one person voided a slip, and the chips that were under way were back in the books at once;
and a supervisor signed for the dealer, whoever dealt.
"""
WITH_SENTENCES, WITH_DUTIES, WITH_REASONS, STRICT_DUTIES = 1, 4, 5, 6
STRICT_SLIPS = WHOLE_DAYS = 8


@dataclass(frozen=True)
class Event:
    """Something that a command tells, of a `kind`."""

    kind: ClassVar[str]

    def as_data(self) -> dict[str, Any]:
        """As it stands in a journal entry."""
        fields = vars(self)
        data: dict[str, Any] = {"event": self.kind, **fields}
        if tuple in map(type, fields.values()):
            for name, value in fields.items():
                if isinstance(value, tuple):
                    data[name] = [vars(item) if is_dataclass(item) else item for item in value]
        return data


def events_by_kind(event: type[Event] = Event) -> Mapping[str, type[Event]]:
    """Every event that is declared, by its kind."""
    own = {event.kind: event} if hasattr(event, "kind") else {}
    return own | {kind: inner for each in event.__subclasses__() for kind, inner in events_by_kind(each).items()}


SENTENCES = {"step", "payouts", "notice"}
"""What events of 0.1 had in words."""
ENVY_BY_PLAYER = "envy, other player "
"""How the spot of a prize began, before it named the seat."""
ADDED = {"spot", "owed_cents", "payments", "deck", "reason"}
"""What events of 0.1 did not have, or not always; and some of form 3 had no reason."""


def same_events(data: Mapping[str, Any], events: list[Event]) -> bool:
    """Whether the data of an entry tells these events; one of 0.1 is compared in what both tell.

    Rules may be newer than a table, if they settle it to the same cent: their digest is not compared.
    """
    recorded, anew = data["events"], [event.as_data() for event in events]
    if data.get("form", 0) >= WITH_REASONS and recorded == anew:
        return True
    if len(recorded) != len(anew):
        return False
    form = data.get("form", WITH_SENTENCES)
    if form < WITH_REASONS:
        anew = [_without(ADDED - theirs.keys(), ours) for ours, theirs in zip(anew, recorded, strict=True)]
    if form == WITH_SENTENCES:
        recorded = [_without(SENTENCES, event) for event in recorded]
    return all(theirs == ours or _same(theirs, ours) for theirs, ours in zip(recorded, anew, strict=True))


def _same(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    """Whether an event is the one recorded: players whose hands won envy were counted once, without saying their seats."""
    unsaid = {"digest", "spot"} if str(theirs.get("spot", "")).startswith(ENVY_BY_PLAYER) else {"digest"}
    return _without(unsaid, theirs) == _without(unsaid, ours)


def _without(names: set[str], event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in names}
