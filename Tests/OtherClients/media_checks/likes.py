"""likes.md: liking and rating, what other connections are told, and what somebody types."""
import json, os, subprocess, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, rpc, rpc_refused, true

from media_checks import stage
from media_checks.stage import guest, somebody, tracks

NOBODY = "0" * 26


def ask(token, request, /, **data):
    status, body, _ = rpc(request, data, token)
    equal(status, 200, f"{request} {body}")
    return body["data"]


def sonactl(token, *arguments):
    """(exit code, output, complaint)"""
    done = subprocess.run([stage.SERVER.programs / "sonactl", *arguments], capture_output=True, text=True,
                          env=os.environ | {"SONA_SERVER": helpers.URL, "SONA_TOKEN": token})
    return done.returncode, done.stdout, done.stderr


@check("a like is told on every connection of the account, and to nobody else")
def _():
    token, other = somebody(), somebody()
    track = tracks(token)["song.mp3"]["id"]
    with Client(token) as one, Client(token) as two, Client(other) as three:
        told = one.data("like.set", {"track": track, "liked": True})["opinion"]
        equal((told["kind"], told["id"], told["liked"], told["rating"]), ("track", track, True, None), "the answer")
        for client in (one, two):
            equal(client.event("like.changed", 2)["data"]["opinion"], told, "the event")
        rated = two.data("rating.set", {"track": track, "rating": 4})["opinion"]
        equal(rated, told | {"rating": 4}, "the rating")
        equal(one.event("like.changed", 2, lambda data: data["opinion"]["rating"])["data"]["opinion"], rated, "told")
        equal(one.data("like.set", {"track": track, "liked": True})["opinion"], rated, "once more")
        three.silent(0.3)
        true(not any(isinstance(m, dict) and m["type"] == "like.changed" for m in three.inbox), "others are told")
    found = tracks(token)["song.mp3"]
    equal((found["liked"], found["rating"]), (True, 4), "in lists")
    equal((tracks(other)["song.mp3"]["liked"], "rating" in tracks(other)["song.mp3"]), (False, False), "of another")
    true("liked" not in tracks(guest())["song.mp3"], "of a guest")


@check("likes are listed, the last first, by kind; guests have none; what is not there is said so")
def _():
    token = somebody()
    songs = tracks(token)
    for title in ("short.flac", "long.mp3", "odd.wav"):
        ask(token, "like.set", track=songs[title]["id"], liked=True)
        time.sleep(0.002)
    page = ask(token, "like.list", limit=2)
    equal([like["track"]["title"] for like in page["likes"]], ["odd.wav", "long.mp3"], "the first page")
    equal(page["count"], 3, "all")
    rest = ask(token, "like.list", limit=2, cursor=page["next_cursor"])
    equal(([like["track"]["title"] for like in rest["likes"]], rest["next_cursor"]), (["short.flac"], None), "the last")
    equal(ask(token, "like.list", kind="album")["likes"], [], "albums")
    ask(token, "like.set", track=songs["odd.wav"]["id"], liked=False)
    equal(ask(token, "like.list")["count"], 2, "one taken back")
    for data, status, code in (({"track": NOBODY, "liked": True}, 404, "track.not_found"),
                               ({"album": NOBODY, "liked": True}, 404, "album.not_found"),
                               ({"artist": NOBODY, "liked": True}, 404, "artist.not_found"),
                               ({"room": True, "liked": True}, 409, "room.not_joined"),
                               ({"liked": True}, 400, "request.invalid")):
        rpc_refused(status, code, "like.set", data, token=token)
    rpc_refused(403, "auth.account_required", "like.set", {"track": songs["odd.wav"]["id"], "liked": True}, token=guest())
    rpc_refused(400, "request.invalid", "like.list", {"cursor": "nonsense"}, token=token)


@check("sonactl likes, rates and lists")
def _():
    token = somebody()
    track = tracks(token)["song.mp3"]["id"]
    equal(sonactl(token, "likes", "list"), (0, "", ""), "nothing yet")
    equal(sonactl(token, "likes", "add", track), (0, f"track {track}: liked\n", ""), "a like")
    equal(sonactl(token, "likes", "rate", track, "5"), (0, f"track {track}: liked, 5 stars\n", ""), "a rating")
    code, out, _ = sonactl(token, "likes", "list", "--json")
    equal((code, [like["id"] for like in json.loads(out)["likes"]]), (0, [track]), "as JSON")
    true(sonactl(token, "likes", "list")[1].endswith("  song.mp3\n"), sonactl(token, "likes", "list"))
    equal(sonactl(token, "likes", "remove", track)[1], f"track {track}: not liked, 5 stars\n", "taken back")
    equal(sonactl(token, "likes", "rate", track, "0")[1], f"track {track}: not liked\n", "no stars")
    for arguments, status, word in ((("add", NOBODY), 66, "track.not_found"), (("rate", track, "6"), 64, "1 to 5"),
                                    (("add", "--kind", "genre", track), 64, "genre")):
        code, out, complaint = sonactl(token, "likes", *arguments)
        true((code, out) == (status, "") and word in complaint, f"{arguments}: {code} {out}{complaint}")
