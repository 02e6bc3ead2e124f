"""Alerts on their way: found by a thread of its own, written to the log, posted to webhooks, and kept for the floor page.

A webhook gets JSON, signed like a head: `Houseway-Signature` is Ed25519 over the body, by the key that `Houseway-Key` names (it
is that of the house's heads). The body says to whom it goes and when it was sent, so that nobody can use it elsewhere or again.
What a place does not take is kept and tried again, oldest first; of several processes one looks and sends, and the others
read what it found. Which alerts are sent already is written beside the keys, so that a restart repeats none and forgets none.
"""

import fcntl
import json
import logging
import os
import threading
import tomllib
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from houseway.house.again import IsOut, again_and_again
from houseway.house.alerts import ALERTS, Alert, PayoutWatch, Situation, found_in, found_now
from houseway.house.clock import SteadyClock
from houseway.house.floor import Actor, Floor
from houseway.house.follows_count import CountWatch
from houseway.house.heads import NoteTaker, place_name, post, signing_key, wrong_with_url
from houseway.house.keys import Key, Keyring
from houseway.house.one_finds import OneFinds
from houseway.house.private import make_private_file
from houseway.refusal import Refused
from houseway.table.entry import Entry, canonical
from houseway.table.fold import ALERT_PLACES, ALERT_SEEN
from houseway.table.house_rules import OPERATOR, SHOWN_MINUTES
from houseway.table.roles import ADMINISTRATORS, may_not
from houseway.table.state import House

SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_TRIES = 2.0, 30.0
SECONDS_IT_STANDS = 300.0
"""What ends and is so again within this is the same alert; and so it is if processes that began at other times look in turn."""
UNSENT_MOST, READ_MOST, LOOKED_BACK = 1_000, 2_000, 500
SIGNATURE, KEY = "Houseway-Signature", "Houseway-Key"
log = logging.getLogger("houseway.alerts")


@dataclass(frozen=True)
class AlertSettings:
    """To which URLs alerts are posted."""

    places: tuple[str, ...] = ()

    @classmethod
    def load(cls, keys: Keyring) -> "AlertSettings":
        """As they are written beside the keys; none, if nothing is."""
        file = _file(keys, "toml")
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            raise Refused("bad-alerts", f"{file} cannot be read ({error}): write it again with houseway alerts set") from None
        places = data.get("places", [])
        if not isinstance(places, list):
            raise Refused("bad-alerts", f"{file}: places is no list: write it again with houseway alerts set")
        return checked([str(place) for place in places])

    def save(self, keys: Keyring) -> None:
        """Write them down."""
        file = _file(keys, "toml")
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        make_private_file(draft)
        draft.write_text(f"places = {json.dumps(list(self.places))}\n", encoding="utf-8")
        draft.replace(file)


def checked(places: Sequence[str]) -> AlertSettings:
    """Places as they may be."""
    for place in places:
        if why := wrong_with_url(place):
            raise Refused("bad-alerts", f"alerts go to a URL such as https://example.com/hook: {why}")
    return AlertSettings(tuple(dict.fromkeys(places)))


def change_places(floor: Floor, places: Sequence[str], actor: Actor) -> AlertSettings:
    """Say where alerts go from now on: an administrator does, and the journal says who and to which hosts, without tokens."""
    if actor.role not in ADMINISTRATORS:
        raise may_not(actor.role, "say where alerts go", ADMINISTRATORS)
    settings = checked(places)

    def save(_: object) -> dict[str, Any]:
        settings.save(floor.keys)
        return {}

    floor.note(ALERT_PLACES, actor, {"places": [place_name(place) for place in settings.places]}, also=save)
    return settings


def _is_within(now: datetime, at: str, seconds: float) -> bool:
    """Whether something was less than so many seconds ago; a clock that was set back keeps nothing waiting."""
    return 0 <= (now - datetime.fromisoformat(at)).total_seconds() < seconds


def _file(keys: Keyring, end: str) -> Path:
    return keys.file.with_name(f"{keys.file.stem}.alerts.{end}")


