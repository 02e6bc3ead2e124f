"""The system digest: every file of the package as it was released, in a manifest that may be signed."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.approval.rules import PACKAGE
from houseway.approval.sources import ClassPart, Module, sha
from houseway.refusal import Refused
from houseway.release import VERSION

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAME = "manifest.json"
KEY, PUBLIC_KEY = "HOUSEWAY_RELEASE_KEY", "HOUSEWAY_RELEASE_PUBLIC_KEY"
"""Environment: the file of the key that signs a release, and the public key that a release must be signed with."""
IGNORED_FOLDERS = {"__pycache__"}
SHOWN_MOST = 4


@dataclass(frozen=True)
class SystemCheck:
    """What a check of the program's own files found: the release, and what differs from it.

    `problem` says why the manifest itself is not to be trusted; `signed_by` is the public key that it is signed with.
    `outside` are the games that are no part of the release, each with the digest of its folder.
    """

    release: str
    digest: str
    files: int
    changes: tuple[str, ...] = ()
    problem: str = ""
    signed_by: str = ""
    outside: tuple[str, ...] = ()

    @property
    def is_unchanged(self) -> bool:
        """Whether every file is as released."""
        return not self.changes and not self.problem

    def __str__(self) -> str:
        return ", ".join(filter(None, (self._of_the_release, self.outside_words)))

    @property
    def short(self) -> str:
        """The same without what is named in it."""
        release = f"release {self.release} unchanged" if not self.changes else "changed system"
        outside = "with games from outside" if self.outside else ""
        return ", ".join(filter(None, ("release not verified" if self.problem else release, outside)))

    @property
    def outside_words(self) -> str:
        """Which games are no part of the release."""
        return f"with games from outside: {few(self.outside)}" if self.outside else ""

    @property
    def _of_the_release(self) -> str:
        if self.problem:
            return f"release not verified: {self.problem}"
        return f"changed system: {few(self.changes)}" if self.changes else f"release {self.release} unchanged"

    def as_data(self) -> dict[str, Any]:
        """As it stands in a journal entry."""
        return {
            "release": self.release,
            "system": self.digest,
            "files": self.files,
            "unchanged": self.is_unchanged,
            "changes": list(self.changes),
            "problem": self.problem,
            "signed_by": self.signed_by,
            "outside": list(self.outside),
        }


def few(items: tuple[str, ...], most: int = SHOWN_MOST) -> str:
    """The first of some items, and how many more there are."""
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def package_files(folder: Path) -> dict[str, bytes]:
    """Every file of a package but the manifest and what Python and editors leave behind."""
    files = {}
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in IGNORED_FOLDERS and not name.startswith("."))
        for name in sorted(names):
            path = Path(inside, name)
            inner = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith(".") and not name.endswith((".pyc", "~")) and inner != NAME:
                files[inner] = path.read_bytes()
    return files


def definitions_in(name: str, content: bytes) -> dict[str, str]:
    """A short digest of every definition of a Python file, and of its imports."""
    try:
        module = Module(name, Path(name), name, content.decode())
    except (SyntaxError, ValueError):
        return {}
    shapes = {part.name: part.shape for part in module.parts.values()}
    for part in module.parts.values():
        if isinstance(part, ClassPart):
            shapes |= {method.name: method.shape for method in part.methods.values()}
    shapes |= {f"{name} extended": part.shape for name, part in module.extended.items()}
    shapes["imports"] = _canonical([sorted(module.imports.items()), module.stars])
    shapes[module.loose.name] = module.loose.shape
    return {name: sha(text)[:16] for name, text in shapes.items()}


def system_digest(files: Mapping[str, str]) -> str:
    """One digest of all files."""
    return sha(_canonical(dict(files)))


def folder_digest(folder: Path) -> str:
    """One digest of all files of a folder, such as a game's."""
    return system_digest({name: sha(content) for name, content in package_files(folder).items()})


def _message(manifest: Mapping[str, Any]) -> bytes:
    return _canonical(["houseway-release-1", manifest["version"], manifest["files"], manifest["definitions"]]).encode()


def _private_key(file: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        content = file.read_bytes()
        if content.startswith(b"-----"):
            key = load_pem_private_key(content, None)
            if not isinstance(key, Ed25519PrivateKey):
                raise ValueError
            return key
        *_, newest = content.decode().split()  # `houseway keys rotate release` adds a line, and keeps those before it
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(newest))
    except (OSError, ValueError, TypeError):
        raise Refused("bad-release-key", f"{file}: not an Ed25519 key (a PEM file, or 64 hexadecimal digits)") from None


