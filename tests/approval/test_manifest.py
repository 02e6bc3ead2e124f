"""The manifest of a release: true on main, signed if there is a key, and clear about what differs."""

import json
import tomllib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from houseway.approval.manifest import KEY, NAME, PUBLIC_KEY, SystemCheck, check, definitions_in, package_files, release
from houseway.approval.rules import PACKAGE
from houseway.refusal import Refused
from houseway.release import VERSION

PLAY = """
def settle():
    return 1


class Seat:
    def sit(self):
        return 2
"""


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "package"
    (folder / "table").mkdir(parents=True)
    (folder / "table" / "play.py").write_text(
        '"""Play."""\n\n\ndef settle():\n    return 1\n\n\nclass Seat:\n    def sit(self):\n        return 2\n'
    )
    (folder / "page.html").write_text("<p>\n")
    return folder


def test_changed_new_and_missing_files_are_named_with_their_definitions(package):
    release(package, "")
    assert str(check(package)) == f"release {VERSION} unchanged"
    play = package / "table" / "play.py"
    text = play.read_text()
    play.write_text(text.replace("return 1", "return 2"))
    assert check(package).changes == ("table/play.py (settle)",)
    assert str(check(package)) == "changed system: table/play.py (settle)"
    play.write_text(text.replace("return 2", "return 3").replace("return 1", "return 0"))
    assert check(package).changes == ("table/play.py (Seat.sit, settle)",)
    play.write_text(text.replace("def settle():", "import os\n\n\ndef settle():"))
    assert check(package).changes == ("table/play.py (imports)",)
    play.write_text("def settle(:\n")
    assert check(package).changes == ("table/play.py (not Python any more)",)
    play.write_text(text)
    (package / "page.html").write_text("<p><p>\n")
    (package / "new.toml").write_text("")
    (package / ".hidden").write_text("")
    assert check(package).changes == ("new.toml is new", "page.html")
    (package / "page.html").unlink()
    assert "page.html is missing" in check(package).changes


def test_a_digest_of_each_definition():
    first = definitions_in("a.py", b"X = 1\ndef f():\n    return X\n")
    second = definitions_in("a.py", b"X = 2\ndef f():\n    '''Words.'''\n    return X  # words\n")
    assert [name for name in first if first[name] != second[name]] == ["X"]


@pytest.mark.parametrize("form", ["hex", "pem"])
def test_a_signed_release(package, tmp_path, monkeypatch, form):
    key = Ed25519PrivateKey.generate()
    file = tmp_path / "release.key"
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(pem if form == "pem" else key.private_bytes_raw().hex().encode())
    monkeypatch.setenv(KEY, str(file))
    release(package)
    public = key.public_key().public_bytes_raw().hex()
    assert check(package).signed_by == public
    assert check(package).is_unchanged
    monkeypatch.setenv(PUBLIC_KEY, public)
    assert check(package).is_unchanged
    monkeypatch.setenv(PUBLIC_KEY, Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex())
    assert "not signed with the key" in str(check(package))
    monkeypatch.delenv(PUBLIC_KEY)
    manifest = json.loads((package / NAME).read_text())
    manifest["version"] = "9.9.9"
    (package / NAME).write_text(json.dumps(manifest))
    assert str(check(package)) == "release not verified: the signature of manifest.json does not verify"


def test_an_unsigned_release_where_a_key_is_asked_for(package, monkeypatch):
    release(package, "")
    monkeypatch.setenv(PUBLIC_KEY, "00" * 32)
    assert not check(package).is_unchanged
    assert "not signed with the key" in check(package).problem


def test_a_key_that_is_none(package, tmp_path):
    with pytest.raises(Refused, match="not an Ed25519 key"):
        release(package, str(tmp_path / "no.key"))


def test_whatever_is_released_is_installed():
    """An installed package has every file of the manifest: packages by their `__init__.py`, data by the project's patterns."""
    project = tomllib.loads((PACKAGE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["houseway"]
    data = {path.relative_to(PACKAGE).as_posix() for pattern in patterns for path in PACKAGE.glob(pattern)}
    left_out = []
    for name in package_files(PACKAGE):
        folders = (PACKAGE / name).relative_to(PACKAGE).parents
        is_code = name.endswith(".py") and all((PACKAGE / folder / "__init__.py").exists() for folder in folders)
        if not is_code and name not in data:
            left_out.append(name)
    assert left_out == []
    assert project["project"]["version"] == VERSION


@pytest.mark.parametrize(
    ("found", "short"),
    [
        (SystemCheck("0.2.0", "", 0), "release 0.2.0 unchanged"),
        (SystemCheck("0.2.0", "", 0, changes=("table/play.py (settle, pay)",)), "changed system"),
        (SystemCheck("0.2.0", "", 0, problem="manifest.json: not signed"), "release not verified"),
        (SystemCheck("0.2.0", "", 0, outside=("x (digest 12)",)), "release 0.2.0 unchanged, with games from outside"),
    ],
)
def test_a_check_in_short_names_no_file(found, short):
    assert found.short == short
