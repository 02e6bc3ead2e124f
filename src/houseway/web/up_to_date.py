"""Whoever is shown something is shown all that was written before he asked, by whatever process of the house."""

from houseway.web.guard import App, Receive, Scope, Send
from houseway.web.served import ServedHouse


class UpToDate:
    """Takes in what other processes have written before a page, a view or a stream is answered; a command is carried out on
    the newest state anyway."""

    def __init__(self, app: App, house: ServedHouse) -> None:
        self.app, self.house = app, house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            await self.house.catch_up()
        await self.app(scope, receive, send)
