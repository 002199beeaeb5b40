"""What a room keeps of an evening, read back by its moments. Written from Protocol/spec/replays.md."""
import json, os, subprocess, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, check, equal, rpc, true

from autoplay_checks import stage
from autoplay_checks.stage import FOLDER, Owner, data, until

#: How far a moment may be from what was seen from here, ms.
NEAR = 120


def wall():
    return time.time() * 1000


def code(kind, fields, token=None):
    status, body, _ = rpc(kind, fields, token)
    return body["error"]["code"] if body.get("type") == "error" else None


class Evening(Owner):
    """A room that keeps replays, and a guest in it."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.data("room.update", room=self.room, replays=True)
        self.titles = {track: title for title, track in self.tracks.items()}
        self.remote = Client(self.token)
        self.guest = Client()
        entered = self.guest.data("room.join", {"room": self.room})
        true(entered["room"]["replays"] is True, "who enters is told")

    def say(self, text):
        """When it was said, by the clock of this machine, which is the server's."""
        self.guest.data("chat.send", {"text": text})
        return wall()

    def seen(self):
        """(wall ms, title, position ms, playing) now, as members see it."""
        found, at = self.playback(), wall()
        playback = found["playback"]
        ahead = (found["server_us"] - playback["anchor_us"]) / 1000 if playback["state"] == 1 else 0
        return at, self.playing(), playback["position_us"] / 1000 + max(0, ahead), playback["state"] == 1

    def replays(self):
        return self.data("replay.list", room=self.room)["replays"]

    def whole(self, replay, limit=3):
        """All of a replay, by pages of a few."""
        passages, plays, after = [], {}, None
        while True:
            page = self.data("replay.passages", replay=replay, limit=limit, **({} if after is None else {"after": after}))
            passages += page["passages"]
            plays |= {play["id"]: play for play in page["plays"]}
            after = page["next_after"]
            if after is None:
                break
        messages, reactions, moment = [], [], 0
        while moment is not None:
            page = self.data("replay.moments", replay=replay, from_ms=moment, limit=2)
            messages += page["messages"]
            reactions += page["reactions"]
            true(page["next_ms"] is None or page["next_ms"] > moment, "a page that does not go on")
            moment = page["next_ms"]
        return passages, plays, messages, reactions


def heard_at(passages, plays, moment):
    """(title, position ms, whether it sounds) at a moment."""
    passage = next(p for p in reversed(passages) if p["at_ms"] <= moment)
    title = plays[passage["play"]]["track"]["title"] if passage["play"] else None
    return title, passage["position_us"] / 1000 + (moment - passage["at_ms"] if passage["sounds"] else 0), passage["sounds"]


