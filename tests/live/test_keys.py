"""Keys of their own for sealing, heads and releases, which can be rotated; files that nobody else can read."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from test_table import DUKI, Pit
from test_virtual_shoe import deal, virtual

from houseway.house.backup import copy_store
from houseway.house.floor import Floor
from houseway.house.keys import HEADS, SEALING, Keyring, load_or_make_key
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.web.people import csrf_of


@pytest.fixture
def usual_umask():
    """As most machines have it: what is made may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(file):
    return stat.S_IMODE(Path(file).stat().st_mode)


# Modes


def test_stores_and_what_lies_beside_them_are_the_owners_alone(tmp_path, usual_umask):
    pit = Pit(tmp_path)
    connection = pit.floor.store.engine.connect()  # while somebody has it open, the log is there
    pit.do("fund", pit_administrator(), table=None, cents=1)
    beside = [tmp_path / "house.db", tmp_path / "house.db-wal", tmp_path / "house.db-shm", pit.key_file]
    assert [mode(file) for file in beside if file.exists()] == [0o600] * sum(file.exists() for file in beside)
    connection.close()
    copy_store(pit.url, f"sqlite:///{tmp_path / 'copy.db'}")
    assert mode(tmp_path / "copy.db") == 0o600
    pit.floor.keys.make(HEADS)
    assert mode(pit.floor.keys.file_of(HEADS)) == 0o600


def pit_administrator():
    from test_table import ROOT

    return ROOT


@pytest.mark.parametrize("name", ["house.db", "house.db-wal", "house.db-shm"])
def test_a_store_that_others_may_read_is_refused_with_what_to_do(tmp_path, name):
    url = Pit(tmp_path).url
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0o640)
    with pytest.raises(Refused) as refused:
        Store(url)
    assert refused.value.code == "store-exposed"
    assert refused.value.message.endswith(f"is open to others (mode 0640): chmod 600 {tmp_path / name}")
    (tmp_path / name).chmod(0o600)
    if name == "house.db":
        assert Store(url).head()[0] > 0


def test_the_houses_own_folders_are_made_for_the_owner_and_refused_otherwise(tmp_path, usual_umask):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOUSEWAY_")}
    environment |= {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}

    def house(*line):
        command = [sys.executable, "-m", "houseway.cli.main", *line]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert house("cage", "fund", "10").returncode == 0
    folders = [tmp_path / "data" / "houseway", tmp_path / "config" / "houseway"]
    assert [mode(folder) for folder in folders] == [0o700, 0o700]
    assert {mode(file) for folder in folders for file in folder.iterdir()} == {0o600}
    for folder in folders:
        folder.chmod(0o755)
        answer = house("cage", "balances")
        assert (answer.returncode, answer.stdout) == (2, "")
        assert answer.stderr.count("\n") == 1
        assert f"chmod 700 {folder}" in answer.stderr
        folder.chmod(0o700)


@pytest.mark.parametrize("bits", [0o777, 0o775, 0o757])
def test_a_folder_in_which_others_may_write_is_refused_with_what_to_do(tmp_path, bits):
    for name in ("store", "key"):
        (tmp_path / name).mkdir(mode=0o700)
    url = f"sqlite:///{tmp_path / 'store' / 'house.db'}"
    works = {"store": lambda: Store(url), "key": lambda: Keyring(tmp_path / "key" / "house.key").make(SEALING)}
    for name, work in works.items():
        folder = tmp_path / name
        folder.chmod(bits)
        with pytest.raises(Refused) as refused:
            work()
        assert refused.value.code == f"{name}-exposed" and refused.value.message.endswith(f"chmod go-w {folder}")
        assert not list(folder.iterdir())
        folder.chmod(0o1777)  # as /tmp is: nobody takes another's file away
        work()
        folder.chmod(bits)
        with pytest.raises(Refused):
            work()
        folder.chmod(0o755)
        work()


