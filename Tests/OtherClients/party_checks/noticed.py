"""Whether the stage, the mirror and the schemas notice what they are there for."""
import copy

from protocol_checks.helpers import Failure, check, true

from room_checks import party

from party_checks.queues import Mirror, add, hall, pages
from party_checks.schemas import faults
from party_checks.stage import told


def fails(function, what):
    try:
        function()
    except Failure:
        return
    true(False, f"not noticed: {what}")


@check("the stage notices an event too many, too few, told to somebody else, or other than it should be")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        for member in stage.people.values():
            stage.seen[member] = len(member.log)
        stage.bea.data("chat.send", {"text": "hello"})
        looked = dict(stage.seen)
        for what, expected in {
            "too many": [], "too few": [told("chat.message", stage.people, room=room)] * 2,
            "somebody else": [told("chat.message", ["ada"], room=room)],
            "another room": [told("chat.message", stage.people, room="A" * 20)],
            "another text": [told("chat.message", stage.people, lambda d: d["message"]["text"] == "bye", room)],
        }.items():
            fails(lambda: stage.exactly_these(expected, what, 0.2), what)
            stage.seen = dict(looked)
        stage.exactly_these([told("chat.message", stage.people, room=room)], "chat.send")


@check("a mirror notices a change that is missing, twice, or of something else; a message without a schema is a fault")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        stage.ada.drain()
        mirror, mark = Mirror(pages(stage.ada)), len(stage.ada.log)
        add(stage.ada, 2)
        add(stage.ada, 1, first=True)
        stage.ada.drain()
        got = pages(stage.ada)
        one, two = (m["data"] for m in stage.ada.log[mark:] if m["type"] == "queue.changed")
        other = copy.deepcopy(two)
        other["changes"][0]["after"] = 1
        for what, changes in {"missing": [two], "the last missing": [one], "twice": [one, one],
                              "another place": [one, other]}.items():
            def applied(kept=copy.deepcopy(mirror)):
                for change in changes:
                    kept.apply(copy.deepcopy(change))
                kept.same_as(got, "")
            fails(applied, what)
        for change in (one, two):
            mirror.apply(change)
        mirror.same_as(got, "")
        event = next(m for m in stage.ada.log[mark:] if m["type"] == "queue.changed")
        true(not faults("events/queue.changed", event), "a good event")
        true(faults("events/queue.changed", event | {"data": {"revision": "1", "user": None, "changes": []}}),
             "not noticed: a bad event")
        before = len(party.VIOLATIONS)
        party.expect("events/no.such", {}, "somebody")
        true(len(party.VIOLATIONS) == before + 1, "not noticed: a message without a schema")
        del party.VIOLATIONS[before:]
