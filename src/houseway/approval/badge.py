"""The badge: whether an edition is played by the rules that were approved, on the program that was released."""

import json
import threading
from dataclasses import dataclass, replace
from typing import Literal

from houseway.approval import manifest
from houseway.approval.manifest import SystemCheck, few
from houseway.approval.pins import read_pin
from houseway.approval.rules import SOURCES, rules_of
from houseway.approval.sources import Sources
from houseway.design.mark import NOT_APPROVED, is_design
from houseway.games import outside
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition

Status = Literal["approved", "modified", "no approval on file"]
NONE_ON_FILE = "no approval on file"
NO_LETTER = "it says that it is approved, and no letter was named when it was pinned"


@dataclass(frozen=True)
class Badge:
    """What is promised of an edition: by digests of its rules, of their behaviour as pinned, and of the whole program.

    `differences` name what of the rules is not as pinned, `system_changes` which files are not as released. A
    design says that it is one wherever its rules are named.
    """

    status: Status
    rules: str
    behaviour: str
    release: str
    differences: tuple[str, ...]
    system_changes: tuple[str, ...]
    system: str
    is_pinned: bool
    system_problem: str = ""
    outside: tuple[str, ...] = ()
    is_design: bool = False
    approval: str = NONE_ON_FILE
    """The letter's jurisdiction and date, but only of an edition that is pinned: content that was copied has no letter."""

    def __str__(self) -> str:
        if self.status == "modified":
            system = f"; {self.system_words}" if self.system_changes else ""
            return f"{self._of_the_rules}: {few(self.differences)}{system}"
        return f"{self._of_the_rules}, {self.system_words}" if self.is_pinned else self._of_the_rules

    @property
    def short(self) -> str:
        """The same in a few words, for where what differs is named beside it."""
        says_all = self.status == "modified" or not self.is_pinned
        return self._of_the_rules if says_all else f"{self._of_the_rules}, {self._system.short}"

    @property
    def _of_the_rules(self) -> str:
        if self.is_design:
            return NOT_APPROVED
        if self.status == "modified":
            return "modified rules"
        if not self.is_pinned:
            return "no approval on file"
        return "approved rules" if self.status == "approved" else "no approval on file, rules as pinned"

    @property
    def heading(self) -> str:
        """Approval and status in one line, nothing of it twice."""
        return str(self) if str(self).startswith(self.approval) else f"{self.approval} · {self}"

    @property
    def system_words(self) -> str:
        """Whether the program is as released."""
        return str(self._system)

    @property
    def _system(self) -> SystemCheck:
        return SystemCheck(self.release, self.system, 0, self.system_changes, self.system_problem, outside=self.outside)


class _Known:
    """What was found when the files were last looked at, and how often they were."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.badges: dict[str, Badge] = {}
        self.system: dict[str, SystemCheck] = {}
        self.looks = 0


_known = _Known()


def system() -> SystemCheck:
    """The program's own files, compared with its release, and the games beside it: once, until `check_again`."""
    folders = str(outside())
    with _known.lock:
        if folders not in _known.system:
            release_check, beside = manifest.check(), _outside()
            _known.system[folders] = replace(release_check, outside=beside) if beside else release_check
        return _known.system[folders]


def _outside() -> tuple[str, ...]:
    """The games that are no part of the release, each with the digest of its folder."""
    return tuple(f"{name} (digest {manifest.folder_digest(folder)[:12]})" for name, folder in outside().items())


def looks() -> int:
    """How often the files were looked at anew: whoever keeps a badge keeps it under this number."""
    return _known.looks


def check_again() -> SystemCheck:
    """Forget what was found, and look at the files anew."""
    with _known.lock:
        _known.badges.clear()
        _known.system.clear()
        _known.looks += 1
        SOURCES.forget()
        return system()


def badge(edition: Edition) -> Badge:
    """The badge of an edition, worked out once until `check_again`.

    Before the first of these, what an earlier run found in the very same files will do; after it, nothing is taken on trust.
    """
    program = system()
    key = json.dumps([edition.game.id, str(edition.game.folder), edition.document, program.outside], default=str)
    with _known.lock:
        if key not in _known.badges:
            _known.badges[key] = badge_of(edition, program, may_be_kept=_known.looks == 0)
        return _known.badges[key]


def badge_of(edition: Edition, program: SystemCheck, sources: Sources | None = None, may_be_kept: bool = False) -> Badge:
    """The badge of an edition with these sources."""
    rules = rules_of(edition, sources, may_be_kept)
    try:
        pin = read_pin(edition)
        differences = rules.differences(pin.worded_as(rules)) if pin else (f"nothing is pinned for {edition.id}",)
        if pin and edition.approval.on_file and not pin.has_letter:
            differences = (NO_LETTER, *differences)
    except Refused as refused:
        pin, differences = None, (refused.message,)
    status: Status = "approved" if edition.approval.on_file else "no approval on file"
    if pin is None:
        status = "no approval on file"
    elif differences:
        status = "modified"
    return Badge(
        status=status,
        rules=rules.digest,
        behaviour=pin.behaviour.digest if pin else "",
        release=program.release,
        differences=differences,
        system_changes=program.changes,
        system=program.digest,
        is_pinned=pin is not None,
        system_problem=program.problem,
        outside=program.outside,
        is_design=is_design(edition),
        approval=NOT_APPROVED if is_design(edition) else str(edition.approval) if pin else NONE_ON_FILE,
    )
