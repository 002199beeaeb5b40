"""Whether the recorder notices what it is there for."""
import json

from protocol_checks.helpers import check, equal, true

from room_checks import party
from room_checks.seat import open_room


def noticed(who, *messages):
    """What it says of messages that never came, and forgets again."""
    state = who.room, who.seq, who.personal, len(who.log), dict(party.COUNTS)
    before = len(party.VIOLATIONS)
    for message in messages:
        who.heard(message if isinstance(message, bytes) else json.dumps(message))
    found = party.VIOLATIONS[before:]
    del party.VIOLATIONS[before:], who.log[state[3]:]
    who.room, who.seq, who.personal = state[:3]
    party.COUNTS.update(state[4])
    return found


@check("the recorder notices gaps, strays, differences, and what is against a schema")
def _():
    p, room = open_room("ada", "guest1")
    with p:
        p.ada.data("chat.send", {"text": "hello"})
        p.exactly("chat.message", p.people)
        event = next(m for m in p.guest1.log if m["type"] == "chat.message")
        at = p.guest1.seq
        equal(noticed(p.guest1, {"type": "host.changed", "room": room, "seq": at + 1,
                                 "data": {"host": None, "state": "none"}}), [], "a good event")
        for name, messages in {
            "the same twice": [event], "a gap": [event | {"seq": at + 2}],
            "another room": [event | {"seq": at + 1, "room": "A" * 20}],
            "a live event of another room": [{"type": "room.listeners", "room": "A" * 20, "data": {"count": 1}}],
            "against the schema": [event | {"seq": at + 1, "data": {"message": {}}}],
            "a personal gap": [{"type": "room.denied", "seq": p.guest1.personal + 2, "data": {"room": room}}],
            "something of the room after its end": [
                {"type": "room.closed", "room": room, "seq": at + 1, "data": {"reason": "closed_by_owner"}},
                b"\x30" + bytes(31)],
            "a bad error": [{"type": "error", "id": None, "error": {"code": "x"}}],
        }.items():
            true(noticed(p.guest1, *messages), f"not noticed: {name}")
            party.EVENTS.pop((party.helpers.URL, room, at + 1), None)
        p.ada.heard(json.dumps(event | {"seq": p.ada.seq + 1}))
        true(noticed(p.guest1, event | {"seq": at + 1, "data": event["data"] | {"message": event["data"]["message"]
                                                                                | {"text": "other"}}}),
             "not noticed: two get different events under one number")
        party.EVENTS.pop((party.helpers.URL, room, at + 1))
        p.ada.seq -= 1
