"""A command is declared once, and everything else comes from that: route, document, shell, check, journal, pages."""

import ast
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import pytest
from fastapi.testclient import TestClient
from pydantic import Field as Limits

import houseway
from houseway.cli.main import main
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import COMMANDS, ROLES
from houseway.table.commands import command, may_give
from houseway.table.engine import Effect
from houseway.table.fields import CENTS, Field, Kind
from houseway.table.ledger import CAGE, OUTSIDE
from houseway.web.app import ServeSettings, create_app
from houseway.web.people import DOOR

SOURCES = Path(houseway.__file__).parent
OFFICE, CASHIER = Actor("root", "administrator"), Actor("cat", "cashier")
COLOUR = Field("colour", Kind(Literal["red", "blue"], "red or blue", "text"), "the colour of the wheel")
TIMES = Field("times", Kind(Annotated[int, Limits(ge=1, le=9)], "a whole number from 1 to 9", "number"), "how often it is spun")
SENTENCE = "Spin the wheel for a prize that goes into the cage"


@pytest.fixture
def prize(monkeypatch):
    """A command that nobody has heard of: this is all that is said of it."""
    monkeypatch.setitem(COMMANDS, "prize", None)
    del COMMANDS["prize"]

    @command("prize", ("administrator",), SENTENCE, CENTS, COLOUR, may=(TIMES,), recorded_when_refused=True)
    def handler(house, given, draw):
        effect = Effect(house)
        effect.move(OUTSIDE, CAGE, given["cents"] * given.get("times", 1), f"prize on {given['colour']}")
        return effect

    return COMMANDS["prize"]


@pytest.fixture
def floor(tmp_path):
    return Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "house.key")


@pytest.fixture
def app(tmp_path, prize):
    served = create_app(ServeSettings(f"sqlite:///{tmp_path / 'web.db'}", tmp_path / "web.key", demo=False))
    served.state.door.add("cat", "cashier", "long enough for cat", DOOR)
    yield served
    served.state.house.floor.store.engine.dispose()


def client(app, name, password):
    asks = TestClient(app)
    answer = asks.post("/api/v1/session", json={"name": name, "password": password})
    asks.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    return asks


@pytest.fixture
def office(app):
    return client(app, "admin", app.state.first_accounts["admin"])


@pytest.fixture
def cashier(app):
    return client(app, "cat", "long enough for cat")


# A made-up command, at once everywhere


def test_it_is_in_the_document(app):
    document = app.openapi()
    operation = document["paths"]["/api/v1/cage/prize"]["post"]
    assert (operation["summary"], operation["operationId"]) == (SENTENCE, "prize")
    assert "administrator" in operation["description"]
    assert operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/PrizeCommand")
    body = document["components"]["schemas"]["PrizeCommand"]
    assert (body["required"], body["additionalProperties"]) == (["cents", "colour"], False)
    assert set(body["properties"]) == {"cents", "colour", "times"}
    assert body["properties"]["colour"]["enum"] == ["red", "blue"]
    assert body["properties"]["times"]["anyOf"][0]["maximum"] == 9
    assert "how often it is spun" in body["properties"]["times"]["description"]


def test_it_has_a_route(app, office):
    answer = office.post("/api/v1/cage/prize", json={"cents": 500, "colour": "red", "times": 3})
    assert answer.status_code == 200, answer.text
    assert app.state.house.state.balance(CAGE) == 1_500


