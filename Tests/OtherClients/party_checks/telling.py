"""queue.md: what is told, and what is not."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.seat import START

from party_checks.queues import add, hall, pages, set_rules


@check("what changes nothing is told to nobody and is no revision, also when others change something meanwhile")
def _():
    stage, room = hall("ada", "bea", "cal")
    with stage:
        entry = add(stage.ada, 2)[0]
        stage.mark()
        revision = pages(stage.ada)["revision"]
        for kind, data in (("queue.vote", {"id": entry}), ("queue.shuffle", {"seed": 1}),
                           ("queue.move", {"id": entry, "first": True}),
                           ("queue.set_repeat", {"repeat": "off"}), ("queue.set_rules", {"rules": {"row_max": 2}}),
                           ("queue.approve", {"id": entry})):
            equal(stage.ada.data(kind, data)["revision"], revision, f"revision after {kind}")
        stage.exactly("queue.changed", [])
        for k in range(60):
            asked = [(stage.bea, stage.bea.send("queue.vote", {"id": entry, "vote": ("up", "down", None)[k % 3]})),
                     (stage.ada, stage.ada.send("queue.shuffle", {"seed": 1})),
                     (stage.cal, stage.cal.send("queue.vote", {"id": entry}))]
            for who, number in asked:
                equal(who.reply(number)["type"], "ok", "reply")
            time.sleep(0.02)
        stage.exactly("queue.changed", stage.people, count=60)
        equal(pages(stage.ada)["revision"], stage.ada.got("queue.changed")[-1]["revision"],
              "revision of queue.get, and of the last change that was told")


@check("whoever voted and leaves, and is back while the vote counts, changes nothing: no revision but what is told")
def _():
    stage, room = hall("ada", "bea", "guest1", grace_s=60)
    with stage:
        entry = add(stage.ada)[0]
        for who in (stage.bea, stage.guest1):
            who.data("queue.vote", {"id": entry, "vote": "up"})
        stage.ada.drain()
        revision = pages(stage.ada)["revision"]
        for _ in range(2):
            stage.bea.leave(), stage.guest1.leave()
            time.sleep(0.1)
            stage.bea.join(room), stage.guest1.join(room)
            time.sleep(0.1)
        stage.ada.drain()
        told = [m["data"]["revision"] for m in stage.ada.log if m["type"] == "queue.changed"]
        true(told[-1] == revision, f"told of {told[-1]} after {revision}")
        equal(pages(stage.ada)["revision"], told[-1], "revision of queue.get, and of the last change that was told")


@check("`data` may be left out where no field has to be there, and the schemas say so")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        add(stage.ada, 2)
        for kind in ("queue.get", "queue.next", "queue.previous", "queue.shuffle", "queue.clear"):
            reply = stage.ada.ask(kind)
            true(reply["type"] == "ok" or reply["error"]["code"] == "queue.empty", f"{kind}: {reply}")
