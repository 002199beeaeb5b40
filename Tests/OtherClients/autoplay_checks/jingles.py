"""Jingles and station ids between the tracks of a room that plays by itself."""
import time

from protocol_checks.helpers import Client, check, equal, true

from autoplay_checks import stage
from autoplay_checks.stage import Ear, Owner, until


def jingles_of(owner, *titles):
    """A playlist of them."""
    playlist = owner.data("playlist.create", title="Jingles")["playlist"]["id"]
    owner.data("playlist.add", playlist=playlist, tracks=[owner.tracks[title] for title in titles])
    return playlist


def heard(owner):
    """The track that is heard, or an empty one."""
    return (owner.now()["now_playing"] or {}).get("track") or {}


@check("a jingle comes after each track where that is set: without a gap, never the same twice in a row, and in no history or queue")
def _():
    ada = Owner()
    playlist = jingles_of(ada, "Sting", "Ident", "Saga")
    ada.add("Low", "Middle", "High", "Low")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ear = Ear(ada.room)
        set_ = {"on": True, "playlist": None, "jingles": {"playlist": playlist, "every_tracks": 1}}
        equal(ada.autoplay(jingles={"playlist": playlist, "every_tracks": 1}), set_, "autoplay.set")
        equal(ada.data("autoplay.get", room=ada.room)["autoplay"], set_, "autoplay.get")
        starts = [guest.event("stream.started", 15)["data"] for _ in range(7)]
        guest.event("stream.ended", 10)
    titles = [one["track"]["title"] for one in starts]
    equal(titles[::2], ["Low", "Middle", "High", "Low"], "the tracks")
    between = titles[1::2]
    true(between in (["Sting", "Ident", "Sting"], ["Ident", "Sting", "Ident"]), f"{between}; a track of more than two minutes is no jingle")
    for one in starts[1::2]:
        true(one["track"]["jingle"] is True and "music" not in one["track"], f"a jingle: {one['track']}")
        true(0 < one["track"]["duration_us"] < 5_000_000, f"its length: {one['track']}")
    true(all("jingle" not in one["track"] and one["track"]["music"] for one in starts[::2]), "tracks are no jingles")
    for a, b in zip(starts, starts[1:]):
        gap = b["stream"]["start_us"] - a["stream"]["start_us"] - stage.TRACKS[a["track"]["title"]][1] * 1_000_000
        true(abs(gap) < 100, f"{gap} µs from {a['track']['title']} to {b['track']['title']}")
    sounds, silence = ear.stop()
    equal([pitch for pitch, _ in sounds if pitch], [stage.TRACKS[title][0] for title in titles], f"heard {sounds}")
    true(silence < 8, f"{silence} ms of silence")
    plays = ada.data("room.history", room=ada.room)["plays"]
    equal([play["track"]["title"] for play in plays], ["Low", "High", "Middle", "Low"], "history")
    equal(len({play["session"] for play in plays}), 1, "broadcasts")
    equal((ada.queue()["now"], ada.queue()["waiting"]), (None, 0), "the queue")
    ada.autoplay(on=False)
    equal(ada.data("autoplay.get", room=ada.room)["autoplay"], {"on": False, "playlist": None}, "without the field there are none")


@check("while a jingle sounds, who controls the room skips it alone, and others nothing")
def _():
    ada, bob = Owner(), Owner()
    ada.add("Low", "Long", "High")
    with Client(ada.token) as owner:
        owner.data("room.join", {"room": ada.room})
        ada.autoplay(jingles={"playlist": jingles_of(ada, "Ident"), "every_tracks": 1})
        until(lambda: heard(ada).get("jingle"), "the jingle", 12)
        now = ada.queue()["now"]
        equal((now["entry"]["track"]["title"], now["started_ms"]), ("Long", None), "what comes after it")
        bob.refused("room.forbidden", "queue.next", room=ada.room)
        owner.data("playback.pause")
        until(lambda: ada.playback()["playback"]["state"] == 2, "the pause")
        time.sleep(0.5)
        equal(heard(ada).get("title"), "Ident", "a paused jingle")
        owner.data("playback.play")
        until(lambda: ada.playback()["playback"]["state"] == 1, "it goes on")
        revision = ada.queue()["revision"]
        equal(owner.data("queue.next", {"room": ada.room, "id": now["entry"]["id"]})["revision"], revision, "the queue is as it was")
        until(lambda: ada.playing() == "Long", "the track after it", 3)
        true(until(lambda: ada.queue()["now"]["started_ms"], "it sounds"), "it has begun")
        owner.data("queue.next", {"room": ada.room})
        until(lambda: heard(ada).get("jingle"), "the next change has a jingle again", 5)
        equal(ada.queue()["now"]["entry"]["track"]["title"], "High", "queue.next of a track is another track")
    ada.autoplay(on=False)


@check("jingles are refused without a rule, without a playlist that the owner sees, and to those without control")
def _():
    ada, bob = Owner(), Owner()
    mine = jingles_of(bob, "Sting")
    bob.data("playlist.update", playlist=mine, visibility="private")
    ada.refused("playlist.not_found", "autoplay.set", room=ada.room, on=True, jingles={"playlist": mine, "every_tracks": 1})
    ada.refused("request.invalid", "autoplay.set", room=ada.room, on=True, jingles={"playlist": mine})
    bob.refused("room.forbidden", "autoplay.set", room=ada.room, on=True, jingles={"playlist": mine, "every_tracks": 1})
    # One of which nothing can be played plays nothing, and holds nothing up.
    ada.add("Low", "High")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.autoplay(jingles={"playlist": jingles_of(ada, "Saga"), "every_tracks": 1})
        until(lambda: ada.playing() == "High", "the next track", 12)
    ada.autoplay(on=False)


@check("jingles survive a killed server: tracks are counted on, and one that was cut off does not come again")
def _():
    ada = Owner()
    ada.add("Low", "Long", "High", "Middle", "Long")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.autoplay(jingles={"playlist": jingles_of(ada, "Ident"), "every_tracks": 2})
        until(lambda: ada.playing() == "Long", "the second track", 10)
        # What has passed is stored without anybody waiting for it.
        time.sleep(0.5)
        stage.SERVER.kill()
    stage.SERVER.revive()
    equal(ada.data("autoplay.get", room=ada.room)["autoplay"]["jingles"]["every_tracks"], 2, "the rule")
    with Client(ada.token) as owner:
        owner.data("room.join", {"room": ada.room})
        until(lambda: ada.playing() == "Long", "it goes on", 5)
        owner.data("queue.next", {"room": ada.room})
        until(lambda: heard(ada).get("jingle"), "the jingle after two tracks", 5)
        time.sleep(0.5)
        stage.SERVER.kill()
    stage.SERVER.revive()
    with Client(ada.token) as owner:
        owner.data("room.join", {"room": ada.room})
        titles = []
        until(lambda: titles.append(heard(ada).get("title")) or titles[-1] == "Middle", "the track after next", 15)
    equal([title for title in dict.fromkeys(titles) if title], ["High", "Middle"], "heard after the restart")
    ada.autoplay(on=False)