@check("an evening with a pause, a seek, a kill -9 and chat comes back at its milliseconds")
def _():
    ada = Evening()
    ada.say("Before it begins")
    ada.add("Middle", "Long", "Low")
    ada.autoplay()
    seen, said = [], []
    until(lambda: ada.playing() == "Middle", "it plays")
    said.append(("First", ada.say("First")))
    for _ in range(3):
        time.sleep(0.3)
        seen.append(ada.seen())
    ada.guest.data("reaction.send", {"emoji": "👏"})
    ada.guest.data("reaction.send", {"emoji": "👏"})
    clapped = wall()
    until(lambda: ada.playing() == "Long", "the next track")
    seen.append(ada.seen())
    ada.remote.data("playback.pause", {"room": ada.room})
    until(lambda: ada.playback()["playback"]["state"] == 2, "it is paused")
    paused = wall()
    said.append(("In the pause", ada.say("In the pause")))
    time.sleep(0.5)
    ada.remote.data("playback.seek", {"room": ada.room, "position_us": 20_000_000})
    ada.remote.data("playback.play", {"room": ada.room})
    until(lambda: ada.seen()[2] > 20_300, "it goes on from there")
    for _ in range(2):
        seen.append(ada.seen())
        time.sleep(0.3)
    # A room that plays writes its place down at least every five seconds: what was heard since then is not known.
    time.sleep(1.5)
    seen.append(ada.seen())
    time.sleep(5.2)
    killed = wall()
    stage.SERVER.kill()
    time.sleep(0.5)
    stage.SERVER.revive()
    ada.guest = Client()
    ada.guest.data("room.join", {"room": ada.room})
    until(lambda: ada.now()["room"]["host_state"] == "server" and ada.playback()["playback"]["state"] == 1 and ada.playing() == "Long", "it plays again", 8)
    time.sleep(0.5)
    again = ada.seen()
    seen.append(again)
    said.append(("After the kill", ada.say("After the kill")))
    ada.data("queue.next", room=ada.room)
    until(lambda: ada.playing() == "Low", "the last track")
    time.sleep(0.3)
    seen.append(ada.seen())
    until(lambda: ada.playback()["playback"]["state"] == 0, "it is over")
    over = wall()
    said.append(("Good night", ada.say("Good night")))
    time.sleep(2.5)

    (replay,) = ada.replays()
    passages, plays, messages, reactions = ada.whole(replay["id"])
    start = replay["start_ms"]
    true(replay["end_ms"] is None and replay["plays"] == 3 and replay["room"] == ada.room, f"{replay}")
    equal([plays[one]["track"]["title"] for one in sorted(plays)], ["Middle", "Long", "Low"], "plays")
    true(all(ada.titles[play["track"]["music"]] == play["track"]["title"] for play in plays.values()), "tracks of the library")
    first = ada.data("room.history", room=ada.room)["plays"][-1]
    true(abs(first["at_ms"] - start) <= 2, f"it begins at {start}, the first track at {first['at_ms']}")
    true(all(a["at_ms"] <= b["at_ms"] for a, b in zip(passages, passages[1:])), f"in their order: {passages}")
    for at, title, position, playing in seen:
        found = heard_at(passages, plays, at - start)
        true((found[0], found[2]) == (title, playing) and abs(found[1] - position) < NEAR, f"at {at - start:.0f} ms: {found}, and it was {title} at {position:.0f}")
    pause = next(p for p in passages if not p["sounds"])
    true(-1500 < start + pause["at_ms"] - paused <= NEAR, f"the pause is at {pause['at_ms']} ms, {paused - start:.0f} was seen")
    silences = [(p["at_ms"] + start, q["at_ms"] + start) for p, q in zip(passages, passages[1:]) if not p["sounds"]]
    true(any(killed - 6000 < a <= killed + NEAR and killed < b <= again[0] for a, b in silences), f"silence about {killed - start:.0f}: {passages}")
    true(not passages[-1]["sounds"] and abs(passages[-1]["at_ms"] + start - over) < 800, f"it ends with silence: {passages[-1]}")
    equal([one["text"] for one in messages], [text for text, _ in said], "messages")
    for message, (text, at) in zip(messages, said):
        true(abs(message["at_ms"] - at) < NEAR, f"{text}: at {message['at_ms']}, said at {at:.0f}")
    equal([one["counts"] for one in reactions], [[{"emoji": "👏", "count": 2}]], "reactions")
    true(abs(start + reactions[0]["at_ms"] - clapped) < 1500, f"{reactions[0]['at_ms']} ms, sent at {clapped - start:.0f}")
    # One minute of it, as a player asks.
    part = ada.data("replay.moments", replay=replay["id"], from_ms=0, to_ms=int(said[1][1] - start - NEAR))
    equal([one["text"] for one in part["messages"]], ["First"], "the beginning")
    ada.autoplay(on=False)