def body_of(alert: Alert, house: House, seq: int) -> dict[str, Any]:
    """What leaves the house of an alert: no guest is named in it. One of no entry is of the newest."""
    return {**alert.as_data(named=False), "house": OPERATOR.of(house), "entry": alert.entry or seq}


def signed_request(place: str, told: Mapping[str, Any], key: Key, at: datetime) -> urllib.request.Request:
    """What is told to a place, to whom and when, with its signature and by whose key it is."""
    body = canonical({**told, "to": place_name(place), "sent": at.isoformat(timespec="seconds")})
    signature = Ed25519PrivateKey.from_private_bytes(key.secret).sign(body.encode()).hex()
    headers = {"Content-Type": "application/json", SIGNATURE: signature, KEY: key.public}
    return urllib.request.Request(place, body.encode(), headers, method="POST")


class LookedAt(NoteTaker, Protocol):
    """The house that is looked at: as it is served."""

    @property
    def floor(self) -> Floor:
        """Its floor."""

    @property
    def now(self) -> tuple[int, House]:
        """The number of the newest entry taken in, and the state as of it."""


Found = tuple[tuple[Alert, ...], tuple[Alert, ...]]
"""The alerts that stand, and those of what happened of late."""


class AlertKeeper:
    """Looks for alerts, and sends each once. `books` gives what the day's books have to look at."""

    def __init__(
        self,
        house: LookedAt,
        clock: Callable[[], datetime],
        books: Callable[[], Iterable[Alert]] = tuple,
        one: OneFinds[Found] | None = None,
    ) -> None:
        self.house, self.clock, self.books = house, clock, books
        self._one: OneFinds[Found] = one or OneFinds()
        self.count, self.payouts = CountWatch(), PayoutWatch()
        self._seq, self._first_seen = -1, dict[str, Alert]()
        self._standing: tuple[Alert, ...] = ()
        self._happened: tuple[Alert, ...] = ()
        self._ticked_off = set[tuple[str, int]]()

    def tick_off(self, kind: str, entry: int, actor: Actor) -> None:
        """Somebody has seen to what happened: it is shown no more, and the journal says who did, and when."""
        if not any((alert.kind, alert.entry) == (kind, entry) for alert in self._happened):
            wanted = "of something that happened and is still shown; what stands ends by itself, once it is so no more"
            raise Refused("no-such-alert", f"{kind[:40]} of entry {entry} is no alert {wanted}")
        self.house.note(ALERT_SEEN, actor, {"alert": kind, "entry": entry})
        self._ticked_off.add((kind, entry))
        self._without([(kind, entry)])

    def _without(self, seen: Iterable[tuple[str, int]]) -> None:
        known = set(seen)
        self._happened = tuple(alert for alert in self._happened if (alert.kind, alert.entry) not in known)

    def shown(self) -> list[dict[str, Any]]:
        """What the staff sees: all that stands, and what happened of late; what is to be acted on first."""
        since = (self.clock() - timedelta(minutes=SHOWN_MINUTES.of(self.house.now[1]))).isoformat(timespec="microseconds")
        alerts = [*self._standing, *(alert for alert in reversed(self._happened) if alert.at >= since)]
        return sorted((alert.as_data(named=True) for alert in alerts), key=lambda shown: shown["severity"])

    def look(self) -> None:
        """Find what is new, log and send it; or read what the process found that looks for all."""
        if self._one.is_here():
            self._find()
            self._one.tell((self._standing, self._happened))
        elif found := self._one.told():
            self._standing, self._happened = found
            self._ticked_off &= {(alert.kind, alert.entry) for alert in self._happened}
            self._without(self._ticked_off)  # here, and the other may not know yet

    def _find(self) -> None:
        seq, state = self.house.now
        at = self.clock()
        self._standing = tuple(self._raised(found_now(self._situation(state, at)), at))
        with self._sent() as sent:
            if self._seq < 0:  # where a process before this one has stopped, or now, if there was none
                self._seq = max(min(sent.get("seq", seq), seq) if sent is not None else seq, seq - READ_MOST)
                for entry in self.house.floor.store.entries(max(self._seq - LOOKED_BACK, 0), self._seq):
                    list(self.payouts.follow(entry))  # what was told already of rounds that go on
            entries = list(self.house.floor.store.entries(self._seq, seq)) if seq > self._seq else []
            happened = [alert for entry in entries for alert in self._of(state, entry)]
            self._happened = (*self._happened, *happened)[-200:]
            self._without((e.data["alert"], e.data["entry"]) for e in entries if e.kind == ALERT_SEEN)  # in any process
            self._seq = seq
            if sent is not None:
                self._send(sent, happened, state)

    def _situation(self, state: House, at: datetime) -> Situation:
        clock = self.house.floor.clock
        return Situation(state, at, isinstance(clock, SteadyClock) and clock.is_off(), self.books())

    def _of(self, state: House, entry: Entry) -> Iterator[Alert]:
        yield from found_in(entry)
        yield from self.payouts.follow(entry)
        yield from self.count.follow(state, entry)

    def _raised(self, found: Sequence[Alert], at: datetime) -> Iterator[Alert]:
        """Those that have stood for long enough, as of when they were first seen."""
        self._first_seen = {alert.id: self._first_seen.get(alert.id, alert) for alert in found}
        for alert in self._first_seen.values():
            stood = (at - datetime.fromisoformat(alert.at)).total_seconds()
            if stood >= ALERTS[alert.kind].after_seconds:
                yield alert

    @contextmanager
    def _sent(self) -> Iterator[dict[str, Any] | None]:
        """What was sent; nothing while another process looks."""
        file = _file(self.house.floor.keys, "sent")
        make_private_file(file)
        with file.open("r+", encoding="utf-8") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield None
                return
            try:
                known = json.loads(opened.read() or "{}")
            except ValueError:
                known = {}
            sent: dict[str, Any] = known if isinstance(known, dict) else {}
            before = canonical(sent)
            yield sent
            if canonical(sent) != before:
                opened.seek(0)
                opened.truncate()
                opened.write(canonical(sent))

    def _send(self, sent: dict[str, Any], happened: Sequence[Alert], state: House) -> None:
        done, now = int(sent.get("seq", -1)), self.clock()
        new = [alert for alert in happened if alert.entry > done]
        known = {id_: at for id_, at in sent.get("standing", {}).items() if _is_within(now, at, SECONDS_IT_STANDS)}
        new += [alert for alert in self._standing if alert.id not in known]
        sent["seq"] = max(done, self._seq)
        sent["standing"] = known | {alert.id: now.isoformat(timespec="seconds") for alert in self._standing}
        bodies = [canonical(body_of(alert, state, self._seq)) for alert in new]
        for body in bodies:
            log.warning("%s", body)
        places = AlertSettings.load(self.house.floor.keys).places
        waiting = sent.setdefault("unsent", {})
        for place in [place for place in waiting if place not in places]:
            del waiting[place]
        for place in places:
            own = waiting.setdefault(place, {"bodies": [], "tried": ""})
            own["bodies"] = [*own["bodies"], *bodies][-UNSENT_MOST:]
            self._deliver(place, own)

    def _deliver(self, place: str, own: dict[str, Any]) -> None:
        """Post what waits for a place, oldest first, until one is not taken; that is said once."""
        now = self.clock()
        if own["tried"] and _is_within(now, own["tried"], SECONDS_BETWEEN_TRIES):
            return
        while own["bodies"]:
            key = signing_key(self.house, self.house.floor.store, self.house.floor.keys)
            try:
                post(signed_request(place, json.loads(own["bodies"][0]), key, self.clock()))
            except OSError as error:
                if not own["tried"]:
                    log.warning("alerts could not be sent to %s (%s); they are kept and tried again", place_name(place), error)
                own["tried"] = now.isoformat(timespec="microseconds")
                return
            own["bodies"], own["tried"] = own["bodies"][1:], ""


class Looks(Protocol):
    """Whatever looks again and again."""

    def look(self) -> None:
        """Once more."""


def watch_alerts(keeper: Looks, stopped: threading.Event, is_out: IsOut, seconds: float = SECONDS_BETWEEN_LOOKS) -> None:
    """Look until the house closes; what goes wrong is said once and never stops play."""
    again_and_again(keeper.look, "alerts are not looked for", log, stopped, seconds, is_out)
