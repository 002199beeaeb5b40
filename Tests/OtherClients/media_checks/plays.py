"""plays.md: what counts as heard, alone and in a room; lists, statistics, what is kept, and what somebody types."""
import json, os, subprocess, threading, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, rpc, rpc_refused, true

from media_checks import stage
from media_checks.likes import NOBODY, ask, sonactl
from media_checks.stage import guest, hear, somebody, tracks


def report(who, track, key, heard, **more):
    data = ask(who, "play.report", track=track, key=key, heard_ms=heard,
               started_ms=int(time.time() * 1000) - heard, **more)
    return data["counted"], data["heard_ms"]


def plays_of(token, title):
    return tracks(token)[title]["plays"]


@check("alone: no more is believed than was sent, and than the time that has passed; half of the track is a play")
def _():
    token = somebody()
    track = tracks(token)["odd.wav"]["id"]  # 10 s
    before = plays_of(token, "odd.wav")
    equal(report(token, track, "a", 10_000), (False, 0), "nothing was sent")
    begin = time.monotonic()
    equal(hear("odd.wav", token)[0], 200, "the stream")
    counted, heard = report(token, track, "a", 10_000)
    true(not counted and heard <= (time.monotonic() - begin) * 1000 + 50, f"{heard} ms at once")
    time.sleep(5.1)
    counted, heard = report(token, track, "a", 10_000)
    true(counted and 5_000 <= heard <= (time.monotonic() - begin) * 1000 + 50, f"{counted}, {heard} ms after 5 s")
    equal(report(token, track, "a", 5_000)[0], True, "the same again")
    equal(plays_of(token, "odd.wav"), before + 1, "the counter")
    listed = ask(token, "play.list")["plays"]
    equal([(play["id"], play["source"], play["heard_ms"]) for play in listed], [(track, "alone", heard)], "the list")
    equal(report(token, track, "b", 10_000)[0], False, "another hearing has to be heard, too")
    # A tenth of the file: a second at most.
    opened = ask(token, "track.open", track=tracks(token)["short.flac"]["id"])
    size = int(hear("short.flac", token, f"?t={opened['token']}", Range="bytes=0-0")[2]["content-range"].split("/")[1])
    hear("short.flac", token, f"?t={opened['token']}", Range=f"bytes=0-{size // 20}")
    _, heard = report(token, tracks(token)["short.flac"]["id"], "c", 20_000, token=opened["token"])
    true(heard <= 1_100, f"{heard} ms of a twentieth of 20 s")
    rpc_refused(400, "request.invalid", "play.report",
                {"track": track, "key": "d", "heard_ms": 1, "started_ms": 1, "token": opened["token"]}, token=token)
    rpc_refused(404, "track.not_found", "play.report", {"track": NOBODY, "key": "d", "heard_ms": 1, "started_ms": 1},
                token=token)
    rpc_refused(403, "auth.account_required", "play.report", {"track": track, "key": "d", "heard_ms": 1, "started_ms": 1},
                token=guest())
    # What is kept of it.
    stats = ask(token, "stats.get", year=time.gmtime().tm_year)
    equal((stats["plays"], [top["id"] for top in stats["tracks"]]), (1, [track]), "statistics")
    popular = [found["id"] for found in ask(token, "library.list", kind="tracks", sort="popular")["tracks"]]
    true(track in popular, "popular")
    equal(ask(token, "play.clear", track=track)["cleared"], 1, "cleared")
    equal((ask(token, "play.list")["plays"], plays_of(token, "odd.wav")), ([], before + 1), "the counter stays")


