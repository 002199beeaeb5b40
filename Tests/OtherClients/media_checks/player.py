"""player.md: one queue on several devices, handed from one to another."""
import time

from protocol_checks.helpers import Client, check, equal, rpc_refused, true

from media_checks.likes import ask, sonactl
from media_checks.stage import guest, somebody, tracks

DESK, PHONE = {"id": "desk", "name": "Desk"}, {"id": "phone", "name": "Phone"}


def place(data):
    """The place of a player when the message was made, ms."""
    player = data["player"]
    return player["position_ms"] + (data["now_ms"] - player["at_ms"] if player["playing"] else 0)


@check("what an account plays alone goes on from one device to another, and other accounts are told nothing")
def _():
    token, other = somebody(), somebody()
    songs = tracks(token)
    queue = [songs[title]["id"] for title in ("song.mp3", "long.mp3")]
    with Client(token) as desk, Client(token) as phone, Client(other) as stranger:
        equal(desk.data("player.announce", {"device": DESK})["devices"], [DESK], "the first device")
        equal(phone.data("player.announce", {"device": PHONE})["devices"], [DESK, PHONE], "both")
        equal(desk.event("player.devices", 2)["data"]["devices"], [DESK, PHONE], "told")
        done = desk.data("player.update", {"revision": 0, "device": DESK, "tracks": queue, "index": 1,
                                           "position_ms": 2000, "playing": True})
        equal((done["stored"], done["player"]["revision"], done["player"]["device"]), (True, 1, DESK), "it plays")
        event = phone.event("player.changed", 2)["data"]
        equal(event["player"], done["player"], "the phone is told")
        stale = phone.data("player.update", {"revision": 0, "device": PHONE, "tracks": queue[:1], "playing": True})
        equal((stale["stored"], stale["player"]["device"]), (False, DESK), "a late update changes nothing")
        time.sleep(0.5)
        moved = phone.data("player.transfer", {"device": "phone"})
        true(2500 <= place(moved) <= 4000, f"the place {place(moved)}")
        event = desk.event("player.changed", 2)["data"]
        equal((event["player"]["device"], event["player"]["playing"]), (PHONE, True), "the desk is told to stop")
        page = desk.data("player.get", {})
        equal([item["track"]["title"] for item in page["items"]], ["song.mp3", "long.mp3"], "the queue")
        equal(desk.data("player.update", {"device": DESK, "position_ms": 1})["stored"], False, "a report of another")
        code, out, _ = sonactl(token, "player", "next")
        true((code, out.startswith("playing track 1 of 2 at 0:0")) == (0, True), out)
        equal(phone.event("player.changed", 2)["data"]["player"]["index"], 0, "obeyed from elsewhere")
        code, out, _ = sonactl(token, "player", "pause")
        true((code, out.startswith("paused track 1 of 2")) == (0, True), out)
        true("device desk: Desk\n" in sonactl(token, "player", "show")[1], "devices are shown")
        equal(sonactl(token, "player", "transfer", "nowhere")[0], 66, "no such device")
        stranger.silent(0.2)
        true(not any(isinstance(m, dict) and m["type"].startswith("player.") for m in stranger.inbox), "a stranger is told")
    equal(ask(token, "player.get")["devices"], [], "both are gone")
    rpc_refused(404, "player.device_not_found", "player.transfer", {"device": "desk"}, token=token)
    rpc_refused(400, "request.invalid", "player.update", {"position_ms": 4}, token=token)
    rpc_refused(403, "auth.account_required", "player.get", {}, token=guest())
