"""The straight way to what is asked for most: its path is looked up, where a router tries one route after the other."""

from collections import defaultdict
from collections.abc import Iterable
from typing import cast

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

Found = tuple[APIRoute, dict[str, str]]
"""A route, and what stands in the place that its path has for a name."""


class StraightWay(BaseRoute):
    """Routes that all take one method, found by their path. Whatever is not found goes the way of all other requests."""

    def __init__(self, routes: Iterable[APIRoute], method: str) -> None:
        self._method = method
        self._plain: dict[str, APIRoute] = {}
        self._named: dict[str, dict[str, tuple[APIRoute, str]]] = defaultdict(dict)
        """By what a path begins with, and by what comes after the name in it."""
        for route in routes:
            begins, named, rest = route.path.partition("{")
            name, _, ends = rest.partition("}")
            if not named:
                self._plain.setdefault(begins, route)
            elif name.isidentifier() and "{" not in ends:
                self._named[begins].setdefault(ends, (route, name))

    def found(self, path: str) -> Found | None:
        """The route to which a path leads, if it is one of these."""
        if plain := self._plain.get(path):
            return plain, {}
        for begins, routes in self._named.items():
            if path.startswith(begins):
                given, stroke, rest = path[len(begins) :].partition("/")
                if given and (found := routes.get(stroke + rest)):
                    return found[0], {found[1]: given}
        return None

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request goes this way, and where it leads."""
        if scope["type"] == "http" and scope["method"] == self._method and (found := self.found(scope["path"])):
            route, given = found
            return Match.FULL, {"route": route, "endpoint": route.endpoint, "path_params": given}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go there."""
        await cast("APIRoute", scope["route"]).app(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: object) -> object:  # type: ignore[override]
        """It names no path: the routes themselves do."""
        raise NoMatchFound(name, path_params)
