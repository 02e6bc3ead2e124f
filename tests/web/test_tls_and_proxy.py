"""TLS of its own, and the proxy set-up of the documentation, word for word, with a real nginx."""

import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from houses import PATIENCE, free_port
from programs import API, Program, program, until

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "behind-a-proxy.md"


def certificate(folder: Path, name: str = "house") -> tuple[Path, Path]:
    """A certificate of our own for this machine, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert, secret = folder / f"{name}.pem", folder / f"{name}.key"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.touch(0o600)
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert, secret


def trusting(cert: Path, url: str, source: str = "127.0.0.1") -> httpx.Client:
    """A visitor who trusts this certificate, from an address of this machine."""
    transport = httpx.HTTPTransport(verify=ssl.create_default_context(cafile=str(cert)), local_address=source)
    return httpx.Client(base_url=url, transport=transport, timeout=PATIENCE)


def _is_kept_to_tls(answer: httpx.Response) -> None:
    assert answer.status_code == 200, answer.text
    assert "secure" in answer.headers["set-cookie"].lower()
    assert int(re.findall(r"max-age=(\d+)", answer.headers["strict-transport-security"])[0]) >= 31_536_000


def test_a_house_has_tls_of_its_own(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path, "tls")
    with program(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key), scheme="https") as served:
        visitor = trusting(cert, served.url)
        _is_kept_to_tls(visitor.post(f"{API}/guests", json={"name": "Ann"}))
        with pytest.raises(httpx.TransportError):
            httpx.get(served.url.replace("https", "http"), timeout=PATIENCE)
        with visitor.stream("GET", f"{API}/stream") as answer:
            lines = answer.iter_lines()
            assert next(lines)
            assert served.told_to_end() == 0
        assert any(f"open at {served.url}" in line for line in served.said)


def test_without_tls_nothing_says_so(tmp_path: Path) -> None:
    with program(tmp_path) as served:
        answer = httpx.post(f"{served.url}{API}/guests", json={"name": "Ann"}, timeout=PATIENCE)
        assert "secure" not in answer.headers["set-cookie"].lower()
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--tls-cert", "house.pem"], "--tls-key is missing: TLS needs both"),
        (["--tls-key", "house.key"], "--tls-cert is missing: TLS needs both"),
        (["--tls-cert", "house.pem", "--tls-key", "none.key"], "none.key cannot be read (No such file or directory)"),
        (["--tls-cert", "house.pem", "--tls-key", "other.key"], "are no certificate with its key"),
        (["--tls-cert", "house.key", "--tls-key", "house.pem"], "are no certificate with its key"),
        (["--tls-cert", "house.pem", "--tls-key", "open.key"], "open.key is open to everybody on this machine: chmod 600"),
        (["--proxy", "localhost"], '--proxy "localhost" is no address: write one, such as 127.0.0.1'),
        (["--limit", "streams"], '--limit "streams": write NAME=NUMBER'),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(
    given: list[str], said: str, tmp_path: Path, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate(tmp_path)
    certificate(tmp_path, "other")
    shutil.copy(tmp_path / "house.key", tmp_path / "open.key")
    (tmp_path / "open.key").chmod(0o644)
    (tmp_path / "house.pem").chmod(0o600)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("serve", "--store", "house.db", *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("houseway: ") and said in err
    assert not (tmp_path / "house.db").exists(), "nothing was set up"


# The documentation's nginx


@contextmanager
def nginx(folder: Path, house: Program) -> Iterator[tuple[str, Path]]:
    """nginx as the documentation sets it up, for names and places of this machine; its URL, and its certificate."""
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
    if not found:
        pytest.fail("nginx is missing: apt-get install nginx (this test is never skipped)")
    cert, key = certificate(folder, "front")
    port = free_port()
    documented = re.findall(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[0]
    for here, there in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "house.example.com": "127.0.0.1",
        "/etc/ssl/house.pem": str(cert),
        "/etc/ssl/house.key": str(key),
        "http://127.0.0.1:8000": house.url,
    }.items():
        assert here in documented
        documented = documented.replace(here, there)
    places = "".join(f"{what}_temp_path {folder / what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    frame = f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nerror_log {folder / 'error.log'};\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{frame}http {{\naccess_log off;\n{places}{documented}}}\n")
    front = subprocess.Popen([found, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        url = f"https://127.0.0.1:{port}"
        until(lambda: _answers(trusting(cert, url)) or front.poll())
        assert front.poll() is None, (folder / "error.log").read_text()
        yield url, cert
    finally:
        front.terminate()
        front.wait(PATIENCE)


def _answers(visitor: httpx.Client) -> bool:
    try:
        return visitor.get(f"{API}/tables").status_code == 200
    except httpx.TransportError:
        return False


def test_the_documented_proxy(tmp_path: Path) -> None:
    limits = ("--proxy", "127.0.0.1", "--limit", "guests=1", "--limit", "streams=1")
    with program(tmp_path, *limits) as served, nginx(tmp_path, served) as (url, cert):
        ann, ben = trusting(cert, url, "127.0.0.4"), trusting(cert, url, "127.0.0.2")
        _is_kept_to_tls(joined := ann.post(f"{API}/guests", json={"name": "Ann"}))
        # counted by their own addresses, and nobody gets round it by claiming another
        assert ann.post(f"{API}/guests", json={"name": "Ann too"}).status_code == 429
        claimed = {"X-Forwarded-For": "9.9.9.9"}
        assert ann.post(f"{API}/guests", json={"name": "Ann too"}, headers=claimed).status_code == 429
        # 127.0.0.2 comes through the same proxy and is somebody else
        _is_kept_to_tls(ben.post(f"{API}/guests", json={"name": "Ben"}))
        # a stream is passed on as it comes
        bearer = {"Authorization": f"Bearer {joined.json()['token']}"}
        with ben.stream("GET", f"{API}/tables/Duki 1/stream") as answer:
            lines = answer.iter_lines()
            next(line for line in lines if line.startswith("data:"))
            seq = ann.post(f"{API}/tables/Duki 1/tip", json={"cents": 1}, headers=bearer).json()["seq"]
            assert any(json.loads(line[5:])["seq"] == seq for line in lines if line.startswith("data:"))
            # one stream a client: Ben's is taken, Ann's is not
            assert ben.get(f"{API}/stream").status_code == 429
            with ann.stream("GET", f"{API}/stream") as other:
                assert other.status_code == 200
        # past the proxy, nobody is believed
        direct = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.3"), timeout=PATIENCE)
        forged = {"X-Forwarded-For": "8.8.8.8", "X-Forwarded-Proto": "https"}
        answer_ = direct.post(f"{served.url}{API}/guests", json={"name": "Cyd"}, headers=forged)
        assert answer_.status_code == 200 and "secure" not in answer_.headers["set-cookie"].lower()
        assert direct.post(f"{served.url}{API}/guests", json={"name": "Dan"}, headers=forged).status_code == 429