def test_an_exposed_store_is_refused_before_sqlite_makes_files_as_open_beside_it(tmp_path):
    Pit(tmp_path).floor.store.engine.dispose()
    for file in tmp_path.glob("house.db-*"):
        file.unlink()
    (tmp_path / "house.db").chmod(0o644)
    environment = os.environ | {"HOUSEWAY_STORE": str(tmp_path / "house.db"), "HOUSEWAY_KEY": str(tmp_path / "no.key")}
    command = [sys.executable, "-m", "houseway.cli.main", "audit"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 2 and f"chmod 600 {tmp_path / 'house.db'}" in answer.stderr
    assert not list(tmp_path.glob("house.db-*"))


CACHE = """
import houseway.kernels.compiled as compiled
print(compiled.cache_folder())
"""


def cache_folder(cache):
    command, environment = [sys.executable, "-c", CACHE], os.environ | {"HOUSEWAY_CACHE": str(cache)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_compiled_rules_lie_where_nobody_else_can_put_code(tmp_path, usual_umask):
    cache = tmp_path / "cache"
    made = Path(cache_folder(cache).stdout.strip())
    assert made.parent == cache
    assert (mode(cache), mode(made)) == (0o700, 0o700)
    cache.chmod(0o777)
    answer = cache_folder(cache)
    assert cache not in Path(answer.stdout.strip()).parents
    assert f"chmod -R go-rwx {cache}" in answer.stderr


# Keys


def test_a_missing_key_file_is_never_replaced_in_silence(tmp_path):
    pit = virtual(tmp_path, DUKI)
    deal(pit, 1)
    kept = pit.key_file.rename(tmp_path / "elsewhere.key")
    with pytest.raises(Refused) as refused:
        Floor(Store(pit.url), pit.key_file)
    assert refused.value.code == "key-missing"
    assert "put it back" in refused.value.message and "--lost" in refused.value.message
    assert not pit.key_file.exists()
    kept.rename(pit.key_file)
    assert Floor(Store(pit.url), pit.key_file).refresh() == pit.floor.state


def test_keyed_cards_that_are_sealed_ask_for_the_key_as_well(tmp_path):
    pit = Pit(tmp_path, DUKI)
    pit.bet(1, "ann", ante=1000)
    pit.no_more_bets()
    pit.card("9h 9c 6s Jd")
    pit.key_file.unlink()
    with pytest.raises(Refused, match="is missing"):
        Floor(Store(pit.url), pit.key_file)


def test_a_store_with_nothing_sealed_gets_a_key(tmp_path):
    Store(f"sqlite:///{tmp_path / 'house.db'}")
    Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key")
    assert mode(tmp_path / "key") == 0o600


def test_keys_are_listed_by_fingerprint_and_never_shown(bare_shell, tmp_path):
    bare_shell("cage fund 10")
    bare_shell("audit head")
    listed = json.loads(bare_shell("keys list --format json"))
    assert [(row["key"], row["state"]) for row in listed] == [
        ("sealing", "in use"),
        ("heads", "in use"),
        ("release", "none yet"),
    ]
    printed = bare_shell("keys list") + bare_shell("keys list --format json") + bare_shell("journal export")
    for file in tmp_path.glob("*.key"):
        assert file.read_text().strip() not in printed
    assert (tmp_path / "house.key").read_text() != (tmp_path / "house.heads.key").read_text()


@pytest.mark.parametrize("name", ["sealing", "heads", "release"])
def test_a_key_is_rotated_and_the_journal_is_told(bare_shell, tmp_path, name):
    bare_shell("cage fund 10")
    bare_shell("audit head")
    bare_shell(f"keys rotate {name}")
    before = Keyring(tmp_path / "house.key").newest(name)
    said = bare_shell(f"keys rotate {name} --as ada:administrator")
    keys = Keyring(tmp_path / "house.key").all(name)
    assert keys[-2] == before != keys[-1]
    assert keys[-1].fingerprint in said and before.fingerprint in said
    *_, last = (json.loads(line) for line in bare_shell("journal export").splitlines())
    told = last["payload"]
    assert (last["kind"], last["actor"], last["role"]) == ("key-made", "ada", "administrator")
    assert (told["key"], told["fingerprint"], told["replaces"]) == (name, keys[-1].fingerprint, before.fingerprint)
    assert "no flaw found" in bare_shell("audit")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("keys rotate nothing", "unknown key"),
        ("keys rotate sealing --as dan:dealer", "a dealer may not change keys"),
        ("keys rotate sealing --lost", "is here: rotate it without --lost"),
    ],
)
def test_a_rotation_that_cannot_be_is_one_line_and_changes_nothing(bare_shell, tmp_path, line, says):
    bare_shell("cage fund 10")
    before, entries = (tmp_path / "house.key").read_text(), bare_shell("journal export")
    assert says in bare_shell(line, code=2)
    assert ((tmp_path / "house.key").read_text(), bare_shell("journal export")) == (before, entries)


