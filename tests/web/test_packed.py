"""What is sent is packed for whoever takes it so, and says the same; static files are kept for good under their digest."""

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
from houses import PATIENCE, Served, serving

from houseway.view import Reader, anybodys_felt, table_for
from houseway.web.packed import GZIP_HEAD, SHORT, packed
from houseway.web.pieces import Pieces, StreamedView, Texts
from houseway.web.statics import FOR_GOOD, statics_digest

API = "/api/v1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("packed")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


def test_blocks_may_stand_in_any_order_and_are_read_at_once() -> None:
    events = [b"short", b"x" * SHORT, b"", "käse ".encode() * 5_000, b"y"]
    blocks = {event: packed(event) for event in events}
    for order in (events, events[::-1], [*events, *events]):
        reader = zlib.decompressobj(31)
        assert reader.decompress(GZIP_HEAD) == b""
        assert [reader.decompress(blocks[event]) for event in order] == order
    assert len(blocks[events[3]]) < 500


@pytest.mark.parametrize("accepted", ["gzip", "identity", "gzip;q=0"])
def test_a_stream_says_the_same_packed_or_not(house: Served, accepted: str) -> None:
    table = next(iter(house.app.state.house.state.tables))
    headers = {"Accept-Encoding": accepted}
    with httpx.stream("GET", f"{house.url}{API}/tables/{table}/stream", headers=headers, timeout=PATIENCE) as answer:
        assert answer.headers.get("content-encoding") == ("gzip" if accepted == "gzip" else None)
        with closing(answer.iter_lines()) as lines:
            told = next(line for line in lines if line.startswith("data: "))
    assert f'"name":"{table}"' in told and '"seats":[' in told


def test_pages_name_their_files_by_digest_and_browsers_keep_them(house: Served) -> None:
    page = house.anybody().get("/").text
    named = re.findall(r'"(/static/[^"]+)"', page)
    assert named and all(path.startswith(f"/static/{statics_digest()}/") for path in named)
    for path in named:
        answer = house.anybody().get(path)
        assert answer.status_code == 200 and answer.headers["cache-control"] == FOR_GOOD, path
    script = next(path for path in named if path.endswith(".js"))
    plain = house.anybody(**{"Accept-Encoding": "identity"}).get(script)
    assert "content-encoding" not in plain.headers and plain.text == house.anybody().get(script).text
    with httpx.stream("GET", house.url + script, headers={"Accept-Encoding": "gzip"}, timeout=PATIENCE) as raw:
        assert raw.headers["content-encoding"] == "gzip" and raw.headers["vary"] == "Accept-Encoding"
        assert gzip.decompress(b"".join(raw.iter_raw())) == plain.content
    etag = {"If-None-Match": plain.headers["etag"]}
    assert house.anybody(**etag).get(script).status_code == 304


def test_a_digest_of_before_finds_the_files_of_now_and_is_not_kept(house: Served) -> None:
    answer = house.anybody().get(f"/static/{'0' * 16}/css/house.css")
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-cache"
    assert house.anybody().get(f"/static/{statics_digest()}/../app.py").status_code == 404
    assert house.anybody().get(f"/static/{statics_digest()}/css/none.css").headers["cache-control"] == "no-store"


def test_changes_put_over_what_was_told_are_the_view() -> None:
    texts = Texts()
    first = StreamedView(1, Pieces({"seq": 1, "old": 1, "same": [1], "seats": [{"seat": 1, "a": 1}, {"seat": 2}]}, texts))
    second = StreamedView(2, Pieces({"seq": 2, "same": [1], "seats": [{"seat": 1, "a": 1}, {"seat": 2, "b": "ü"}]}, texts))
    assert first.event(None) == (
        b'id: 1\nevent: view\ndata: {"seq":1,"old":1,"same":[1],"seats":[{"seat":1,"a":1},{"seat":2}]}\n\n'
    )
    assert second.event(first).decode() == (
        'id: 2\nevent: view\ndata: {"seq":2,"old":null,"seats":[{"seat":1},{"seat":2,"b":"ü"}]}\n\n'
    )
    assert zlib.decompressobj(31).decompress(GZIP_HEAD + second.event(first, True)) == second.event(first)


def test_a_guests_felt_made_of_anybodys_is_his_felt(house: Served) -> None:
    """At every table of the demo, whoever looks: the short way and the long way show the same."""
    state = house.app.state.house.state
    for name, table in state.tables.items():
        readers = [Reader(), Reader("nobody here"), *(Reader(guest) for guest in table.seated.values()), Reader("d", "dealer")]
        for reader in readers:
            assert table_for(state, name, reader, anybodys_felt(state, name)) == table_for(state, name, reader)
