"""Printing what the digests cover, pinning, and the program's check of itself."""

import sys
from datetime import UTC, datetime

from houseway.api import Rulebook
from houseway.approval import check_again
from houseway.approval.pinning import Letter, in_words
from houseway.approval.pinning import pin as pin_rules
from houseway.approval.rules import covered, rules_of
from houseway.cli.live import open_floor
from houseway.cli.text import Format, show_csv, show_json
from houseway.games import open_edition
from houseway.house.selfcheck import as_note, note_check
from houseway.house.standing import standing
from houseway.house.store import known_store
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.solve.answer import table
from houseway.table.entry import Entry


def show_covered(name: str, format_: Format) -> None:
    """The definitions that the digest of an edition's rules covers, and how much data."""
    edition = Rulebook.open(name).edition
    rows = [{"file": part.file, "definition": part.name, "digest": part.digest} for part in covered(edition)]
    if format_ is Format.JSON:
        show_json({"edition": edition.id, "digest": standing(edition).rules, "definitions": rows, "data": _data(edition)})
    elif format_ is Format.CSV:
        show_csv(rows)
    else:
        print(f"{edition.id}: {standing(edition)}")
        files = len({row["file"] for row in rows})
        data = f"{len(_data(edition))} values of its data"
        print(f"the digest of its rules covers {len(rows)} definitions in {files} files, and {data}\n")
        print(table([("file", "definition"), *((row["file"], row["definition"]) for row in rows)]))


def _data(edition: Edition) -> dict[str, object]:
    return dict(rules_of(edition).data)


def pin_edition(name: str, because: str, approval: tuple[str, str] | None, wording: bool) -> None:
    """Pin one edition, and say what was proved on how much."""
    if name.endswith(".toml"):
        raise Refused("not-an-edition", f"{name} is a file: only an edition of a game's folder is pinned, by its name")
    edition = open_edition(name)
    letter = Letter(*approval) if approval else None
    today = datetime.now(UTC).date()
    pinned = pin_rules(edition, because, letter, today, lambda line: print(line, file=sys.stderr), wording)
    print(in_words(edition, pinned))


def _noted(store: str | None) -> int:
    """The number of the entry that notes the check, in the store named or the user's own; none where there is no store."""
    if not store and known_store() is None:
        return 0
    entry: Entry = note_check(open_floor(store))
    return entry.seq


def show_self_check(store: str | None, format_: Format) -> bool:
    """Check the program's own files, note it in the journal if there is one, and print it; whether nothing differs."""
    system = check_again()
    try:
        seq = _noted(store)
    except Exception as error:  # a store that does not answer changes nothing of what was found
        print(f"houseway: not noted in the journal: {error}".splitlines()[0], file=sys.stderr)
        seq = 0
    if format_ is Format.JSON:
        show_json(as_note() | {"entry": seq})
    elif format_ is Format.CSV:
        show_csv([{"change": change} for change in system.changes or ((system.problem,) if system.problem else ())])
    else:
        head = f"release {system.release}" if system.release else "release not verified"
        signed = f"signed by {system.signed_by[:16]}" if system.signed_by else "not signed"
        print(f"{head}, {signed}: {system.files} files, system digest {system.digest[:12]}")
        if system.problem:
            print(f"the manifest does not verify: {system.problem}")
        for change in system.changes:
            print(f"  {change}")
        if system.outside:
            print(system.outside_words)
        differs = f"changed: {len(system.changes)} files" if system.changes else "not verified"
        print("unchanged" if system.is_unchanged else differs)
        if seq:
            print(f"noted as entry {seq} of the journal")
    return system.is_unchanged
