"""A design as an edition's content: the edition with other pays, an id of its own, and the mark that it is not approved."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from houseway.design.ask import Draft, content_table
from houseway.design.mark import NOT_APPROVED
from houseway.design.problem import Pays
from houseway.refusal import Refused
from houseway.rulebook.edition import PAY_TABLE, Edition
from houseway.rulebook.pay import Pay


def designed_content(edition: Edition, id_: str, name: str, designs: Sequence[tuple[Draft, Pays]]) -> dict[str, Any]:
    """The content of the edition with these pays.

    A setting that was asked about has the values that it was designed for, and no others; the answer to a question that was
    asked about comes first, and so does the pay table: they are what a table opens with.
    """
    content: dict[str, Any] = deepcopy(dict(edition.document))
    approval = {key: value for key, value in content["approval"].items() if key in {"maker", "jurisdiction", "conditions"}}
    content |= {"id": id_, "name": name or f"{edition.name}: a design"}
    content["approval"] = {"on_file": False, "date": NOT_APPROVED, **approval}
    for draft, found in designs:
        _pay(content, draft, found)
        for setting, values in draft.lists.items():
            _allow(content, setting, values)
    return content


def _pay(content: dict[str, Any], draft: Draft, found: Pays) -> None:
    wager: dict[str, Any] = content["wagers"][draft.wager.id]
    table = content_table(content, draft.wager.id, draft.table)
    now = draft.pays_of(draft.present)
    for row, pay in draft.pays_of(found).items():
        if pay != now[row]:
            table[row] = str(Pay(pay))
    for row, prize in draft.prizes_of(found).items():
        wager["envy_dollars"][draft.table][row] = prize
    if table is not wager["pays"]:
        wager["pays"] = _first(wager["pays"], [draft.table])


def _allow(content: dict[str, Any], setting: str, values: Sequence[Any]) -> None:
    if setting == PAY_TABLE:
        return
    if setting in content.get("readings", {}):
        reading = content["readings"][setting]
        reading["values"] = _first(reading["values"], [str(value) for value in values])
        return
    before = content["settings"].get(setting, [])
    content["settings"][setting] = [v for v in before if v in values] + [v for v in values if v not in before]


def _first(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: given[name] for name in dict.fromkeys((*names, *given))}


def as_toml(content: Mapping[str, Any]) -> str:
    """A content as TOML: texts, whole numbers, true, false, lists and tables; the order is kept, for the first is the default.

    >>> print(as_toml({"id": "a", "limits": {"max_cents": 5}, "pays": {"1": {"flush": "4 to 1"}}}), end="")
    id = "a"
    <BLANKLINE>
    [limits]
    max_cents = 5
    <BLANKLINE>
    [pays.1]
    flush = "4 to 1"
    """
    lines: list[str] = []
    _write(content, (), lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _write(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if path and (plain or not table):
        lines += ["", f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if isinstance(value, Mapping):
            _write(value, (*path, key), lines)


def _key(key: str) -> str:
    return key if key and all(char.isascii() and (char.isalnum() or char in "-_") for char in key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    raise Refused("broken-toml", "an edition holds texts, whole numbers, true, false, lists and tables only")
