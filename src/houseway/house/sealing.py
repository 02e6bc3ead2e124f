"""Cards that are face down lie sealed in the journal until they are turned or their round is over.

An entry after which a card of its table lies face down holds what it was told and what came of it under `sealed`, and beside
it, under `felt`, only money that everybody sees:

    key         the fingerprint of the house's sealing key
    salt        16 random bytes, as hex; HMAC-SHA256(sealing key, "houseway-face-down-1|" + salt) is the entry's own key
    content     AES-256-GCM under the entry's own key, in base64: canonical JSON, filled up with spaces so that its
                length tells nothing
    commitment  SHA-256 of "houseway-face-down-1|" + the entry's own key, as hex + "|" + the content before it was encrypted

The entry that turns the cards or ends the round has the keys of the sealed ones in its `openings`, by their numbers: with
the journal alone everybody can open past rounds, and check that nothing else was committed to. The sealing key itself is
never shown. Snapshots are sealed in the same way, each with a salt of its own.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from houseway.house.keys import SEALING, Key, Keyring
from houseway.house.shoe import Revealed, unseal
from houseway.refusal import Refused
from houseway.table.entry import Entry, canonical

SEALED_PARTS = ("command", "dice", "drawn", "events")
"""What of an entry is sealed; who, when, at which table and which money moved stays in the clear."""
_MARK = b"houseway-face-down-1"
_FILLED_TO = 256
_SHORT_CARDS = re.compile(rb"\b(?:[2-9AKQJ][shdc]|Jk)\b", re.IGNORECASE)
"""Cards with two letters: as if all had the three of a ten, a length tells how many there are and not which."""
_NONCE = bytes(12)
"""An entry's own key encrypts once."""
_OWN_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)


class NotOpened(Exception):  # noqa: N818  (a finding of whoever asks)
    """A key that does not open what it is said to open."""


def _own_key(sealing: Key, salt: str) -> bytes:
    return hmac.digest(sealing.secret, _MARK + b"|" + salt.encode(), "sha256")


def _commitment(own: bytes, content: bytes) -> str:
    return hashlib.sha256(b"|".join((_MARK, own.hex().encode(), content))).hexdigest()


def _decrypted(content: str, own: bytes) -> bytes:
    try:
        return AESGCM(own).decrypt(_NONCE, binascii.a2b_base64(content, strict_mode=True), _MARK)
    except (InvalidTag, ValueError, TypeError):
        raise NotOpened from None


def open_content(sealed: Mapping[str, str], own: bytes) -> bytes:
    """What is sealed, by its own key; refused if it is another, or if something else was committed to."""
    content = _decrypted(sealed["content"], own)
    if sealed.get("commitment") != _commitment(own, content):
        raise NotOpened
    return content


def open_entry(entry: Entry, own: str) -> Entry:
    """A sealed entry, opened by the key that its opening names."""
    if not isinstance(own, str) or not _OWN_KEY.fullmatch(own):
        raise NotOpened
    content = json.loads(open_content(entry.data["sealed"], bytes.fromhex(own)).decode())
    if not isinstance(content, dict) or not content.keys() <= set(SEALED_PARTS):
        raise NotOpened
    return entry.opened(content)


