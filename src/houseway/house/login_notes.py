"""Log-ins that failed, in the journal, and never so many that a stranger could fill it.

Of every minute the first five failures of accounts and the first five of names that nobody has are notes of their own; the rest
is counted in the store, by all processes together, and told in one note when the minute is over. So at most eleven notes
a minute, whatever is tried. Log-ins of guests who may not play are counted apart, twenty of a minute with notes of their own:
each of them is told, whatever else fails in that minute. Of an unknown name a note holds the first eight letters (somebody may
have typed his password there); of a password nothing.
"""

from sqlalchemy import Connection, delete, insert, select, update

from houseway.house import schema
from houseway.house.accounts import Recorder
from houseway.house.floor import Actor
from houseway.house.store import Store
from houseway.refusal import number_of
from houseway.table.fold import ATTEMPT
from houseway.table.guests import MAY_NOT_PLAY

NOTED_A_MINUTE, BARRED_NOTED_A_MINUTE, UNKNOWN_LETTERS = 5, 20, 8
ACCOUNT, UNKNOWN, BARRED = "account", "unknown", "barred"
DOOR = Actor("door", "supervisor")
_columns = schema.failed_logins.c


def plain(name: str) -> str:
    """What is told of a name that nobody has: its beginning, in printable ASCII.

    >>> plain("Ann Smith the Third"), plain("é\\u202e<b>")
    ('Ann Smit...', '??<b>')
    """
    shown = "".join(char if " " <= char <= "~" else "?" for char in name[:UNKNOWN_LETTERS])
    return shown + "..." * (len(name) > UNKNOWN_LETTERS)


class LoginNotes:
    """Notes failures, or counts them."""

    def __init__(self, store: Store, recorder: Recorder) -> None:
        self.store, self.recorder = store, recorder

    def failed(self, name: str, is_known: bool, failures: int, at: float, why: str = "password") -> None:
        """A log-in failed, for an account or for a name that nobody has."""
        of = ACCOUNT if is_known else UNKNOWN
        if self._is_worth_a_note(int(at) // 60, of):
            shown = name if is_known else plain(name)
            data = {"name": shown, "known": is_known, "failures": failures, "why": why}
            self.recorder.note("login-failed", DOOR, data, also=lambda _: {})
        self.tell(at)

    def count(self, is_known: bool, at: float) -> None:
        """A try that came too early: only counted."""
        with self.store.engine.begin() as connection:
            self._add(connection, int(at) // 60, ACCOUNT if is_known else UNKNOWN, noted=0, counted=1)

    def tell(self, at: float) -> None:
        """Note what was counted in minutes that are over, once."""
        over = _columns.minute < int(at) // 60
        with self.store.reading() as connection:
            if connection.execute(select(_columns.minute).where(over)).first() is None:
                return
        with self.store.engine.begin() as connection:
            self._alone(connection)
            rows = [row for row in connection.execute(select(schema.failed_logins).where(over)) if row.counted]
            connection.execute(delete(schema.failed_logins).where(over))
        if failed := [row for row in rows if row.of != BARRED]:
            sums = {of: sum(row.counted for row in failed if row.of == of) for of in (ACCOUNT, UNKNOWN)}
            about = {"minutes": len({row.minute for row in failed}), "of_accounts": sums[ACCOUNT], "of_unknown": sums[UNKNOWN]}
            self.recorder.note("failed-logins", DOOR, about, also=lambda _: {})
        if barred := [row.counted for row in rows if row.of == BARRED]:
            within, more = number_of(len(barred), "minute"), number_of(sum(barred), "time")
            self._note_barred(f"guests who may not play came {more} more, within {within}", times=sum(barred))

    def barred(self, guest: str, at: float) -> None:
        """A guest who may not play has tried to log in: told, each time, but not in notes without end."""
        if self._is_worth_a_note(int(at) // 60, BARRED):
            self._note_barred(f"{guest} may not play here, and came")
        self.tell(at)

    def _note_barred(self, message: str, **more: int) -> None:
        told = {"command": {"kind": "log-in"}, "code": MAY_NOT_PLAY, "message": message, **more}
        self.recorder.note(ATTEMPT, DOOR, told, also=lambda _: {})

    def _is_worth_a_note(self, minute: int, of: str) -> bool:
        with self.store.engine.begin() as connection:
            self._alone(connection)
            noted = connection.execute(select(_columns.noted).where(_columns.minute == minute, _columns.of == of)).scalar()
            is_worth = (noted or 0) < (BARRED_NOTED_A_MINUTE if of == BARRED else NOTED_A_MINUTE)
            self._add(connection, minute, of, noted=int(is_worth), counted=int(not is_worth))
        return is_worth

    @staticmethod
    def _add(connection: Connection, minute: int, of: str, noted: int, counted: int) -> None:
        LoginNotes._alone(connection)
        more = update(schema.failed_logins).where(_columns.minute == minute, _columns.of == of)
        more = more.values(noted=_columns.noted + noted, counted=_columns.counted + counted)
        if not connection.execute(more).rowcount:
            connection.execute(insert(schema.failed_logins).values(minute=minute, of=of, noted=noted, counted=counted))

    @staticmethod
    def _alone(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":  # SQLite has begun by locking everything
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4842)")
