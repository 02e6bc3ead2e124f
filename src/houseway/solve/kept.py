"""Results that took long, kept on disk under a digest of everything they depend on."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from houseway.kernels.compiled import cache_folder
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value

_SOLVERS = Path(__file__).resolve().parent


def key_of(edition: Edition, settings: Mapping[str, Value], *details: object) -> str:
    """A name for a result: the edition's digest, the settings, and the solver's own sources."""
    sources = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(_SOLVERS.glob("*.py")))).hexdigest()
    told = json.dumps([edition.fingerprint.digest, dict(settings), sources, *map(str, details)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def kept(key: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of this name: read, or computed and written, whole or not at all."""
    file = cache_folder().parent / "results" / f"{key}.json"
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        result = compute()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}.draft")
        draft.write_text(json.dumps(result), encoding="utf-8")
        draft.replace(file)
    except OSError:
        pass  # a disk that cannot be written to costs time only
    return result
