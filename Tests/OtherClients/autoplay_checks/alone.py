"""From alone to together and back: a room that goes on with what an account plays alone, and the other way."""
from protocol_checks.helpers import Client, check, equal, true

from autoplay_checks.stage import TRACKS, Owner, until

DEVICE = {"id": "check", "name": "A check"}


def playing_alone(owner, client, *titles, playing=True, position=0):
    """Has the owner play tracks alone on the client's device."""
    client.data("player.announce", {"device": DEVICE})
    revision = client.data("player.get")["player"]["revision"]
    return client.data("player.update", {
        "revision": revision, "device": DEVICE, "tracks": [owner.tracks[title] for title in titles], "playing": playing,
        "position_ms": position})["player"]


def place(owner, room):
    """State, title and place of a room now, and the server time of that."""
    found, now = owner.data("playback.get", room=room), owner.data("room.get", room=room)["now_playing"]
    playback = found["playback"]
    passed = found["server_us"] - playback["anchor_us"] if playback["state"] == 1 else 0
    return playback["state"], now and now["track"]["title"], playback["position_us"] + passed, found["server_us"]


@check("a room made of what is played alone is at the same place, to two milliseconds, and goes on with the queue")
def _():
    ada = Owner()
    with Client(ada.token) as client:
        playing_alone(ada, client, "Long", "Low", "High", position=56_000)
        at = ada.playback()["server_us"]
        room = client.data("room.create", {"from_player": {"position_us": 56_500_000, "at_us": at}})["room"]
        equal(room["owner"]["uid"], ada.uid, "whose room it is")
        client.data("room.join", {"room": room["id"]})
        until(lambda: place(ada, room["id"])[:2] == (1, "Long"), "it plays")
        _, _, position, now = place(ada, room["id"])
        true(abs(position - (56_500_000 + now - at)) < 2_000, f"it is {position - (56_500_000 + now - at)} µs off")
        equal([entry["track"]["title"] for entry in ada.data("queue.get", room=room["id"])["entries"]], ["Low", "High"], "the queue")
        equal(ada.data("autoplay.get", room=room["id"])["autoplay"]["on"], True, "it plays by itself")
        equal(client.data("player.get")["player"]["playing"], True, "the player is as it was")
        until(lambda: place(ada, room["id"])[1] == "Low", "the next track")
        client.data("room.close", {"room": room["id"]})


@check("a room made of a paused player is paused at its place")
def _():
    ada = Owner()
    with Client(ada.token) as client:
        playing_alone(ada, client, "Long", playing=False, position=20_000)
        room = client.data("room.create", {"from_player": {}})["room"]["id"]
        until(lambda: place(ada, room)[0] == 2, "it is paused")
        equal(place(ada, room)[2], 20_000_000, "where")
        client.data("room.join", {"room": room})
        client.data("playback.play")
        until(lambda: place(ada, room)[:2] == (1, "Long"), "it plays")
        true(20_000_000 <= place(ada, room)[2] < 24_000_000, "from the place")


@check("nothing to play makes no room, nor does a time that is not about now")
def _():
    ada = Owner()
    rooms = len(ada.data("room.list", mine=True)["rooms"])
    ada.refused("queue.empty", "room.create", from_player={})
    with Client(ada.token) as client:
        playing_alone(ada, client, "Long")
        client.refused("request.invalid", "room.create", {"from_player": {"position_us": 0, "at_us": 1}})
    equal(len(ada.data("room.list", mine=True)["rooms"]), rooms, "rooms")


@check("whoever leaves and keeps listening goes on alone at the place of the room, with what would follow")
def _():
    ada, bob = Owner(), Owner()
    ada.add("Long", "Low", "High")
    ada.autoplay()
    with Client(bob.token) as client, Client() as guest:
        client.data("player.announce", {"device": DEVICE})
        client.data("room.join", {"room": ada.room})
        until(lambda: ada.playing() == "Long", "it plays")
        until(lambda: place(ada, ada.room)[2] > 3_000_000, "three seconds of it")
        left = client.data("room.leave", {"keep_listening": True})
        _, _, position, _ = place(ada, ada.room)
        player = left["player"]
        equal((player["playing"], player["index"], player["count"], player["device"]), (True, 0, 3, DEVICE), "the player")
        true(abs(position / 1000 - player["position_ms"]) < 300, f"{position} µs and {player['position_ms']} ms")
        items = client.data("player.get")["items"]
        equal([item["track"]["title"] for item in items], ["Long", "Low", "High"], "what is played")
        client.refused("room.not_joined", "room.leave", {"keep_listening": True})
        guest.data("room.join", {"room": ada.room})
        equal(guest.data("room.leave", {"keep_listening": True}), {}, "a guest has no player")
        client.data("room.join", {"room": bob.room})
        equal(client.data("room.leave", {"keep_listening": True}), {}, "a silent room leaves the player as it was")
        equal(client.data("player.get")["player"]["count"], 3, "as it was")
    ada.autoplay(on=False)
