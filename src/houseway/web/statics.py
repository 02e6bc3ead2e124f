"""The files that pages need: named by the digest of all of them, so that a browser may keep them for good, and packed.

A page says `/static/DIGEST/js/table/page.js`; a script names others from where it is, and so under the same digest. Under
`/static/js/...` the same files are there too, and are asked about each time.
"""

import gzip
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import Headers
from starlette.types import Scope

from houseway.web.packed import takes_gzip

STATIC = Path(__file__).resolve().parent / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
TEXTS = {".js", ".css", ".svg", ".html", ".json", ".txt", ".xml"}
_NAMED = re.compile(r"([0-9a-f]{16})[/\\](.+)")


@cache
def statics_digest() -> str:
    """A digest of the names and contents of all static files."""
    digest = sha256()
    for file in sorted(file for file in STATIC.rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(STATIC).as_posix()}\n".encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _packed(file: str, changed_at: float) -> bytes:
    return gzip.compress(Path(file).read_bytes(), mtime=0)


class Static(StaticFiles):
    """Files that a browser may keep, but asks about; texts are packed for whoever takes that."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or why there is none."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        if not isinstance(response, FileResponse) or Path(response.path).suffix not in TEXTS or response.stat_result is None:
            return response
        response.headers["Vary"] = "Accept-Encoding"
        if scope["method"] != "GET" or not takes_gzip(Headers(scope=scope).get("accept-encoding", "")):
            return response
        kept = {name: response.headers[name] for name in ("cache-control", "etag", "last-modified", "vary", "content-type")}
        content = _packed(str(response.path), response.stat_result.st_mtime)
        return Response(content, response.status_code, kept | {"Content-Encoding": "gzip"})


class NamedStatic(Static):
    """The same under the digest that pages name, and then for good. A digest of before finds the files of now."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or why there is none."""
        named = _NAMED.fullmatch(path)
        response = await super().get_response(named[2] if named else path, scope)
        if named and named[1] == statics_digest() and response.status_code in {200, 304}:
            response.headers["Cache-Control"] = FOR_GOOD
        return response


class _Templates(FileSystemLoader):
    """Templates whose static files are named by their digest."""

    def get_source(self, environment: Environment, template: str):  # type: ignore[no-untyped-def]
        source, name, is_current = super().get_source(environment, template)
        return source.replace('"/static/', f'"/static/{statics_digest()}/'), name, is_current


def templates_in(folder: Path) -> Environment:
    """The templates of a folder."""
    return Environment(loader=_Templates(folder), autoescape=True)
