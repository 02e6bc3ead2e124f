"""What starts a house by itself: systemd takes the unit, and the image's steps name what the repository has."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.cli.configuration import read_configuration

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def test_systemd_takes_the_unit(tmp_path):
    """Wherever systemd is: the program of the unit is not installed here, so that another stands in its place."""
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd is not installed here")
    unit = (DEPLOY / "houseway.service").read_text()
    (tmp_path / "houseway.service").write_text(unit.replace("/opt/houseway/.venv/bin/houseway", sys.executable))
    said = subprocess.run([verify, "verify", tmp_path / "houseway.service"], capture_output=True, text=True, check=False)
    mine = [line for line in said.stderr.splitlines() if "houseway" in line and "man " not in line]
    assert not mine, mine
    assert said.returncode == 0 or not mine


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