@check("in a room: half of the host's track that a member heard in step is a play; muted, detached and private ones are none")
def _():
    host, listener, muted, private, detached = (somebody() for _ in range(5))
    track = tracks(host)["odd.wav"]["id"]
    before = plays_of(host, "odd.wav")
    ask(private, "play.settings", private=True)
    room = ask(host, "room.create", title="Plays")["room"]["id"]
    sound = subprocess.Popen(
        [stage.SERVER.programs / "sonactl", "broadcast", "--room", room, "--music", track, str(stage.MUSIC / "odd.wav")],
        env=os.environ | {"SONA_SERVER": helpers.URL, "SONA_TOKEN": host}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    people = {name: Client(token) for name, token in
              (("listener", listener), ("muted", muted), ("private", private), ("detached", detached))}
    try:
        for name, client in people.items():
            client.data("room.join", {"room": room, "audio": name != "detached"})
        end = time.monotonic() + 15
        while (now := ask(host, "room.get", room=room)["now_playing"]) is None:
            true(time.monotonic() < end, f"nothing plays: {sound.poll()}")
            time.sleep(0.1)
        equal(now["track"].get("music"), track, "the track that is heard")
        liked = people["listener"].data("like.set", {"room": True, "liked": True})["opinion"]
        equal((liked["id"], liked["liked"]), (track, True), "saved from the room")
        for _ in range(4):
            time.sleep(2.1)
            for name, client in people.items():
                heard = 0 if name == "muted" else 600_000
                client.data("listening.report", {"window_ms": 2_100, "heard_ms": heard})
        end = time.monotonic() + 5
        while not (listed := ask(listener, "play.list")["plays"]):
            true(time.monotonic() < end, "no play")
            time.sleep(0.1)
        play = listed[0]
        equal((len(listed), play["id"], play["source"], play["room"]), (1, track, "room", room), "the play")
        true(4_900 <= play["heard_ms"] <= 9_500, f"{play['heard_ms']} ms in 8.4 s")
        for name, token in (("muted", muted), ("private", private), ("detached", detached)):
            equal(ask(token, "play.list")["plays"], [], name)
        equal(plays_of(host, "odd.wav"), before + 1, "the counter")
    finally:
        for client in people.values():
            client.ws.close()
        sound.terminate()
        sound.wait(10)
    rpc_refused(409, "room.not_joined", "like.set", {"room": True, "liked": True}, token=listener)


@check("what a room plays that is none of the library cannot be saved, and is no play")
def _():
    host, listener = somebody(), somebody()
    room = ask(host, "room.create", title="Other music")["room"]["id"]
    with Client(listener) as client:
        client.data("room.join", {"room": room})
        client.refused("track.not_in_library", "like.set", {"room": True, "liked": True})


@check("settings of plays are told as they are; sonactl shows and sets them, lists, and counts anew")
def _():
    token = somebody()
    first = {"private": False, "share_plays": False, "share_taste": False, "keep_days": 0}
    equal(ask(token, "play.settings")["settings"], first, "at first")
    code, out, complaint = sonactl(token, "plays", "settings", "--share-plays", "--keep-days", "30", "--json")
    equal((code, complaint, json.loads(out or "null")), (0, "", first | {"share_plays": True, "keep_days": 30}), "set")
    equal(ask(token, "play.settings")["settings"], first | {"share_plays": True, "keep_days": 30}, "kept")
    equal(sonactl(token, "plays", "list"), (0, "", ""), "no plays")
    true(sonactl(token, "plays", "stats", str(time.gmtime().tm_year))[1].startswith("0 plays, 0 h 0 min"), "statistics")
    track = tracks(token)["song.mp3"]["id"]
    equal(sonactl(token, "plays", "report", track, "--key", "k", "--seconds", "60"),
          (0, "No play yet: the server believes 0 s.\n", ""), "a report of nothing")
    equal(sonactl(token, "plays", "clear", "--all")[1], "0 plays were forgotten.\n", "nothing to clear")
    code, out, _ = sonactl(token, "library", "radio", "--track", track, "--seed", "7", "--json")
    equal((code, json.loads(out)["tracks"][0]["id"], json.loads(out)["seed"]), (0, track, 7), "a radio")
    equal(sonactl(token, "library", "similar", track)[0], 0, "similar ones")
    code, out, complaint = sonactl(token, "library", "recount")
    true((code, out) == (77, "") and "auth.forbidden" in complaint, f"{code} {out}{complaint}")
    for arguments, word in ((("clear",), "--all"), (("stats", "1969"), "1970"), (("settings", "--keep-days", "3651"), "3650")):
        code, out, complaint = sonactl(token, "plays", *arguments)
        true((code, out) == (64, "") and word in complaint, f"{arguments}: {code} {out}{complaint}")
