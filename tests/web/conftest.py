"""The fixtures of `houses` and `programs`, for all tests here."""

from houses import chromium, new_page, served, start_process
from programs import postgresql

__all__ = ["chromium", "new_page", "postgresql", "served", "start_process"]
