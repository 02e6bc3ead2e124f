"""The fixtures of `databases`, for all tests here."""

from databases import copy_of, key_file, mortal_postgres, new_url, open_floor, open_store, postgres, store_url, zygote

__all__ = ["copy_of", "key_file", "mortal_postgres", "new_url", "open_floor", "open_store", "postgres", "store_url", "zygote"]
collect_ignore_glob = ["journals/*"]
"""How old journals were made: with the code of their releases."""
