"""Who looks."""

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Reader:
    """Who looks: a guest by name, somebody of the staff, or anybody."""

    name: str = ""
    role: str = "guest"


ANYBODY = Reader()
