"""The fixtures of `houses`, for all tests here."""

from houses import chromium, new_page, served, start_process

__all__ = ["chromium", "new_page", "served", "start_process"]
