"""Who asks: the address at the other end, or the one that a proxy tells, if the house has named that proxy as its own."""

import ipaddress
import logging
from collections.abc import MutableMapping, Sequence
from typing import Any

from fastapi import Request

from houseway.refusal import Refused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
log = logging.getLogger("houseway.web")
KNOWN_MOST = 10_000
SITE_BITS = 64
"""Of an IPv6 address that many belong to one household, who would else be as many clients as it likes."""


def proxy_network(given: str) -> Network:
    """A proxy's address, or a network of proxies."""
    try:
        return ipaddress.ip_network(given.strip(), strict=False)
    except ValueError:
        raise Refused(
            "bad-proxy", f'--proxy "{given}" is no address: write one, such as 127.0.0.1, or a network, such as 10.0.0.0/8'
        ) from None


def _address(given: str) -> Address | None:
    try:
        address = ipaddress.ip_address(given.strip())
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


class Clients:
    """Tells clients from one another. What anybody but a named proxy says of others' addresses is not believed."""

    def __init__(self, proxies: Sequence[str] = ()) -> None:
        self._networks = [proxy_network(given) for given in proxies]
        self._known: dict[str, tuple[str, bool]] = {}
        self._warned = False

    def named(self, address: str) -> tuple[str, bool]:
        """How a client of this address is counted, and whether it is a named proxy."""
        if (known := self._known.get(address)) is None:
            if len(self._known) > KNOWN_MOST:
                self._known.clear()
            self._known[address] = known = self._look_at(address)
        return known

    def _look_at(self, given: str) -> tuple[str, bool]:
        address = _address(given)
        if address is None:
            return given, False
        site = address.version == 6 and ipaddress.ip_network((address, SITE_BITS), strict=False)
        return str(site or address), any(address in network for network in self._networks)

    def who(self, scope: MutableMapping[str, Any], headers: dict[bytes, bytes]) -> str:
        """How the client of a request is counted; a named proxy's word on its address and scheme is written into the scope."""
        peer: str = scope["client"][0] if scope.get("client") else ""
        client, is_proxy = self.named(peer)
        if not is_proxy:
            if b"x-forwarded-for" in headers and not self._warned:
                self._warned = True
                log.warning("%s sends X-Forwarded-For, which is not believed: if it is your proxy, serve with --proxy", peer)
            return client
        if (scheme := headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower()) in {b"http", b"https"}:
            scope["scheme"] = scheme.decode()
        forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        for hop in reversed(",".join(forwarded).split(",")):  # from our proxy outwards, as far as our own proxies say it
            if _address(hop) is None:
                break
            client, is_proxy = self.named(hop.strip())
            scope["client"] = (hop.strip(), 0)
            if not is_proxy:
                break
        return client


PASSED_ON = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""What a proxy adds to a request that it passes on."""


def is_loopback(request: Request) -> bool:
    """Whether a request comes from this machine itself, and not through a proxy on it from somebody else."""
    if any(header in request.headers for header in PASSED_ON):
        return False
    address = _address(request.client.host) if request.client else None
    return address is not None and address.is_loopback