@pytest.mark.parametrize(
    ("body", "status", "code", "says"),
    [
        ({"cents": 500}, 422, "bad-command", "colour is missing: the colour of the wheel (red or blue)"),
        ({"colour": "red"}, 400, "bad-amount", "cents is missing: how much"),
        ({"cents": -5, "colour": "red"}, 400, "bad-amount", "-$0.05 is not an amount above $0"),
        ({"cents": 500, "colour": "green"}, 422, "bad-command", "colour: 'green' is not red or blue"),
        ({"cents": 500, "colour": "red", "times": 10}, 422, "bad-command", "a whole number from 1 to 9"),
        ({"cents": 500, "colour": "red", "size": 3}, 422, "bad-command", "prize has no field 'size'"),
        ({"cents": 500, "colour": "red", "kind": "fund"}, 422, "bad-command", "kind cannot be given"),
    ],
)
def test_what_is_not_as_declared_is_refused_in_one_line(app, office, body, status, code, says):
    answer = office.post("/api/v1/cage/prize", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert says in answer.json()["message"] and "\n" not in answer.json()["message"]
    assert app.state.house.state.balance(CAGE) == 0


def test_only_its_roles_may_give_it(app, cashier, office):
    answer = cashier.post("/api/v1/cage/prize", json={"cents": 500, "colour": "red"})
    assert (answer.status_code, answer.json()["code"]) == (403, "role-may-not")
    assert "prize" in office.get("/api/v1/session").json()["may"]
    assert "prize" not in cashier.get("/api/v1/session").json()["may"]
    assert office.get("/api/v1/floor").json()["commands"]["prize"] == {"about": SENTENCE, "roles": ["administrator"]}


def test_pages_know_what_they_may_offer(app, office, cashier):
    for asks, role in ((office, "administrator"), (cashier, "cashier")):
        page = asks.get("/floor").text
        offered = re.search(r'<body[^>]* data-commands="([^"]*)"', page)[1].split()
        assert offered == may_give(role) == asks.get("/api/v1/session").json()["may"]
    assert 'data-commands=""' in TestClient(app).get("/").text


def test_it_is_a_command_of_the_shell(tmp_path, monkeypatch, capsys, prize):
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'shell.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "shell.key"))

    def shell(line, code=0):
        monkeypatch.setattr(sys, "argv", shlex.split(f"houseway {line}"))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert (ended.value.code or 0) == code, printed
        return printed.err if code else printed.out

    assert SENTENCE in " ".join(shell("cage prize --help").split())
    assert "prize" in shell("cage --help")
    entry = json.loads(shell("cage prize 12.50 --colour blue --times 2 --format json"))
    assert entry["command"] == {"kind": "prize", "cents": 1_250, "colour": "blue", "times": 2}
    assert "is not red or blue" in shell("cage prize 1 --colour green", code=2)
    assert "Missing option '--colour'" in shell("cage prize 1", code=2)
    assert "a cashier may not prize" in shell("cage prize 1 --colour red --as cat:cashier", code=2)


def test_it_is_checked_journaled_and_audited(tmp_path, floor, prize):
    entry = floor.do({"kind": "prize", "cents": 700, "colour": "red"}, OFFICE, "once")
    assert (entry.kind, entry.role) == ("prize", "administrator")
    assert entry.data["command"] == {"kind": "prize", "cents": 700, "colour": "red"}
    assert floor.do({"kind": "prize", "cents": 700, "colour": "red"}, OFFICE, "once") == entry
    for fields in ({"cents": True}, {"colour": "RED"}, {"times": 0}, {"times": None}, {"size": 1}):
        with pytest.raises(Refused):
            floor.do({"kind": "prize", "cents": 700, "colour": "red"} | fields, OFFICE)
    attempts = [each for each in floor.store.entries() if each.kind == "attempt"]
    assert len(attempts) == 5 and attempts[0].data["code"] == "bad-amount"
    assert (
        Floor(floor.store, floor.store.url and Path(floor.store.url.removeprefix("sqlite:///")).parent / "house.key").refresh()
        == floor.state
    )
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize("settings", [["decks"], "decks", 3, {"decks": [8]}, {"decks": {}}])
def test_settings_of_an_odd_shape_are_refused_and_nothing_breaks(office, settings):
    body = {"table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100, "settings": settings}
    answer = office.post("/api/v1/tables", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-setting"), answer.text


@pytest.mark.parametrize("fields", [{"cents": -700}, {"cents": "700"}, {"colour": "green"}, {"size": 1}, {"colour": None}])
def test_an_entry_that_no_floor_would_have_written_is_a_flaw(floor, prize, fields):
    """Folding trusts the floor; an audit trusts nobody, though the chain holds and the money adds up."""
    good = floor.do({"kind": "prize", "cents": 700, "colour": "red"}, OFFICE)
    data = good.data | {"command": good.data["command"] | fields, "transfers": []}
    with floor.store.writing() as writer:
        floor._append(writer, "prize", "", OFFICE, "", data, [])
    flaw = Auditor(floor.store).run().flaw
    assert flaw is not None and flaw.seq == good.seq + 1
    assert "Refused" in flaw.what


# Once, and nowhere else


def declarations():
    """Every declaration in the sources: the kind and the sentence."""
    for file in sorted((SOURCES / "table").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "command":
                yield ast.literal_eval(node.args[0]), ast.literal_eval(node.args[2])


def test_every_command_has_one_declaration_and_one_sentence():
    found = list(declarations())
    assert sorted(kind for kind, _ in found) == sorted(COMMANDS)
    assert dict(found) == {kind: declared.about for kind, declared in COMMANDS.items()}
    assert len({about for _, about in found}) == len(found)
    everything = "\n".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    for kind, about in found:
        assert re.fullmatch(r"[A-Z].*[^.]", about), about
        assert len(re.findall(rf'(?<!")"{re.escape(about)}\.?"(?!")', everything)) == 1, f"the sentence of {kind} stands twice"


def test_a_command_cannot_be_declared_twice():
    with pytest.raises(AssertionError, match="bet is declared twice"):
        command("bet", ("guest",), "Bet again")


GROUPS = {"table", "cage", "board", "requests", "duties", "house", "guests", "waitlist", "staff", "slips"}


def test_every_command_has_a_route_and_a_shell_command_of_its_own():
    assert len({declared.path for declared in COMMANDS.values()}) == len(COMMANDS)
    assert len({declared.shell for declared in COMMANDS.values()}) == len(COMMANDS)
    assert all(declared.shell.split()[0] in GROUPS for declared in COMMANDS.values())


def test_a_field_means_the_same_in_every_command():
    fields = {}
    for declared in COMMANDS.values():
        for name, field in declared.fields.items():
            assert fields.setdefault(name, field) is field, name


def lists_of_roles(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            texts = [each.value for each in node.elts if isinstance(each, ast.Constant)]
            if len(texts) == len(node.elts) and set(texts) <= set(ROLES):
                yield node.lineno


def test_roles_stand_in_one_place():
    assert list(lists_of_roles(SOURCES / "table" / "roles.py"))
    for file in SOURCES.rglob("*.py"):
        if file != SOURCES / "table" / "roles.py":
            assert not list(lists_of_roles(file)), file


def test_no_script_knows_who_may_do_what():
    role = "|".join(ROLES)
    known = re.compile(rf"""\[\s*["'](?:{role})["']\s*(?:,\s*["'](?:{role})["']\s*)*\]""")
    scripts = SOURCES / "web" / "static" / "js"
    knowing = {str(file.relative_to(scripts)) for file in scripts.rglob("*.js") if known.search(file.read_text("utf-8"))}
    assert not knowing, "the house tells: may, sees, commands and GET /people"
