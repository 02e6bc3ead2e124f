"""The fixtures of `databases`, for all tests here."""

from databases import copy_of, key_file, mortal_postgres, new_url, open_floor, open_store, postgres, store_url, zygote

__all__ = ["copy_of", "key_file", "mortal_postgres", "new_url", "open_floor", "open_store", "postgres", "store_url", "zygote"]

collect_ignore = ["journals"]
"""What made the journal of 0.1 runs with 0.1 only."""