class Sealing:
    """Seals, opens and makes openings with the house's keys."""

    def __init__(self, keys: Keyring) -> None:
        self.keys = keys
        self._known: dict[str, Key] = {}

    def _key(self, fingerprint: str) -> Key | None:
        if fingerprint not in self._known:  # a key that is new here, or none of this house's
            self._known = {key.fingerprint: key for key in self.keys.all(SEALING)}
        return self._known.get(fingerprint)

    def _seal(self, committed: bytes, encrypted: bytes) -> dict[str, str]:
        key, salt = self.keys.newest(SEALING), secrets.token_hex(16)
        own = _own_key(key, salt)
        content = base64.b64encode(AESGCM(own).encrypt(_NONCE, encrypted, _MARK)).decode()
        return {"key": key.fingerprint, "salt": salt, "content": content, "commitment": _commitment(own, committed)}

    def sealed_data(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of an entry with its parts sealed that may tell a card."""
        content = canonical({name: data[name] for name in SEALED_PARTS}).encode()
        longest = len(content) + len(_SHORT_CARDS.findall(content))
        filled = content.ljust(longest + -longest % _FILLED_TO)
        return {name: value for name, value in data.items() if name not in SEALED_PARTS} | {
            "sealed": self._seal(filled, filled)
        }

    def own_key(self, sealed: Mapping[str, str]) -> str | None:
        """The key that opens something sealed; nothing if the house's key for it is not here."""
        key = self._key(sealed["key"])
        return _own_key(key, sealed["salt"]).hex() if key else None

    def opened(self, entry: Entry) -> Entry:
        """An entry as the house reads it: opened, if it is sealed and the key is here."""
        if not entry.is_sealed or (own := self.own_key(entry.data["sealed"])) is None:
            return entry
        try:
            return open_entry(entry, own)
        except NotOpened:
            return entry

    def shoe(self, content: bytes) -> Revealed:
        """A sealed shoe, by the key that sealed it: the newest, or one of before it was rotated."""
        newest, *older = reversed(self.keys.all(SEALING))
        for key in older:
            with suppress(Refused):
                return unseal(key.secret, content)
        return unseal(newest.secret, content)

    def seal_text(self, text: str) -> tuple[dict[str, str], str]:
        """A long text, sealed: what the chain says of it, and what is kept."""
        sealed = self._seal(text.encode(), zlib.compress(text.encode(), 1))
        return {name: sealed[name] for name in ("key", "salt", "commitment")}, sealed["content"]

    def open_text(self, told: Mapping[str, str], kept: str) -> str | None:
        """The text that was sealed, if the key for it is here and it is the one that the chain tells of."""
        own = self.own_key(told)
        try:
            text = zlib.decompress(_decrypted(kept, bytes.fromhex(own))).decode() if own else None
        except (NotOpened, ValueError, zlib.error):
            return None
        return text if text is not None and self.is_of_text(told, text) else None

    def is_of_text(self, told: Mapping[str, str], text: str) -> bool | None:
        """Whether the chain tells of this text; nothing if the key is not here."""
        own = self.own_key(told)
        if own is None:
            return None
        return told["commitment"] == _commitment(bytes.fromhex(own), text.encode())


_AHEAD = 2_000
"""How many entries are read ahead, to find openings: rounds are short, and most are over by then."""


@dataclass
class JournalReader:
    """Reads a journal as anybody can: sealed entries are opened by the openings that later ones hold.

    `later` finds the openings of a table's sealed entry beyond what was read ahead. What `house` can open of the rounds that
    are not over is opened too. `wrong` are entries whose opening does not fit, with the entry that holds it.
    """

    entries: Iterable[Entry]
    later: Callable[[str, int], Entry | None]
    house: Sealing | None = None
    wrong: dict[int, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        left = iter(self.entries)
        openings: dict[int, tuple[int, str]] = {}
        while ahead := list(islice(left, _AHEAD)):
            for entry in ahead:
                self._collect(entry, openings)
            for entry in ahead:
                yield self._opened(entry, openings, ahead[-1].seq) if self._is_sealed(entry) else entry

    @staticmethod
    def _is_sealed(entry: Entry) -> bool:
        try:
            return entry.is_sealed and isinstance(entry.data["sealed"], dict)
        except (ValueError, TypeError):  # of what no floor has written, the checks say what is wrong
            return False

    @staticmethod
    def _collect(entry: Entry, openings: dict[int, tuple[int, str]]) -> None:
        if '"openings":{' not in entry.payload:
            return
        try:
            openings |= {int(seq): (entry.seq, own) for seq, own in entry.data["openings"].items() if int(seq) not in openings}
        except (ValueError, TypeError, KeyError, AttributeError):
            return

    def _opened(self, entry: Entry, openings: dict[int, tuple[int, str]], read: int) -> Entry:
        if entry.seq not in openings and (beyond := self.later(entry.table, max(entry.seq, read))):
            self._collect(beyond, openings)
        if entry.seq in openings:
            holder, own = openings.pop(entry.seq)
            try:
                return open_entry(entry, own)
            except (NotOpened, ValueError):
                self.wrong[entry.seq] = holder
        return self.house.opened(entry) if self.house else entry
