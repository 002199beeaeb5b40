"""What a room plays by itself: the queue, and then a playlist."""
import json, time, urllib.error, urllib.request

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, check, equal, true

from autoplay_checks import stage
from autoplay_checks.stage import TRACKS, Ear, Owner, data, until


@check("a queue is played to its end without a host and without a gap, and the room is told each step")
def _():
    ada = Owner()
    entries = ada.add("Low", "Middle", "High")
    equal([entry["track"]["title"] for entry in entries], ["Low", "Middle", "High"], "the names of the library")
    true(all(entry["track"]["duration_us"] > 0 and entry["track"]["music"] == entry["source"] for entry in entries), f"{entries}")
    equal(ada.data("autoplay.get", room=ada.room)["autoplay"], {"on": False, "playlist": None}, "at first")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ear = Ear(ada.room)
        equal(ada.autoplay(), {"on": True, "playlist": None}, "autoplay.set")
        changed = guest.event("host.changed")["data"]
        equal((changed["host"], changed["state"], changed["follows_queue"]), (None, "server", True), "the seat")
        starts = [guest.event("stream.started", 12)["data"] for _ in range(3)]
        equal([one["track"]["title"] for one in starts], ["Low", "Middle", "High"], "streams")
        gaps = [b["stream"]["start_us"] - a["stream"]["start_us"] for a, b in zip(starts, starts[1:])]
        true(all(abs(gap - 3_000_000) < 100 for gap in gaps), f"tracks of 3 s begin {gaps} µs after each other")
        guest.event("stream.ended", 8)
        until(lambda: ada.playback()["playback"]["state"] == 0, "it stops")
    equal((ada.queue()["now"], ada.queue()["waiting"]), (None, 0), "the queue")
    heard, silence = ear.stop()
    equal([pitch for pitch, _ in heard if pitch], [300, 500, 800], f"heard {heard}")
    true(all(2.8 <= seconds <= 3.05 for pitch, seconds in heard if pitch), f"{heard}")
    true(silence < 8, f"{silence} ms of silence within the tracks")
    plays = ada.data("room.history", room=ada.room)["plays"]
    equal([(play["track"]["title"], play["host"]) for play in plays], [(t, None) for t in ("High", "Middle", "Low")], "history")


@check("each stream has its track's gain, or its album's where a neighbour plays beside it, and a listener applies it")
def _():
    ada = Owner()

    def measured():
        tracks = {track["title"]: track for track in ada.data("library.list")["tracks"]}
        return all("gain" in track for track in tracks.values()) and tracks
    tracks = until(measured, "all tracks are measured", 60)
    low, middle, high = (tracks[title] for title in ("Low", "Middle", "High"))
    # ffmpeg's sine has an amplitude of an eighth: −21 LUFS at its pitch, give or take what K-weighting does.
    true(all(0 < track["gain"] < 600 for track in (low, middle, high)), f"{low['gain']}, {middle['gain']}, {high['gain']}")
    equal(low["album_gain"], middle["album_gain"], "of one album")
    ada.add("Low", "Middle", "High", "Low", "High")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        levelled, plain = Ear(ada.room), Ear(ada.room, "--no-loudness")
        ada.autoplay()
        gains = [guest.event("stream.started", 12)["data"]["stream"].get("gain", 0) for _ in range(5)]
        equal(gains, [low["album_gain"], middle["album_gain"], high["gain"], low["gain"], high["gain"]], "gains")
        guest.event("stream.ended", 12)
    loud, soft = (max(map(abs, ear.samples())) for ear in (levelled, plain))
    true(abs(loud / soft - 10 ** (max(gains) / 2000)) < 0.05, f"peaks of {loud} and {soft} with gains of {gains}")


@check("what cannot be played is passed over, and a track that one may not hear is not taken")
def _():
    ada, bob = Owner(), Owner()
    ada.refused("track.not_found", "queue.add", room=ada.room, tracks=[{"track": {}, "source": "0" * 26}])
    ada.data("queue.add", room=ada.room, tracks=[{"track": {"title": "Elsewhere"}, "source": "https://music.example/a.ogg"}])
    ada.add("High")
    ada.autoplay()
    until(lambda: ada.playing() == "High", "the one after it plays")
    equal(ada.queue()["waiting"], 0, "waiting")
    bob.refused("room.forbidden", "autoplay.set", room=ada.room, on=False)
    bob.refused("room.forbidden", "autoplay.get", room=ada.room)
    private = bob.data("playlist.create", title="Mine", visibility="private")["playlist"]["id"]
    ada.refused("playlist.not_found", "autoplay.set", room=ada.room, on=True, playlist=private)
    equal(ada.autoplay(on=False), {"on": False, "playlist": None}, "off")
    until(lambda: ada.now()["room"]["host_state"] == "none", "the server leaves")


@check("next, previous, pause, seek and play are obeyed by the one who controls, at once")
def _():
    ada = Owner()
    ada.add("Long", "Low", "Middle")
    ada.autoplay()
    until(lambda: ada.playing() == "Long", "it plays")
    with Client(ada.token) as owner, Client() as guest:
        guest.data("room.join", {"room": ada.room})
        owner.data("room.join", {"room": ada.room})
        owner.data("playback.seek", {"position_us": 30_000_000})
        until(lambda: 30_000_000 <= position(ada) < 33_000_000, "the seek")
        guest.refused("room.forbidden", "playback.pause")
        owner.data("playback.pause")
        until(lambda: ada.playback()["playback"]["state"] == 2, "the pause")
        paused = position(ada)
        time.sleep(0.5)
        equal(position(ada), paused, "a paused room")
        owner.data("playback.seek", {"position_us": 10_000_000})
        equal((position(ada), latest(ada)["state"]), (10_000_000, 2), "a seek while paused")
        owner.data("playback.play")
        until(lambda: ada.playback()["playback"]["state"] == 1 and 10_000_000 <= position(ada) < 13_000_000, "it goes on")
        owner.data("queue.next", {"room": ada.room})
        until(lambda: ada.playing() == "Low", "the next")
        owner.data("queue.previous", {"room": ada.room})
        until(lambda: ada.playing() == "Long", "the one before")
        owner.data("playback.pause")
        owner.data("queue.next", {"room": ada.room})
        until(lambda: ada.playing() == "Low" and ada.playback()["playback"]["state"] == 1, "the next of a paused one plays")


