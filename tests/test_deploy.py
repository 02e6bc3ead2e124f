"""What starts a house by itself: systemd takes the unit, and the image's steps name what the repository has."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from houseway.cli.configuration import read_configuration

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def test_systemd_takes_the_unit(tmp_path):
    """The program of the unit is not installed here, so that another stands in its place."""
    verify = shutil.which("systemd-analyze")
    assert verify, "make test installs it"
    unit = (DEPLOY / "houseway.service").read_text()
    (tmp_path / "houseway.service").write_text(unit.replace("/opt/houseway/.venv/bin/houseway", sys.executable))
    said = subprocess.run([verify, "verify", tmp_path / "houseway.service"], capture_output=True, text=True, check=False)
    mine = [line for line in said.stderr.splitlines() if "houseway" in line and "man " not in line]
    assert not mine, mine


def test_the_unit_gives_the_house_what_its_settings_name():
    unit, settings = (DEPLOY / "houseway.service").read_text(), read_configuration(DEPLOY / "houseway.toml")
    assert settings.flaws == ()
    made = {f"/var/lib/{name}" for name in re.search(r"^StateDirectory=(.*)$", unit, re.MULTILINE)[1].split()}
    for key in ("house.store", "house.key"):
        assert str(Path(settings.values[key]).parent) in made
    for key in ("house.cache", "backups.to"):
        assert settings.values[key] in made
    assert "HOUSEWAY_CONFIG=/etc/houseway/houseway.toml" in unit
    assert "StateDirectoryMode=0700" in unit and "UMask=0077" in unit


def test_the_image_is_made_of_what_is_here_and_runs_as_nobody_in_particular():
    steps = (DEPLOY / "Containerfile").read_text()
    targets = re.search(r"^RUN make (.*)$", steps, re.MULTILINE)[1].split()
    rules = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", rules, re.MULTILINE) for target in targets)
    assert steps.index("\nUSER houseway\n") < steps.index("\nCMD ")
    assert '"serve"' in steps and "/readyz" in steps
    folders = re.search(r"install -d -m 700 .* (/var/lib/houseway .*)$", steps, re.MULTILINE)[1].split()
    settings = read_configuration(DEPLOY / "houseway.toml")
    assert {settings.values["backups.to"], settings.values["house.cache"]} <= set(folders)
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".git", ".venv", "build"} <= set(ignored), "no key, store or other machine's program gets into an image"


def settings_of(unit):
    """What the unit says, by name."""
    lines = [line for line in unit.splitlines() if line and not line.startswith(("#", "["))]
    return dict(line.split("=", 1) for line in lines)


def test_what_unit_and_image_start_is_a_command_with_options_that_it_has(run):
    unit = settings_of((DEPLOY / "houseway.service").read_text())
    image = json.loads(re.search(r"^CMD (.*)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)[1])
    for program, command, *options in (shlex.split(unit["ExecStart"]), image):
        assert Path(program).name == "houseway"
        code, printed, _ = run(command, "--help")
        assert code == 0
        for option in (word for word in options if word.startswith("-")):
            assert re.search(rf"(?<!\S){option}\b", printed), option


def test_who_starts_the_unit_waits_until_the_house_is_open():
    unit = settings_of((DEPLOY / "houseway.service").read_text())
    assert unit["Type"] == "notify" and unit["TimeoutStartSec"] == "10min", "the first start compiles all rules"
    assert "AF_UNIX" in unit["RestrictAddressFamilies"], "by this it tells"


def test_a_house_that_refuses_to_start_is_not_started_again(tmp_path):
    """Whatever comes before the program would be started again: only the main process's end is looked at."""
    unit = settings_of((DEPLOY / "houseway.service").read_text())
    assert "ExecStartPre" not in unit and unit["Restart"] == "on-failure"
    wrong = tmp_path / "houseway.toml"
    wrong.write_text((DEPLOY / "houseway.toml").read_text() + "\nnonsense = 1\n")
    ended = subprocess.run(
        [sys.executable, "-m", "houseway.cli.main", "serve"],
        env=os.environ | {"HOUSEWAY_CONFIG": str(wrong)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert str(ended.returncode) == unit["RestartPreventExitStatus"]
    assert "nonsense: unknown key" in ended.stderr and len(ended.stderr.splitlines()) == 1


def test_the_manual_installs_what_the_unit_names():
    unit = settings_of((DEPLOY / "houseway.service").read_text())
    manual, steps = (ROOT / "docs" / "operating.md").read_text(), (DEPLOY / "Containerfile").read_text()
    home = Path(shlex.split(unit["ExecStart"])[0]).parents[2]
    config = unit["Environment"].removeprefix("HOUSEWAY_CONFIG=")
    assert f"make -C {home} setup" in manual and f"{home}/deploy/houseway.service /etc/systemd/system/" in manual
    assert f"{home}/deploy/houseway.toml {config}" in manual and f"{home}/deploy/houseway.toml {config}" in steps
    assert re.search(rf"useradd --system --home-dir /var/lib/houseway .* {unit['User']}$", manual, re.MULTILINE)
    assert unit["Documentation"] == f"file://{home}/docs/operating.md"
    kept = {f"/var/lib/{name}" for name in unit["StateDirectory"].split()}
    assert kept == set(re.search(r"install -d -m 700 .*? (/var/lib/houseway .*)$", steps, re.MULTILINE)[1].split())


def test_the_health_of_an_image_is_asked_by_a_program_that_can_be_read():
    steps = (DEPLOY / "Containerfile").read_text()
    _, option, code = json.loads(re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", steps, re.MULTILINE)[1])
    compile(code, "health check", "exec")
    port = json.loads(re.search(r"^CMD (.*)$", steps, re.MULTILINE)[1])[-1]
    assert option == "-c" and f"127.0.0.1:{port}/readyz" in code and f"EXPOSE {port}\n" in steps
    assert "podman build --format docker" in (ROOT / "docs" / "operating.md").read_text(), "only so it is kept"
