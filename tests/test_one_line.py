"""What is wrong with a store, a folder or a terminal is one line, and nothing was changed."""

import os
import pwd
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.cli.main import main
from houseway.house.opening import url_of
from houseway.refusal import Refused

READERS = [
    ("audit",),
    ("audit", "head"),
    ("journal", "export"),
    ("journal", "export", "--format", "shoes"),
    ("journal", "backup", "copy.db"),
    ("cage", "balances"),
    ("table", "show", "t1"),
    ("board", "show", "b1"),
]
WRITERS = [("cage", "fund", "100"), ("serve", "--port", "1"), ("play", "ez-baccarat-wa")]


def shell(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program as a shell runs it, at home in a folder."""
    here = {name: value for name, value in os.environ.items() if not name.startswith(("HOUSEWAY", "XDG_D", "PYTHONIO"))}
    here |= {"HOUSEWAY_KEY": str(folder / "key"), "HOME": str(folder)}
    command = [sys.executable, "-m", "houseway.cli.main", *arguments]
    encoding = environment.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
    nothing = subprocess.DEVNULL
    return subprocess.run(
        command, cwd=folder, env=here | environment, encoding=encoding, stdin=nothing, capture_output=True, check=False
    )


def refused(run, *arguments: object) -> str:
    """One line, exit code 2, and nothing else."""
    code, _, err = run(*arguments)
    assert code == 2, err
    assert err.count("\n") == 1 and err.startswith("houseway: "), err
    assert "Traceback" not in err
    return err


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to be in, with a key and a home of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "key"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("HOUSEWAY_STORE", raising=False)
    return tmp_path


def test_a_store_may_be_named_by_its_path(place, run):
    assert run("cage", "fund", "100", "--store", "house.db")[0] == 0
    for store in ("house.db", place / "house.db", f"sqlite:///{place}/house.db", "sqlite:///house.db"):
        code, out, _ = run("cage", "balances", "--store", store)
        assert code == 0 and "$100" in out
    assert run("audit", "--store", "house.db")[0] == 0


@pytest.mark.parametrize("name", ["100%25.db", "what?.db", "a%41b?mode=ro.db", "no#1.db", "two words.db", "f\u00fcr.db"])
def test_whatever_a_path_holds_it_is_the_file_of_that_name_and_nobody_elses(place, run, name, umask_of_everybody):
    (place / "name").mkdir(mode=0o700)
    store = place / "name" / name
    assert run("cage", "fund", "100", "--store", store)[0] == 0
    assert run("audit", "--store", store)[0] == 0
    assert run("journal", "backup", place / f"copy of {name}", "--store", store)[0] == 0
    assert run("journal", "restore", place / f"copy of {name}", "--store", store.with_name(f"new {name}"))[0] == 0
    made = {file.name: file.stat().st_mode & 0o777 for file in store.parent.iterdir()}
    assert made == {name: 0o600, f"new {name}": 0o600}


@pytest.fixture
def umask_of_everybody():
    """Whatever is made is open to all, unless somebody says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_so_may_the_usual_store(place, run, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_STORE", "mine.db")
    assert run("cage", "fund", "100")[0] == 0
    assert (place / "mine.db").exists()
    assert run("audit")[0] == 0


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("/a/b.db", "sqlite:////a/b.db"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("postgres://u@h/d", "postgresql://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql://u@h/d"),
        ("postgresql://u:p@h:5/d", "postgresql://u:p@h:5/d"),
    ],
)
def test_urls(given, url):
    assert url_of(given) == url


NO_STORE = ["", " ", "a\0b", "mysql://x/y", "http://x", "sqlite://x.db", "postgresql://h:port/d", "postgresql://%zz"]
NO_STORE += ["sqlite:///x.db?mode=ro", "sqlite:///file:x.db?uri=true", "~nobody-of-this-name/x.db", "\udcff.db"]


@pytest.mark.parametrize("given", NO_STORE)
def test_what_is_no_store_is_refused(given):
    with pytest.raises(Refused, match=r"sqlite:///|postgresql://|whole path|UTF-8"):
        url_of(given)


@pytest.mark.parametrize("command", [*READERS, *WRITERS], ids=" ".join)
@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("mysql://here/house", "mysql:// is no kind of store that is known here"),
        ("/", "is a folder: name a file in it"),
        ("text.txt", "text.txt is not a database"),
        ("pipe.db", "pipe.db is not a database, but a pipe"),
        ("/dev/zero", "/dev/zero is not a database"),
        ("other.db", "other.db is a database, but not of a house"),
        ("postgresql://postgres@127.0.0.1:1/house", "the database cannot be reached"),
        ("postgresql://%zz", "the PostgreSQL address cannot be read"),
    ],
)
def test_every_command_says_in_a_line_what_is_wrong_with_a_store(place, run, command, store, said):
    (place / "text.txt").write_text("no database")
    os.mkfifo(place / "pipe.db", 0o600)
    with sqlite3.connect(place / "other.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    (place / "other.db").chmod(0o600)  # one that is open to others is refused before it is opened
    before = {file.name: file.read_bytes() for file in place.iterdir() if file.is_file()}
    assert said in refused(run, *command, "--store", store)
    after = {file.name: file.read_bytes() for file in place.iterdir() if file.is_file() and file.name != "key"}
    assert after == before, "nothing was changed"


@pytest.mark.parametrize("command", READERS, ids=" ".join)
@pytest.mark.parametrize("store", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_store_in_memory_holds_nothing_to_be_read(place, run, command, store):
    assert f"{store} is a store in memory" in refused(run, *command, "--store", store)


@pytest.mark.parametrize("command", READERS, ids=" ".join)
@pytest.mark.parametrize("store", ["none.db", "no/folder/none.db", "empty.db"])
def test_a_reader_makes_no_store(place, run, command, store):
    (place / "empty.db").touch()
    refused(run, *command, "--store", store)
    assert not (place / "none.db").exists() and not (place / "no").exists() and not (place / "empty.db").stat().st_size
    refused(run, *command)
    assert not (place / "data").exists(), "nor the usual one"


@pytest.mark.parametrize("command", WRITERS, ids=" ".join)
def test_a_folder_that_is_not_there(place, run, command):
    assert "there is no folder" in refused(run, *command, "--store", "no/folder/house.db")


@pytest.mark.parametrize(("free", "said"), [(0, "its disk is full: free some space"), (10**9, "restore a backup")])
def test_a_full_disk_is_not_a_damaged_store(place, run, monkeypatch, free, said):
    """SQLite cannot even read it then, and says no more than "disk I/O error"."""
    run("cage", "fund", "100", "--store", "house.db")

    def fails(*_, **__):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("houseway.house.opening.sqlite3.connect", fails)
    monkeypatch.setattr(
        "houseway.house.opening.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - free, free)
    )
    assert said in refused(run, "cage", "balances", "--store", "house.db")


def test_what_is_registered_is_listed_without_a_store_that_cannot_be_read(place, run):
    code, out, err = run("editions", "list", "--store", "mysql://x/y")
    assert code == 0 and "ez-baccarat-wa" in out and "Traceback" not in err
    assert err.startswith("houseway: the store cannot be read") and err.count("\n") == 1


def test_a_store_of_somebody_else(place):
    """Whoever may not open it is told whose it is."""
    assert shell(place, "cage", "fund", "100", "--store", "house.db").returncode == 0
    if os.getuid() == 0:  # root may open anything: be somebody who may not
        other = pwd.getpwnam("nobody")
        (place / "house.db").chmod(0o600)
        for folder in (place, *place.parents):
            if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
                folder.chmod(folder.stat().st_mode | 0o011)
        arguments = [sys.executable, "-c", BECOME, str(other.pw_uid), "journal", "export", "--store", str(place / "house.db")]
        told = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd="/")
    else:
        (place / "house.db").chmod(0)
        told = shell(place, "journal", "export", "--store", "house.db")
    assert told.returncode == 2, told.stderr
    assert told.stderr.count("\n") == 1 and "may not be opened by" in told.stderr and "which belongs to" in told.stderr


BECOME = """
import os, sys
from houseway.cli.main import main
import houseway.cli.live, houseway.house.backup, houseway.house.store, houseway.house.opening
os.setuid(int(sys.argv[1]))
sys.argv = ["houseway", *sys.argv[2:]]
main()
"""


def test_a_home_that_cannot_be_written(place):
    home = {"HOME": "/proc/nowhere", "XDG_CONFIG_HOME": ""}
    told = shell(place, "cage", "fund", "100", **home)
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert "/proc/nowhere/.local/share/houseway cannot be made" in told.stderr and "--store" in told.stderr
    told = shell(place, "cage", "fund", "100", "--store", "house.db", **home, HOUSEWAY_KEY="")
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told.stderr
    assert "HOUSEWAY_KEY" in told.stderr
    assert shell(place, "cage", "fund", "100", "--store", "house.db").returncode == 0
    for away in (home, {**home, "HOME": str(place / "empty")}):  # who audits a copy needs no key, and leaves none
        told = shell(place, "audit", "--store", "house.db", **away, HOUSEWAY_KEY="")
        assert told.returncode == 0 and "no flaw found" in told.stdout, told.stderr
    assert not (place / "empty").exists()
    told = shell(place, "rules", "ez-baccarat-wa", HOME="/proc/nowhere", XDG_CACHE_HOME="")
    assert told.returncode == 0, told.stderr


def test_nobody_has_a_home(place):
    """As a user of a container, whom the system does not know, and who is not told of any."""
    away = place / "away.py"
    away.write_text("import pwd\ndef unknown(number):\n    raise KeyError(number)\npwd.getpwuid = unknown\n" + AT_MAIN)
    here = {name: value for name, value in os.environ.items() if name != "HOME" and not name.startswith(("HOUSEWAY", "XDG"))}

    def told(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, away, *command], cwd=place, env=here, text=True, capture_output=True, check=False
        )

    for command in (("cage", "fund", "100"), ("audit",), ("audit", "--store", "house.db"), ("serve", "--port", "1")):
        refusal = told(*command)
        assert refusal.returncode == 2 and refusal.stderr.count("\n") == 1, refusal.stderr
        assert "~ is no home here" in refusal.stderr
    rules = told("rules", "ez-baccarat-wa")
    assert rules.returncode == 0, rules.stderr
    assert [file.name for file in place.iterdir()] == ["away.py"]


