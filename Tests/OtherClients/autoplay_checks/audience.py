"""How many listened to a broadcast: each once, the most at a time, and nobody's name. Protocol/spec/listening.md, "Audience"."""
import json, sqlite3, time

from protocol_checks.helpers import Client, account, check, equal, rpc, true

from autoplay_checks import stage
from autoplay_checks.stage import Owner, until


def audiences(owner):
    return owner.data("room.audience", room=owner.room)["audiences"]


def written(owner, holds, what):
    """The newest, once it holds: what goes on is stored every five seconds."""
    return until(lambda: (lambda all_: all_ and holds(all_[0]) and all_[0])(audiences(owner)), what, 12)


def rows(statement):
    """Of the server's own file, read beside it."""
    (path,) = stage.SERVER.data.glob("*.sqlite")
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return file.execute(statement).fetchall()
    finally:
        file.close()


@check("a broadcast counts each account and guest once, ghosts too, and knows its peak and the time that all listened")
def _():
    ada, bob = Owner(), account()["access_token"]
    ada.add("Low", "Middle", "High")
    equal(audiences(ada), [], "before anything plays")
    started = time.time()
    with Client(bob) as one, Client(bob) as two, Client() as guest, Client(account()["access_token"]) as ghost:
        one.data("room.join", {"room": ada.room})
        two.data("room.join", {"room": ada.room})
        guest.data("room.join", {"room": ada.room})
        ada.autoplay()
        until(lambda: ada.playing() == "Low", "it plays")
        ghost.data("room.join", {"room": ada.room, "ghost": True})
        time.sleep(1)
        peaked = time.time()
        ghost.data("room.leave")
        two.data("room.leave")
        one.data("room.leave")
        one.data("room.join", {"room": ada.room})
        until(lambda: ada.playback()["playback"]["state"] == 0, "it stops", 20)
    found = written(ada, lambda one: one["until_ms"], "the end")
    equal((found["accounts"], found["guests"], found["peak"]), (2, 1, 3), f"{found}")
    true(started * 1000 - 500 <= found["peak_ms"] <= peaked * 1000 + 500, f"the peak: {found}")
    length = found["until_ms"] - found["from_ms"]
    true(2 * length - 2_500 <= found["listened_ms"] <= 3 * length, f"two listened all the time, and one for a second or two: {found}")
    recap = lambda format_, token: rpc("room.recap", {"room": ada.room, "format": format_}, token)[1]["data"]["text"]
    plays = ada.data("room.history", room=ada.room)["plays"]
    equal(found["session"], plays[0]["session"], "the session of its plays")
    equal(json.loads(recap("json", ada.token))["audience"], found, "in the recap")
    head, *lines = recap("csv", ada.token).splitlines()
    true(head.endswith(",host,listeners,peak,listener_minutes"), head)
    true(len(lines) == 3 and all(line.endswith(f",3,3,{found['listened_ms'] // 60_000}") for line in lines), f"{lines}")
    true("audience" not in json.loads(recap("json", bob)) and "peak" not in recap("csv", bob), "others are not told")
    status, body, _ = rpc("room.audience", {"room": ada.room}, bob)
    equal(body["error"]["code"], "room.forbidden", "room.audience of somebody else's room")
    equal(rows(f"SELECT count(*) FROM room_listener_marks WHERE room_id = '{ada.room}'"), [(0,)], "who listened")
    equal(rows(f"SELECT salt FROM room_audiences WHERE room_id = '{ada.room}'"), [(None,)], "the key")


@check("after a kill the same broadcast goes on: who had listened before counts once")
def _():
    ada, bob = Owner(), account()["access_token"]
    ada.add("Long", "High")
    with Client(bob) as one, Client(account()["access_token"]) as two:
        one.data("room.join", {"room": ada.room})
        two.data("room.join", {"room": ada.room})
        ada.autoplay()
        until(lambda: ada.playing() == "Long", "it plays")
        before = written(ada, lambda one: one["accounts"] == 2 and one["listened_ms"] > 0, "what is stored")
        equal((before["until_ms"], before["peak"]), (None, 2), "it goes on")
        stage.SERVER.kill()
        stage.SERVER.revive()
    with Client(bob) as one, Client() as guest:
        one.data("room.join", {"room": ada.room})
        guest.data("room.join", {"room": ada.room})
        after = written(ada, lambda one: one["guests"] == 1, "who came after")
        equal((after["from_ms"], after["accounts"], after["peak"]), (before["from_ms"], 2, 2), f"{after}")
        true(after["listened_ms"] >= before["listened_ms"], f"{before} and {after}")
    ada.autoplay(on=False)
    written(ada, lambda one: one["until_ms"], "the end")
    equal(len(audiences(ada)), 1, "broadcasts")