def test_a_lost_key_is_replaced_when_somebody_says_so_and_that_is_recorded(bare_shell, tmp_path):
    bare_shell("cage fund 1000")
    bare_shell("table open t1 --edition ez-baccarat-wa --opener 500")
    (tmp_path / "house.key").unlink()
    assert "houseway keys rotate sealing --lost" in bare_shell("cage balances", code=2)
    assert "is missing" in bare_shell("keys rotate sealing", code=2)
    bare_shell("keys rotate sealing --lost")
    *_, last = (json.loads(line) for line in bare_shell("journal export").splitlines())
    assert (last["kind"], last["payload"]["lost"]) == ("key-made", True)
    bare_shell("table void t1 --reason power-failure")
    bare_shell("table bet t1 banker=10 --guest ann --seat 1", code=2)  # she has no money; but the table plays


def test_a_missing_key_of_heads_is_never_replaced_in_silence(bare_shell, tmp_path):
    bare_shell("cage fund 10")
    bare_shell("audit head")
    (tmp_path / "house.heads.key").unlink()
    assert "houseway keys rotate heads --lost" in bare_shell("audit head", code=2)
    assert "is missing" in bare_shell("keys rotate heads", code=2)
    bare_shell("keys rotate heads --lost")
    bare_shell("audit head")


def test_two_who_rotate_at_once_keep_each_others_keys(tmp_path):
    file = tmp_path / "house.key"
    load_or_make_key(file)
    rotate = "import sys; from pathlib import Path; from houseway.house.keys import Keyring; "
    rotate += "[Keyring(Path(sys.argv[1])).rotate('sealing') for _ in range(20)]"
    racers = [subprocess.Popen([sys.executable, "-c", rotate, str(file)]) for _ in range(2)]
    assert [racer.wait() for racer in racers] == [0, 0]
    assert len(set(Keyring(file).all(SEALING))) == 41


# Sessions


def test_the_store_keeps_no_secret_of_a_session(tmp_path):
    from sqlalchemy import text

    from houseway.house.people import People
    from houseway.web.people import Door
    from houseway.web.served import ServedHouse

    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key")
    door = Door(People(floor.store), ServedHouse(floor))
    token, session = door.join("Ann")
    assert session.csrf == csrf_of(token) == door.who(token).csrf
    with floor.store.reading() as connection:
        (row,) = connection.execute(text("SELECT * FROM sessions")).all()
    assert token not in map(str, row)
    assert session.csrf not in map(str, row)


def test_no_bet_is_taken_in_the_shell_on_a_shoe_that_the_key_does_not_open(bare_shell, tmp_path):
    bare_shell("cage fund 10000")
    bare_shell("table open t1 --edition ez-baccarat-wa --source virtual-shoe --opener 500")
    bare_shell("cage buy-in --guest ann 100")
    bet = "table bet t1 banker=5 --seat 1 --guest ann"
    bare_shell(bet)
    right, key = (tmp_path / "house.key").read_text(), tmp_path / "house.key"
    key.write_text("a" * 64)
    before = bare_shell("cage balances")
    said = bare_shell(bet, code=2)
    assert "does not open the sealed shoe" in said and "HOUSEWAY_KEY" in said and said.count("\n") == 1
    assert bare_shell("cage balances") == before
    key.write_text(right)
    bare_shell(bet)
    key.write_text("a" * 64)
    bare_shell("table void t1 --reason power-failure")
    assert "$100" in next(line for line in bare_shell("cage balances").splitlines() if "ann" in line)