@check("what is deleted is gone from the replay, and so is what a removed account said")
def _():
    ada = Evening()
    bob = account()
    ada.add("Middle")
    ada.autoplay()
    until(lambda: ada.replays(), "a replay has begun")
    (replay,) = ada.replays()
    texts = lambda: [one["text"] for one in ada.whole(replay["id"])[2]]  # noqa: E731
    wrong = data("chat.send", {"room": ada.room, "text": "Wrong"}, bob["access_token"])["message"]["id"]
    data("chat.send", {"room": ada.room, "text": "Bob's"}, bob["access_token"])
    mine = ada.data("chat.send", room=ada.room, text="Old")["message"]["id"]
    ada.data("chat.edit", room=ada.room, id=mine, text="New")
    equal(texts(), ["Wrong", "Bob's", "New"], "at first")
    # A moderator deletes one, its author the other with everything else.
    ada.data("chat.delete", room=ada.room, id=wrong)
    equal(texts(), ["Bob's", "New"], "without what was deleted")
    data("account.remove", {"code": data("account.export", {}, bob["access_token"])["code"]}, bob["access_token"])
    equal(texts(), ["New"], "without whoever has gone")
    true(bob["username"] not in json.dumps(ada.whole(replay["id"])), "the name is there")
    ada.autoplay(on=False)


@check("a replay is for whoever may see the room, and only its owner removes it or turns replays on")
def _():
    ada = Evening()
    ada.add("Middle")
    ada.autoplay()
    until(lambda: ada.replays(), "a replay has begun")
    (replay,) = ada.replays()
    stranger = account()["access_token"]
    named = {"replay": replay["id"]}
    reads = ("replay.get", "replay.passages", "replay.moments")
    for kind in reads:
        equal(code(kind, named, stranger), None, f"{kind} of a public room")
    equal(code("replay.remove", named, stranger), "room.forbidden", "removing")
    equal(code("room.update", {"room": ada.room, "replays": False}, stranger), "room.forbidden", "turning them off")
    ada.guest.ws.close()
    ada.data("room.update", room=ada.room, visibility="private", on_private="leave")
    for kind in (*reads, "replay.remove"):
        equal(code(kind, named, stranger), "replay.not_found", f"{kind} of a private room")
        equal(code(kind, {"replay": "01JDQ6Z3M8R5V2K7X4N9T1B0CF"}, ada.token), "replay.not_found", f"{kind} of no replay")
    equal(code("replay.list", {"room": ada.room}, stranger), "room.not_found", "the list of a private room")
    equal(code("replay.get", {"replay": "x"}, ada.token), "request.invalid", "no identifier")
    equal(code("replay.list", {}, ada.token), "room.not_joined", "no room")
    equal(ada.data("replay.get", replay=replay["id"])["room"]["id"], ada.room, "its owner")
    export = ada.data("account.export")["export"]
    mine = next(room for room in export["rooms"] if room["id"] == ada.room)
    equal((mine["keeps_replays"], [one["id"] for one in mine["replays"]]), (True, [replay["id"]]), "the export")
    equal(ada.data("replay.remove", replay=replay["id"]), {}, "removing")
    equal(code("replay.get", named, ada.token), "replay.not_found", "when it is gone")
    ada.autoplay(on=False)


@check("what is heard while replays are off is not kept, and everybody inside is told of both")
def _():
    ada = Owner()
    guest = Client()
    equal(guest.data("room.join", {"room": ada.room})["room"].get("replays"), None, "at first")
    ada.add("Long")
    ada.autoplay()
    until(lambda: ada.playing() == "Long", "it plays")
    guest.data("chat.send", {"text": "Not kept"})
    equal(ada.data("replay.list", room=ada.room)["replays"], [], "nothing is kept")
    ada.data("room.update", room=ada.room, replays=True)
    equal(guest.event("room.updated")["data"]["room"]["replays"], True, "told")
    begun = wall()
    until(lambda: ada.data("replay.list", room=ada.room)["replays"], "a replay has begun")
    guest.data("chat.send", {"text": "Kept"})
    found, at = ada.playback(), wall()
    place = (found["playback"]["position_us"] + found["server_us"] - found["playback"]["anchor_us"]) / 1000
    ada.data("room.update", room=ada.room, replays=False)
    ended = wall()
    equal(guest.event("room.updated")["data"]["room"].get("replays"), None, "told")
    guest.data("chat.send", {"text": "Not kept either"})
    (replay,) = ada.data("replay.list", room=ada.room)["replays"]
    true(abs(replay["start_ms"] - begun) < NEAR and abs(replay["end_ms"] - ended) < NEAR, f"{replay}, on at {begun:.0f}, off at {ended:.0f}")
    page = ada.data("replay.passages", replay=replay["id"])
    title, position, sounds = heard_at(page["passages"], {play["id"]: play for play in page["plays"]}, at - replay["start_ms"])
    true((title, sounds) == ("Long", True) and abs(position - place) < NEAR, f"{title} at {position:.0f}, and it was at {place:.0f}")
    equal([one["text"] for one in ada.data("replay.moments", replay=replay["id"])["messages"]], ["Kept"], "messages")
    ada.autoplay(on=False)


