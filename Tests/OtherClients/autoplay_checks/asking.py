"""Visitors of other pages who ask a room for tracks. Protocol/spec/song-requests.md."""
import json, urllib.error, urllib.parse, urllib.request

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, check, equal, rpc, true

from autoplay_checks.stage import Owner, until


def ask(room, query=None, body=None, method=None):
    """Status, data or code of the error, and headers."""
    url = f"{helpers.URL}/v1/rooms/{room}/song-requests" + ("" if query is None else "?" + urllib.parse.urlencode({"q": query}))
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "text/plain", "Origin": "https://elsewhere.example"}, method=method)
    try:
        answer = urllib.request.urlopen(request, timeout=5)
        return answer.status, json.load(answer)["data"], answer.headers
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text)["error"]["code"] if text.startswith(b"{") else text.decode(), error.headers


def code(*arguments, **fields):
    return ask(*arguments, **fields)[1]


@check("visitors may ask nothing until it is on, then they find titles and ask for them, and the queue's rules hold")
def _():
    ada, bob = Owner(), Owner()
    equal(ada.data("song_requests.get", room=ada.room)["song_requests"], {"on": False, "playlist": None}, "at first")
    equal(ask(ada.room, "low")[:2], (404, "room.not_found"), "while it is off")
    equal(code(ada.room, body={"track": ada.tracks["Low"]}), "room.not_found", "asking while it is off")
    bob.refused("room.forbidden", "song_requests.set", room=ada.room, on=True)
    bob.refused("room.forbidden", "song_requests.get", room=ada.room)
    ada.data("song_requests.set", room=ada.room, on=True)
    status, found, headers = ask(ada.room, "lo")
    equal((status, headers["access-control-allow-origin"]), (200, "*"), "to pages of any origin")
    equal([track["title"] for track in found["tracks"]], ["Long", "Low"], "found by the beginnings of words")
    equal(found["needs_approval"], True, "as the queue's rules are at first")
    true(all(set(track) <= {"title", "artist", "album", "duration_us", "artwork", "music"} for track in found["tracks"]), f"{found}")
    equal(len(ask(ada.room)[1]["tracks"]), len(ada.tracks), "without a query")
    equal(ask(ada.room, "zzz")[1]["tracks"], [], "nothing found")
    low = next(track["music"] for track in found["tracks"] if track["title"] == "Low")
    with Client(ada.token) as owner:
        owner.data("room.join", {"room": ada.room})
        equal(ask(ada.room, body={"track": low})[:2], (200, {"approved": False}), "it waits for approval")
        added = owner.event("queue.changed")["data"]["changes"][0]["entries"][0]
        equal((added["track"]["title"], added["approved"], added["user"]["username"], added["user"]["guest"]), ("Low", False, None, True), "the entry")
        equal(code(ada.room, body={"track": low}), "queue.duplicate", "the same again")
        ada.data("queue.approve", room=ada.room, id=added["id"])
    ada.data("queue.set_rules", room=ada.room, rules={"needs_approval": False, "suggesters": "nobody"})
    equal(ask(ada.room, body={"track": ada.tracks["High"]})[1], {"approved": True}, "straight into the queue")
    ada.autoplay()
    until(lambda: ada.playing() == "Low", "it plays", 10)
    ada.autoplay(on=False)


@check("only what is in the playlist can be asked for, if there is one; a room that is private takes no requests")
def _():
    ada = Owner()
    playlist = ada.data("playlist.create", title="To ask for", visibility="private")["playlist"]["id"]
    ada.data("playlist.add", playlist=playlist, tracks=[ada.tracks["High"]])
    ada.data("song_requests.set", room=ada.room, on=True, playlist=playlist)
    equal([track["title"] for track in ask(ada.room)[1]["tracks"]], ["High"], "what may be asked for")
    equal(ask(ada.room, "low")[1]["tracks"], [], "what may not be found")
    equal(ask(ada.room, body={"track": ada.tracks["Low"]})[:2], (404, "track.not_found"), "another track")
    equal(code(ada.room, body={"track": "0" * 26}), "track.not_found", "no track")
    for body in ({}, {"track": 7}, {"track": "x"}):
        equal(code(ada.room, body=body), "request.invalid", f"{body}")
    equal(ask(ada.room, "x" * 201)[:2], (400, "request.invalid"), "a query that is too long")
    equal(ask(ada.room, method="DELETE")[0], 405, "DELETE")
    ada.data("room.update", room=ada.room, visibility="private")
    equal(code(ada.room, body={"track": ada.tracks["High"]}), "room.not_found", "a private room")
    ada.data("room.update", room=ada.room, visibility="public")
    ada.data("playlist.delete", playlist=playlist)
    equal(ask(ada.room)[1]["tracks"], [], "a playlist that is gone")
    other = account()["access_token"]
    equal(rpc("song_requests.set", {"room": ada.room, "on": True, "playlist": "0" * 26}, ada.token)[1]["error"]["code"], "playlist.not_found", "no playlist")
    ada.data("song_requests.set", room=ada.room, on=False)
    equal(ask(ada.room)[1], "room.not_found", "off again")
    true(other, "another account is no matter")


@check("one address has as many waiting as the queue's rules allow, and a room takes so many in a while from all")
def _():
    ada = Owner()
    ada.data("song_requests.set", room=ada.room, on=True)
    ada.data("queue.set_rules", room=ada.room, rules={"needs_approval": False, "waiting_per_person_max": 2, "cooldown_s": 0})
    titles = ["Low", "Middle", "High"]
    codes = [ask(ada.room, body={"track": ada.tracks[title]})[1] for title in titles]
    equal(codes, [{"approved": True}] * 2 + ["queue.person_limit"], "three from one address")
    refused = [ask(ada.room, body={"track": ada.tracks["Low"]}) for _ in range(40)]
    limited = [one for one in refused if one[1] == "request.rate_limited"]
    true(limited and limited[0][0] == 429 and int(limited[0][2]["retry-after"]) >= 1, f"{refused[-1][:2]}")
    equal(limited[0][2]["access-control-allow-origin"], "*", "an error, too, is for pages of any origin")
    equal(len(ask(ada.room)[1]["tracks"]), len(ada.tracks), "searching goes on")
