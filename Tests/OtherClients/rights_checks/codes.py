"""Codes that take long to come about, or much: what was stored is made old, or many, while the server stands still."""
import contextlib, sqlite3, time

from protocol_checks.helpers import check, equal, true

from party_checks.queues import tune
from party_checks.stage import Stage
from room_checks import party


@contextlib.contextmanager
def stored():
    """The database of the server, which ends before and comes back after. Who had a connection has none any more."""
    server = party.SERVER
    server.process.terminate()
    server.process.wait(20)
    link = sqlite3.connect(server.data / "sona.sqlite")
    try:
        yield link
        link.commit()
    finally:
        link.close()
        server.revive()


@check("what has become too old, too long or too many: chat.too_late, history.too_long, user.limit_reached")
def _():
    with Stage("ada", "bea") as stage:
        ada, bea = stage.ada, stage.bea
        room = ada.data("room.create")["room"]["id"]
        old, young = (bea.rpc_data("chat.send", {"room": room, "text": text})["message"]["id"] for text in ("a", "b"))
        with stored() as link:
            for message, minutes in ((old, 15.1), (young, 14.5)):
                link.execute("UPDATE room_chat SET at_ms = ? WHERE room_id = ? AND id = ?",
                             (int((time.time() - minutes * 60) * 1000), room, message))
            link.executemany(
                "INSERT INTO room_history (room_id, id, at_ms, title, session) VALUES (?, ?, ?, 'Tune', ?)",
                ((room, k, int(time.time() * 1000) - 10_000_000 + k, 1 + k // 2001) for k in range(1, 4001)))
            link.executemany("INSERT INTO follows VALUES (?, ?, 1)", ((bea.uid, f"{k:028}") for k in range(4999)))
        edit = lambda number: bea.rpc("chat.edit", {"room": room, "id": number, "text": "c"})
        equal(edit(old).get("error", {}).get("code"), "chat.too_late", "an edit after 15.1 min")
        equal(edit(young)["type"], "ok", "an edit after 14.5 min")
        bea.rpc_data("chat.delete", {"room": room, "id": old})
        recap = lambda **more: bea.rpc("room.recap", {"room": room, "format": "m3u"} | more)
        equal(recap(session=1)["data"]["count"], 2000, "count")
        equal(recap(session=2)["data"]["count"], 2000, "count")
        for kind in ("json", "m3u", "jspf", "csv"):
            equal(recap(from_ms=0, format=kind).get("error", {}).get("code"), "history.too_long", kind)
        bea.rpc_data("people.follow", {"user": ada.uid})
        bea.rpc_data("people.follow", {"user": ada.uid})
        other = Stage("cal").cal
        equal(bea.rpc("people.follow", {"user": other.uid}).get("error", {}).get("code"), "user.limit_reached",
              "the 5001st")
        bea.rpc_data("people.unfollow", {"user": ada.uid})
        bea.rpc_data("people.follow", {"user": other.uid})
        true(other.rpc("people.follow", {"user": bea.uid})["type"] == "ok", "others follow whom they like")


@check("a muted person writes, edits and reacts no more, and deletes and reads all the same; a person talks five times")
def _():
    with Stage("dan", "eve", "guest one") as stage:
        room = stage.dan.data("room.create")["room"]["id"]
        for who in stage.people.values():
            who.join(room)
        for who in (stage.eve, stage.people["guest one"]):
            number = who.data("chat.send", {"text": "x"})["message"]["id"]
            stage.dan.data("room.mute", {"room": room, "user": who.uid})
            for kind, data in (("chat.send", {"text": "x"}), ("chat.edit", {"id": number, "text": "y"}),
                               ("reaction.send", {"emoji": "👍"})):
                true("retry_after_ms" not in who.refused("chat.muted", kind, data), f"{kind}: it does not end by itself")
            who.data("chat.history")
            who.data("chat.delete", {"id": number})
            stage.dan.data("room.unmute", {"room": room, "user": who.uid})
            for _ in range(4):
                number = who.data("chat.send", {"text": "x"})["message"]["id"]
            for kind, data in (("chat.send", {"text": "x"}), ("chat.edit", {"id": number, "text": "y"})):
                error = who.refused("chat.rate_limited", kind, data)
                true(7_000 < error["retry_after_ms"] <= 10_000, f"{error}")
        stage.dan.data("room.update", {"room": room, "slow_mode_s": 60})
        error = stage.eve.refused("chat.slow_mode", "chat.send", {"text": "x"})
        true(0 < error["retry_after_ms"] <= 60_000, f"{error}")
        for _ in range(2):
            stage.dan.data("chat.send", {"text": "those who moderate are free of it"})


@check("the queue's refusals name their rules: too_new, full, person_limit, duplicate, cooldown")
def _():
    with Stage("dan", "eve") as stage:
        dan, eve = stage.dan, stage.eve
        room = dan.data("room.create")["room"]["id"]
        dan.data("queue.set_rules", {"room": room, "rules": {"dwell_s": 1, "waiting_per_person_max": 1}})
        for who in (dan, eve):
            who.join(room)
        one = tune()
        error = eve.refused("queue.too_new", "queue.suggest", one)
        time.sleep(error["retry_after_ms"] / 1000)
        dan.data("queue.add", {"tracks": [one]})
        eve.refused("queue.duplicate", "queue.suggest", one)
        eve.data("queue.suggest", tune())
        eve.refused("queue.person_limit", "queue.suggest", tune())
        dan.data("queue.next")
        dan.data("queue.clear")
        dan.data("queue.add", {"tracks": [tune()]})
        dan.data("queue.next")
        error = eve.refused("queue.cooldown", "queue.suggest", one)
        true(3_500_000 < error["retry_after_ms"] <= 3_600_000, f"{error}")
        dan.data("queue.set_rules", {"rules": {"entries_max": 1}})
        for who, kind, data in ((dan, "queue.add", {"tracks": [tune()]}), (eve, "queue.suggest", tune())):
            who.refused("queue.full", kind, data)
