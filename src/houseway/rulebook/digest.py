"""Fingerprints: an approved rule set is pinned, and a changed one no longer carries the approval (EZB-L3)."""

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent
_SHARED = ("cards.py", "rulebook/pay.py", "rulebook/settle.py", "money.py")
"""Files outside the game's folder that decide what a hand is worth."""


@dataclass(frozen=True)
class Fingerprint:
    """Digests of every rule and file, and the edition's data as plain values, so that a difference can be named."""

    rules: dict[str, str]
    data: dict[str, Any]

    @property
    def digest(self) -> str:
        """One digest of rules and data together."""
        return _sha(json.dumps([self.rules, self.data], sort_keys=True, separators=(",", ":")).encode())


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _flat(value: Any, key: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping) and value:
        return {k: v for name, inner in value.items() for k, v in _flat(inner, f"{key}.{name}" if key else name).items()}
    return {key: value}


def _parts(path: Path, name: str) -> dict[str, str]:
    """The digest of a file, and of each definition in it."""
    source = path.read_bytes()
    parts = {name: _sha(source)}
    if path.suffix == ".py":
        lines = source.splitlines(keepends=True)
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.end_lineno:
                *whole, last = lines[node.lineno - 1 : node.end_lineno]
                parts[f"{name}: {node.name}"] = _sha(b"".join(whole) + last[: node.end_col_offset])
    return parts


def fingerprint(document: Mapping[str, Any], folder: Path) -> Fingerprint:
    """The fingerprint of an edition: its data, every rule file of its game, and the shared files that pay."""
    rules: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.suffix in {".py", ".toml"} and inner.parts[0] not in {"editions", "approved", "published"}:
            rules |= _parts(path, f"{folder.name}/{inner.as_posix()}")
    for name in _SHARED:
        rules |= _parts(_PACKAGE / name, name)
    return Fingerprint(rules, _flat(document))


def pin(now: Fingerprint, file: Path) -> None:
    """Write the fingerprint that an approval is tied to."""
    file.parent.mkdir(exist_ok=True)
    content = {"digest": now.digest, "rules": now.rules, "data": now.data}
    file.write_text(json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def differences(now: Fingerprint, file: Path) -> list[str]:
    """What differs from the pinned fingerprint, each named with its value then and now."""
    if not file.exists():
        return [f"no pinned rules for this edition ({file.name} is missing)"]
    then = json.loads(file.read_text(encoding="utf-8"))
    found = []
    for key in sorted(then["data"].keys() | now.data.keys()):
        old, new = then["data"].get(key, "absent"), now.data.get(key, "absent")
        if old != new:
            found.append(f"{key}: {_show(old)} as approved, {_show(new)} now")
    changed = {key for key in then["rules"].keys() | now.rules.keys() if then["rules"].get(key) != now.rules.get(key)}
    named = {key.split(": ")[0] for key in changed if ": " in key}
    for key in sorted(changed):
        if ": " in key:
            found.append(f"rule {key.split(': ')[1]} ({key.split(': ')[0]})")
        elif key not in named:
            found.append(f"file {key}")
    return found


def _show(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
