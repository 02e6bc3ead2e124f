"""One file configures a house: strict, with options before the environment before the file, and `config check` says it all."""

import os
import socket
import tomllib
from pathlib import Path

import pytest
import typer

from houseway.cli import configuration
from houseway.cli.configuration import read_configuration, settings
from houseway.cli.main import app

ROOT = Path(__file__).parent.parent
DOCS = (ROOT / "docs" / "operating.md").read_text()


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of settings, of which nothing stays when the test is over."""
    for name in ("HOUSEWAY_STORE", "HOUSEWAY_KEY", "HOUSEWAY_DUTIES"):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path / "houseway.toml"
    configuration.heed(configuration.Configuration())


def test_options_come_before_the_environment_and_that_before_the_file(file, monkeypatch):
    file.write_text('[house]\nstore = "of-file.db"\n[serve]\nport = 8100\n')
    said = read_configuration(file)
    assert said.chosen("house.store").value == str(file.parent / "of-file.db")
    assert said.chosen("serve.port").value == 8100
    monkeypatch.setenv("HOUSEWAY_STORE", "of-environment.db")
    assert said.chosen("house.store").value == "of-environment.db"
    assert "which does not count" in said.chosen("house.store").source
    assert said.chosen("house.store", "of-option.db").value == "of-option.db"
    assert said.chosen("serve.port", 8200).source == "option --port"
    assert said.chosen("serve.host").source == "nobody set it"


def test_every_command_heeds_the_file(file, run, monkeypatch):
    file.write_text('[house]\nstore = "house.db"\nkey = "house.key"\nduties = "one"\n')
    monkeypatch.setenv("HOUSEWAY_CONFIG", str(file))
    assert run("cage", "fund", "500")[0] == 0
    assert (file.parent / "house.db").is_file() and (file.parent / "house.key").is_file()
    assert "500" in run("cage", "balances")[1]
    code, _, said = run("cage", "balances", "--store", str(file.parent / "other.db"))
    assert code == 2 and "other.db" in said, "an option counts before the file"
    monkeypatch.delenv("HOUSEWAY_CONFIG")
    run("editions")
    assert "HOUSEWAY_STORE" not in os.environ, "what a file set is forgotten with it"


def test_what_is_wrong_is_refused_in_one_line_by_every_command(file, run, monkeypatch):
    file.write_text("[serve]\nprot = 8000\n")
    monkeypatch.setenv("HOUSEWAY_CONFIG", str(file))
    for line in (("audit",), ("serve",), ("cage", "balances")):
        code, _, said = run(*line)
        assert code == 2 and said.count("\n") == 1
        assert "serve.prot: unknown key: did you mean port?" in said
    monkeypatch.delenv("HOUSEWAY_CONFIG")
    code, _, said = run("serve", "--config", file)
    assert code == 2 and "did you mean port?" in said


def test_check_says_every_value_and_all_that_is_wrong(file, run, monkeypatch):
    file.write_text(
        '[house]\nstore = "postgresql://house:hunter2@127.0.0.1:1/house"\nkey = "nowhere/house.key"\nduties = "three"\n'
        '[serve]\nport = 70000\ndemo = "no"\nproxies = ["here"]\n[tls]\ncert = "cert.pem"\n[limits]\nstreams = 0\nstreems = 1\n'
        '[backups]\nevery = "often"\n[sirve]\nport = 1\n[logs]\nformat = "xml"\n[metrics]\ntoken_file = "token"\n'
    )
    (file.parent / "token").write_text("short")
    (file.parent / "token").chmod(0o600)
    code, said, _ = run("config", "check", file)
    assert code == 1 and "hunter2" not in said
    wrong = [line for line in said.splitlines() if line.startswith("WRONG: ")]
    for key in ("duties", "serve.port", "serve.demo", "limits.streams", "limits.streems", "sirve", "logs.format"):
        assert sum(f"houseway.toml: {key}" in line or f"houseway.toml: house.{key}" in line for line in wrong) == 1, key
    for key in ("house.key", "serve.proxies", "tls", "backups.every", "metrics.token_file"):
        assert any(line.startswith(f"WRONG: {key}: ") for line in wrong), key
    shown = [line for line in said.splitlines() if " = " in line and not line.startswith("WRONG")]
    assert [line.split(" = ")[0] for line in shown] == list(settings())
    assert said.splitlines()[-1].endswith(f"{len(wrong)} things wrong")


def test_workers_need_postgresql_and_a_password_is_not_shown(file, run):
    file.write_text('[serve]\nworkers = 2\n[house]\nstore = "house.db"\n')
    assert "serve.workers: several processes need PostgreSQL" in run("config", "check", file)[1]
    file.write_text('[serve]\nworkers = 2\n[house]\nstore = "postgresql://house:hunter2@127.0.0.1:1/house"\n')
    said = run("config", "check", file)[1]
    assert "postgresql://house:...@127.0.0.1:1/house" in said and "hunter2" not in said and "several processes" not in said


def test_where_no_server_answers_and_nobody_can_listen_is_wrong(file, run):
    file.write_text('[house]\nstore = "postgresql://house:hunter2@127.0.0.1:1/house"\n[serve]\nhost = "300.1.1.1"\n')
    code, said, _ = run("config", "check", file)
    wrong = [line for line in said.splitlines() if line.startswith("WRONG: ")]
    assert code == 1 and len(wrong) == 2 and "hunter2" not in said, said
    assert wrong[0].startswith("WRONG: house.store: postgresql://house:***@127.0.0.1:1/house cannot be opened: ")
    assert wrong[1].startswith("WRONG: serve.host: ") and "300.1.1.1" in wrong[1]


def test_a_server_that_says_nothing_keeps_nobody_waiting(file, run, monkeypatch):
    monkeypatch.setattr(configuration, "ANSWER_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection, and never says a word
        file.write_text(f'[house]\nstore = "postgresql://house@127.0.0.1:{silent.getsockname()[1]}/house"\n')
        code, said, _ = run("config", "check", file)
    assert code == 1 and "WRONG: house.store: the PostgreSQL server does not answer within 1 seconds" in said


@pytest.mark.parametrize(
    "text", ["[serve", "port = 1\n", '[serve]\nport = "80"\n', "\xff", "serve = 3\n", "[limits]\nstreams = true\n"]
)
def test_bad_files_are_refused_and_never_fail(text, file, run):
    file.write_bytes(text.encode("latin-1"))
    code, said, err = run("config", "check", file)
    assert code == 1 and "WRONG: houseway.toml: " in said and not err


def test_a_file_that_is_not_there_is_named(run, tmp_path):
    code, said, _ = run("config", "check", tmp_path / "none.toml")
    assert code == 1 and "none.toml: no such file" in said


def test_every_option_of_serve_has_its_place(file):
    serve = next(
        command for command in app.registered_commands if command.name == "serve" or command.callback.__name__ == "serve"
    )
    options = {
        option
        for parameter in typer.main.get_command_from_info(serve, pretty_exceptions_short=False, rich_markup_mode=None).params
        for option in parameter.opts
    }
    placed = {part for setting in settings().values() for part in setting.option.replace("=", " ").replace("/", " ").split()}
    assert options - {"--config"} <= placed


def test_the_documentation_and_the_example_have_every_setting(run, file):
    code, text, _ = run("config", "example")
    assert code == 0 and tomllib.loads(text) == {
        section: {} for section in dict.fromkeys(s.section for s in settings().values())
    }
    shipped = tomllib.loads((ROOT / "deploy" / "houseway.toml").read_text())
    for section, table in shipped.items():
        assert all(f"{section}.{name}" in settings() for name in table)
    for setting in settings().values():
        row = next((line for line in DOCS.splitlines() if line.startswith(f"| `{setting.key}` |")), "")
        assert setting.option in row.replace("\\|", "|") and setting.variable in row, setting.key
