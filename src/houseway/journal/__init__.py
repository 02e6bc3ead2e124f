"""The journal: an append-only, hash-chained record of everything that happened in the house."""

from houseway.journal.entry import GENESIS, Entry, canonical
from houseway.journal.store import Head, Store, Writer, default_url

__all__ = ["GENESIS", "Entry", "Head", "Store", "Writer", "canonical", "default_url"]