@check("what a host plays from elsewhere is kept by its titles, each from its own beginning")
def _():
    ada = Evening()
    with Client(ada.token) as host:
        host.data("room.join", {"room": ada.room})
        host.data("host.start", {"pacing": "server", "track": {"title": "First"}, "position_us": 5_000_000})
        time.sleep(1)
        host.data("host.track", {"track": {"title": "Second"}})
        second = wall()
        time.sleep(1)
        host.data("host.pause")
        paused = wall()
        time.sleep(0.3)
        host.data("host.stop")
    until(lambda: ada.replays() and ada.replays()[0]["plays"] == 2, "two plays")
    (replay,) = ada.replays()
    passages, plays, _, _ = ada.whole(replay["id"])
    titles = [plays[p["play"]]["track"]["title"] if p["play"] else None for p in passages]
    equal(titles[:3], ["First", "Second", None], f"{passages}")
    places = [round(p["position_us"] / 1000) for p in passages[:3]]
    true(places[:2] == [5000, 0] and abs(places[2] - 1000) < NEAR, f"places: {places}")
    true(abs(replay["start_ms"] + passages[1]["at_ms"] - second) < NEAR and abs(replay["start_ms"] + passages[2]["at_ms"] - paused) < NEAR, f"{passages}")


@check("sonactl turns them on, lists, shows and removes them")
def _():
    ada = Owner()

    def sonactl(*words, fails=False):
        done = subprocess.run([stage.PROGRAMS / "sonactl", *words, "--server", helpers.URL], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=os.environ | {"XDG_CONFIG_HOME": str(FOLDER), "SONA_TOKEN": ada.token}, timeout=20)
        true((done.returncode != 0) == fails, f"{words}: {done.returncode} {done.stderr}")
        return done.stdout
    sonactl("rooms", "update", ada.room, "--replays")
    equal(ada.now()["room"]["replays"], True, "the room")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.add("Middle")
        ada.autoplay()
        until(lambda: ada.data("replay.list", room=ada.room)["replays"], "a replay has begun")
        guest.data("chat.send", {"text": "Hello"})
    listed = sonactl("rooms", "replays", "list", ada.room)
    replay = listed.split()[0]
    true("1 track" in listed and "goes on" in listed, listed)
    shown = sonactl("rooms", "replays", "show", replay)
    true("♪ Middle by Bob" in shown and "Hello" in shown, shown)
    found = json.loads(sonactl("rooms", "replays", "show", replay, "--json"))
    equal((found["replay"]["id"], len(found["plays"]), found["messages"][0]["text"]), (replay, 1, "Hello"), "as JSON")
    sonactl("rooms", "replays", "remove", replay)
    equal(ada.data("replay.list", room=ada.room)["replays"], [], "when it is gone")
    sonactl("rooms", "replays", "show", replay, fails=True)
    sonactl("rooms", "update", ada.room, "--no-replays")
    equal(ada.now()["room"].get("replays"), None, "the room")
    ada.autoplay(on=False)
