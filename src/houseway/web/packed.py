"""Streams packed as gzip, each event by itself: so it is packed once for all who are told the same, whatever came before.

A gzip file is a head and blocks; a block that looks back at none before it may stand after any other. What is short stays as it
is, in a block that says so: packing it would take longer than sending it. The end, which has a sum of everything, never comes.
"""

import zlib

GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
SHORT = 400
"""Bytes from which on packing pays."""
_LEVEL, _WINDOW_BITS, _MEMORY = 1, -13, 6


def packed(event: bytes) -> bytes:
    """An event as blocks of a gzip stream, which whoever has read them can show at once."""
    if len(event) < SHORT:
        size = len(event)
        return b"\x00" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + event
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY)
    return packer.compress(event) + packer.flush(zlib.Z_FULL_FLUSH)


def takes_gzip(accepted: str) -> bool:
    """Whether whoever asks says that he takes gzip.

    >>> takes_gzip("gzip, deflate, br"), takes_gzip("br;q=1.0, gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    for each in accepted.lower().split(","):
        name, _, weight = each.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False
