"""Sessions that somebody ends: recorded, so that every process of the house, which reads the journal, lets their streams go."""

from collections.abc import Callable
from functools import partial

from houseway.house.accounts import Recorder
from houseway.house.floor import Actor
from houseway.house.people import People, Session
from houseway.table.fold import SESSION_ENDED


def end_sessions(people: People, recorder: Recorder, by: Actor, which: Callable[[Session], bool]) -> list[Session]:
    """End the sessions that are meant, each with its note in the same transaction."""
    ended = [session for session in people.sessions() if which(session)]
    for session in ended:
        data = {"name": session.name, "role": session.role, "session": session.id}
        recorder.note(SESSION_ENDED, by, data, also=partial(people.end, token=session.token))
    return ended
