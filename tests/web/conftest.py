"""The fixtures of `houses` and `programs`, for all tests here."""

from houses import chromium, new_page, patience, served, start_process
from programs import postgresql

__all__ = ["chromium", "new_page", "patience", "postgresql", "served", "start_process"]