AT_MAIN = "from houseway.cli.main import main\nmain()\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict"])
def test_terminals_without_all_letters(place, encoding):
    """What they lack is written with what they have; nothing fails for want of a letter."""
    whole = shell(place, "rules", "ez-baccarat-wa", PYTHONIOENCODING="utf-8").stdout
    assert not whole.isascii(), "else this shows nothing"
    for command in (("rules", "ez-baccarat-wa"), ("editions",), ("--help",)):
        told = shell(place, *command, PYTHONIOENCODING=encoding)
        assert told.returncode == 0, told.stderr
        assert "UnicodeEncodeError" not in told.stderr
    plain = shell(place, "rules", "ez-baccarat-wa", PYTHONIOENCODING=encoding).stdout
    assert len(plain.splitlines()) == len(whole.splitlines()) and "?" not in plain.replace("?", "", whole.count("?"))


def test_the_c_locale(place):
    told = shell(place, "rules", "ez-baccarat-wa", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert told.returncode == 0, told.stderr
    refusal = shell(place, "settle", "ez-baccarat-wa", "--cards", "\u2660", "--bets", "x=1", PYTHONIOENCODING="ascii")
    assert refusal.returncode == 2 and refusal.stderr.count("\n") == 1, refusal.stderr


def test_a_mistake_of_our_own_is_not_hidden(monkeypatch):
    """Only what the machine is at fault for becomes a line."""
    import houseway.cli.main as program

    monkeypatch.setattr(sys, "argv", ["houseway", "clauses"])
    monkeypatch.setattr(program, "_with_only", lambda _: lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main()