def _public_key(given: str) -> str:
    """A public key given as digits, or as the name of a file with digits or PEM in it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    file = Path(given)
    try:
        if len(given) != 64 and file.is_file():
            content = file.read_bytes()
            if content.startswith(b"-----"):
                key = load_pem_public_key(content)
                return key.public_bytes_raw().hex() if isinstance(key, Ed25519PublicKey) else ""
            given = content.decode().strip()
        return bytes.fromhex(given).hex()
    except (OSError, ValueError):
        return ""


def make_manifest(folder: Path, version: str, key: "Ed25519PrivateKey | None" = None) -> dict[str, Any]:
    """The manifest of a package as it is, signed if there is a key."""
    contents = package_files(folder)
    files = {name: sha(content) for name, content in contents.items()}
    manifest: dict[str, Any] = {
        "version": version,
        "system": system_digest(files),
        "files": files,
        "definitions": {name: definitions_in(name, content) for name, content in contents.items() if name.endswith(".py")},
    }
    if key:
        manifest["public_key"] = key.public_key().public_bytes_raw().hex()
        manifest["signature"] = key.sign(_message(manifest)).hex()
    return manifest


def release(folder: Path = PACKAGE, key_file: str | None = None) -> dict[str, Any]:
    """Write the manifest of a release; `HOUSEWAY_RELEASE_KEY` names the key that signs it."""
    named = os.environ.get(KEY) if key_file is None else key_file
    manifest = make_manifest(folder, VERSION, _private_key(Path(named)) if named else None)
    (folder / NAME).write_text(json.dumps(manifest, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return manifest


def _flaw_of(manifest: Any) -> str:
    """Why a manifest is not to be trusted; nothing if it is."""
    parts = {"version": str, "files": dict, "definitions": dict, "system": str}
    if not isinstance(manifest, dict) or not all(isinstance(manifest.get(name), kind) for name, kind in parts.items()):
        return f"{NAME} is not a manifest"
    if manifest["system"] != system_digest(manifest["files"]):
        return f"{NAME} was altered: its digest is not that of its files"
    pinned = os.environ.get(PUBLIC_KEY, "")
    public = manifest.get("public_key", "")
    if pinned and public not in [_public_key(each) for each in pinned.split(",")]:
        return f"{NAME} is not signed with the key that {PUBLIC_KEY} names"
    if (public or manifest.get("signature")) and not _is_signed(manifest):
        return f"the signature of {NAME} does not verify"
    return ""


def _is_signed(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest's signature is genuine."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        signature, public = bytes.fromhex(manifest.get("signature", "")), bytes.fromhex(manifest.get("public_key", ""))
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _message(manifest))
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def check(folder: Path = PACKAGE) -> SystemCheck:
    """Compare every file with the manifest: what is changed, new or missing, and in Python files which definitions."""
    contents = package_files(folder)
    now = {name: sha(content) for name, content in contents.items()}
    digest = system_digest(now)
    try:
        manifest = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except OSError:
        return SystemCheck("", digest, len(now), problem=f"there is no {NAME}")
    except ValueError:
        return SystemCheck("", digest, len(now), problem=f"{NAME} cannot be read")
    if problem := _flaw_of(manifest):
        return SystemCheck("", digest, len(now), problem=problem)
    changes = tuple(_changes(manifest, now, contents))
    return SystemCheck(manifest["version"], digest, len(now), changes, signed_by=manifest.get("public_key", ""))


def _changes(manifest: Mapping[str, Any], now: Mapping[str, str], contents: Mapping[str, bytes]) -> Iterator[str]:
    then = manifest["files"]
    for name in sorted(then.keys() | now.keys()):
        if name not in now:
            yield f"{name} is missing"
        elif name not in then:
            yield f"{name} is new"
        elif then[name] != now[name]:
            yield name + _where(manifest["definitions"].get(name), name, contents[name])


def _where(then: Mapping[str, str] | None, name: str, content: bytes) -> str:
    """Which definitions of a changed file are not as they were."""
    if then is None:
        return ""
    now = definitions_in(name, content)
    if not now:
        return " (not Python any more)"
    differ = [part for part in sorted(then.keys() | now.keys()) if then.get(part) != now.get(part)]
    return f" ({', '.join(differ)})" if differ else " (comments or layout)"
