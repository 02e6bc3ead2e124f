"""The house's keys. They lie outside the store: a file for each purpose, mode 0600, a key a line, the newest last.

The newest seals and signs; older ones are kept to open what they sealed and to know what they signed. The file of the
sealing keys is the one that the house is opened with (`house.key`); the others lie beside it (`house.heads.key`).
"""

import fcntl
import hashlib
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from houseway.house.private import check_folder
from houseway.refusal import Refused, one_of

SEALING, HEADS, RELEASE = "sealing", "heads", "release"
PURPOSES = {
    SEALING: "seals shoes, cards that are face down, and snapshots",
    HEADS: "signs the heads of the chain, and certificates",
    RELEASE: "signs the manifest of a release",
}
RELEASE_FILE = "HOUSEWAY_RELEASE_KEY"
_HEX_32_BYTES = re.compile(r"[0-9a-f]{64}", re.ASCII)
_LONGEST = 65 * 1000


@dataclass(frozen=True)
class Key:
    """A key of some purpose; its fingerprint names it and tells nothing of it."""

    purpose: str
    secret: bytes = field(repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits: of a signing key, the first of its public half."""
        if self.purpose == SEALING:
            return hashlib.sha256(b"houseway-key-1|" + self.secret).hexdigest()[:16]
        return self.public[:16]

    @property
    def public(self) -> str:
        """The public half of a signing key, by which its signatures are known."""
        return Ed25519PrivateKey.from_private_bytes(self.secret).public_key().public_bytes_raw().hex()


class Keyring:
    """The keys of a house, read from their files when they are asked for, and again when a file has changed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._read: dict[str, tuple[tuple[int, int, int], tuple[Key, ...]]] = {}

    def file_of(self, purpose: str) -> Path:
        """Where the keys of a purpose lie."""
        one_of("key", purpose, PURPOSES)
        if purpose == SEALING:
            return self.file
        if purpose == RELEASE and (named := os.environ.get(RELEASE_FILE)):
            return Path(named)
        return self.file.with_name(f"{self.file.stem}.{purpose}{self.file.suffix}")

    def has(self, purpose: str) -> bool:
        """Whether there is a file with keys of this purpose."""
        return self.file_of(purpose).exists()

    def all(self, purpose: str) -> tuple[Key, ...]:
        """The keys of a purpose, the newest last; refused if their file is missing."""
        file = self.file_of(purpose)
        try:
            status = file.stat()
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
            known = self._read.get(purpose)
            if known is None or known[0] != stamp:
                known = self._read[purpose] = stamp, tuple(Key(purpose, secret) for secret in load_keys(file))
            return known[1]
        except FileNotFoundError:
            raise Refused("key-missing", f"the key file {file} is missing: put it back from where its copy is kept") from None
        except OSError as error:
            raise Refused("key-unreadable", f"the key file {file} cannot be used: {error.strerror}") from None

    def newest(self, purpose: str) -> Key:
        """The key that seals or signs now."""
        return self.all(purpose)[-1]

    def make(self, purpose: str) -> Key:
        """The newest key of a purpose; a first one is made where there is no file."""
        load_or_make_key(self.file_of(purpose))
        return self.newest(purpose)

    def rotate(self, purpose: str) -> Key:
        """A new key from now on; those before it are kept in the same file."""
        file = self.file_of(purpose)
        if not self.has(purpose):
            return self.make(purpose)
        with _locked(file):
            lines = [secret.hex() for secret in load_keys(file)] + [secrets.token_hex(32)]
            draft = _draft(file, lines)
            draft.replace(file)
        _sync_folder(file.parent)
        return self.newest(purpose)

    def public_keys(self) -> tuple[str, ...]:
        """Whose signatures of heads are this house's: until 0.2 the first sealing key signed them as well."""
        signing = self.all(HEADS) if self.has(HEADS) else ()
        first = [Key(HEADS, self.all(SEALING)[0].secret)] if self.has(SEALING) else []
        return tuple(key.public for key in (*signing[::-1], *first))


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Nobody else changes a key file meanwhile: of two who rotate at once, each keeps the other's key."""
    while True:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX)
            if os.fstat(opened.fileno()).st_ino == file.stat().st_ino:  # else it was replaced while we waited
                yield
                return


def load_or_make_key(file: Path) -> bytes:
    """The newest key in this file (64 hex digits, mode 0600). Processes that race to make it all get the same one."""
    try:
        if not file.exists():
            _make_key(file)
        return load_keys(file)[-1]
    except OSError as error:
        raise Refused("key-unreadable", f"the key file {file} cannot be used: {error.strerror}") from None


def load_keys(file: Path) -> list[bytes]:
    """The keys in a file, the newest last; refused if others may read it, or if it holds anything else."""
    check_folder(file.parent, "where the key lies", "key-exposed")
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # a pipe must not hang us; the mode asked is of what was opened
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Refused("key-unreadable", f"the key file {file} is not a file")
        if status.st_mode & 0o077:
            mode = stat.S_IMODE(status.st_mode)
            message = f"the key file {file} is open to others (mode {mode:04o}): chmod 600 {file} if nobody read it,"
            raise Refused("key-exposed", f"{message} and then rotate it")
        lines = os.read(handle, _LONGEST).decode("ascii", "replace").split()
    finally:
        os.close(handle)
    if lines[:1] == ["-----BEGIN"]:
        raise Refused("bad-key", f"the key file {file} is a PEM file, which holds one key: make a new one where you made it")
    if not lines or not all(_HEX_32_BYTES.fullmatch(line) for line in lines):
        raise Refused("bad-key", f"the key file {file} does not hold 64 lower-case hex digits a line")
    return [bytes.fromhex(line) for line in lines]


def _draft(file: Path, lines: list[str]) -> Path:
    """The new content of a key file, on disk under another name."""
    handle, draft = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)  # mode 0600 from the start
    with os.fdopen(handle, "w") as written:
        written.write("".join(f"{line}\n" for line in lines))
        written.flush()
        os.fsync(written.fileno())
    return Path(draft)


def _make_key(file: Path) -> None:
    """A link appears whole or not at all, and never replaces a key that another process made first."""
    check_folder(file.parent, "where the key lies", "key-exposed")
    draft = _draft(file, [secrets.token_hex(32)])
    try:
        file.hardlink_to(draft)
        _sync_folder(file.parent)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