def latest(ada):
    found = ada.playback()
    return (found["upcoming"] or [found["playback"]])[-1]


def position(ada):
    """The room's place in its track now, µs."""
    found = ada.playback()
    playback = found["playback"]
    return playback["position_us"] + (found["server_us"] - playback["anchor_us"] if playback["state"] == 1 else 0)


@check("one that repeats is played again without a gap; with all, what was played goes to the end")
def _():
    ada = Owner()
    ada.data("queue.set_repeat", room=ada.room, repeat="one")
    ada.add("Low")
    ada.autoplay()
    ear = Ear(ada.room)
    until(lambda: (ada.queue()["now"] or {}).get("play") == 3, "the third play", 15)
    ada.data("queue.set_repeat", room=ada.room, repeat="all")
    ada.add("High")
    until(lambda: ada.playing() == "High", "the other one")
    equal([entry["track"]["title"] for entry in ada.queue()["entries"]], ["Low"], "what was played waits again")
    heard, silence = ear.stop()
    true(heard[0][0] == 300 and heard[0][1] > 6, f"heard {heard}")
    true(silence < 8, f"{silence} ms of silence")
    ada.autoplay(on=False)


@check("with an empty queue it plays from a playlist: none twice in the cool-down, no artist twice in a row")
def _():
    ada = Owner()
    playlist = ada.data("playlist.create", title="For later")["playlist"]["id"]
    ada.data("playlist.add", playlist=playlist, tracks=[ada.tracks[title] for title in ("Low", "Middle", "High")])
    equal(ada.autoplay(playlist=playlist), {"on": True, "playlist": playlist}, "autoplay.set")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        titles = [guest.event("stream.started", 15)["data"]["track"]["title"] for _ in range(4)]
        equal(sorted(titles[:3]), ["High", "Low", "Middle"], "each once")
        # High and Low are of one artist: in between is the other, unless that was first.
        artists = [TRACKS[title][2] for title in titles]
        true(titles[0] == "Middle" or titles[1] == "Middle", f"{titles} by {artists}")
        # Somebody's own wish comes before the playlist.
        ada.add("Long")
        until(lambda: ada.playing() == "Long", "what was asked for", 12)
    ada.autoplay(on=False)


@check("what is heard is told over HTTP to pages of any origin, as a document and as events, of public rooms only")
def _():
    ada = Owner()
    ada.add("Low", "High")
    path = f"{helpers.URL}/v1/rooms/{ada.room}/now"
    silent = json.load(urllib.request.urlopen(path, timeout=5))
    equal((silent["room"]["id"], silent["now_playing"], silent["playback"]["state"]), (ada.room, None, 0), "before it plays")
    with Client() as guest, urllib.request.urlopen(f"{path}/events", timeout=12) as stream:
        equal((stream.headers["content-type"], stream.headers["access-control-allow-origin"]), ("text/event-stream", "*"), "headers")
        guest.data("room.join", {"room": ada.room})
        ada.autoplay()
        told = {}
        end = time.monotonic() + 15
        while "High" not in told and time.monotonic() < end:
            line = stream.readline().decode()
            if line.startswith("data: "):
                now = json.loads(line.removeprefix("data: "))
                title = now["now_playing"] and now["now_playing"]["track"]["title"]
                told.setdefault(title, now)
        equal(list(told), [None, "Low", "High"], "titles in turn")
        late = told["High"]["server_us"] - told["High"]["now_playing"]["at_us"]
        true(0 <= late < 1_500_000, f"a title is told {late} µs after its sound")
        answer = urllib.request.urlopen(path, timeout=5)
        equal((json.load(answer)["now_playing"]["track"]["title"], answer.headers["access-control-allow-origin"]), ("High", "*"), "the document")
        ada.data("room.update", room=ada.room, visibility="private")
        rest = stream.read().decode()
        true(rest.count("event: now") <= 2, "the stream ends where the room is public no more")
    for ending in ("", "/events"):
        try:
            urllib.request.urlopen(path + ending, timeout=5)
            true(False, "a private room is told of")
        except urllib.error.HTTPError as error:
            equal(error.code, 404, "a private room")
    ada.autoplay(on=False)


@check("a track that is taken down while it plays gives way to the next one, and is not sent again")
def _():
    ada, boss = Owner(), Owner()
    stage.SERVER.operator("user", "set-role", boss.uid, "admin")
    ada.upload("Gone")
    ada.add("Gone", "High")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.autoplay()
        begun = guest.event("stream.started", 12)["data"]["stream"]
        until(lambda: ada.playing() == "Gone", "it plays", 30)
        time.sleep(3)
        boss.data("content.take_down", kind="track", track=ada.tracks["Gone"])
        until(lambda: ada.playing() == "High", "the next one", 4)
        again = guest.data("room.shift", {"by_ms": 1000, "from_us": begun["start_us"], "to_us": begun["start_us"] + 400_000})
        equal(again["packets"], 0, "packets of it")
    ada.autoplay(on=False)
