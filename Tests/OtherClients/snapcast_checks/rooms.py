"""Which room a speaker hears, and who may."""
import time

from protocol_checks.helpers import account, check, equal, rpc, true

from autoplay_checks.stage import Owner, data, operator, until
from snapcast_checks import tools
from snapcast_checks.messages import playing
from snapcast_checks.tools import Player, metric


def listeners(owner):
    return owner.now()["room"]["listeners"]


def silent(player, seconds=1.0):
    """Nothing but settings and answers comes."""
    end = time.monotonic() + seconds
    while (message := player.next(max(0.01, end - time.monotonic()))) is not None:
        if message[0] == 2:
            return False
    return not player.isClosed


@check("a speaker is given to a room, to another one, and forgotten; it counts as a listener")
def _():
    one, other = playing("moved"), Owner()
    other.add("Noise")
    player = Player("moved")
    player.settings()
    before = player.chunks(10)
    until(lambda: listeners(one) == 1, "it counts")
    other.refused("speaker.taken", "speaker.assign", room=other.room, speaker="moved")
    other.refused("speaker.not_found", "speaker.update", room=other.room, speaker="moved", volume=3)
    other.refused("speaker.not_found", "speaker.forget", room=other.room, speaker="moved")
    one.data("speaker.forget", room=one.room, speaker="moved")
    true(player.ends(3), "it begins anew")
    player = Player("moved")
    player.settings()
    true(silent(player), "no room has it")
    until(lambda: listeners(one) == 0, "it does not count any more")
    other.autoplay()
    until(other.playing, "it plays")
    other.data("speaker.assign", room=other.room, speaker="moved")
    player.get(1)
    found = player.chunks(10)
    true(found[0][0] + 1_000_000 < tools.clock() + 100_000, "at once")
    true(not {packet for _, _, packet in before} & {packet for _, _, packet in found}, "another room")
    until(lambda: listeners(other) == 1, "it counts there")
    other.data("room.close", room=other.room)
    player.get(1)
    true(silent(player), "its room has ended, and it stays")


@check("an owner's second room takes a speaker from the first; a newer connection takes the older one's place")
def _():
    owner = playing("twin")
    first = Player("twin")
    first.chunks(5)
    second = Player("twin")
    second.chunks(5)
    true(first.ends(3) and not second.isClosed, "the first is closed")
    equal([one["connected"] for one in owner.data("speaker.list", room=owner.room)["speakers"]], [True])


@check("a private room is heard by its own speakers, and with the token of a signed address")
def _():
    owner = playing("own")
    owner.data("room.update", room=owner.room, visibility="private")
    own = Player("own")
    own.chunks(5)
    stranger = Player("stranger", auth=(owner.room, ""))
    code = stranger.get(8)
    true(b"room" in code[3] and stranger.ends(3), "not without a token")
    wrong = Player("stranger", auth=(owner.room, "bm8.bm8"))
    true(wrong.get(8) and wrong.ends(3), "not with a wrong one")
    path = owner.data("listen.addresses", room=owner.room)["opus"]
    signed = Player("signed", auth=(owner.room, path.split("?t=")[1]))
    signed.chunks(5)
    until(lambda: listeners(owner) >= 2, "they count")
    public = playing("other")
    named = Player("named", auth=(public.room, ""))
    named.chunks(5)
    public.data("room.update", room=public.room, visibility="private")
    true(named.get(8) and named.ends(3), "not when it is private")
    true(not own.isClosed and not signed.isClosed, "the others stay")


@check("who is in no room hears the room for all, once there is one")
def _():
    player = Player("lost")
    player.settings()
    true(silent(player, 0.5), "there is none")
    made = account(username=tools.HOUSE)
    token = made["access_token"]
    room = data("room.create", {"title": "House", "visibility": "public"}, token)["room"]["id"]
    track = next(one["id"] for one in data("library.list", token=token)["tracks"] if one["title"] == "Long")
    data("queue.add", {"room": room, "tracks": [{"track": {"title": "x"}, "source": track}]}, token)
    data("autoplay.set", {"room": room, "on": True}, token)
    again = Player("lost")
    again.chunks(5)
    true(player.ends(3), "the former connection")
    data("room.update", {"room": room, "visibility": "private"}, token)
    until(lambda: metric("sona_speakers_listening") == 0 or silent(again, 0.3), "not when it is private", 10)


@check("only who manages a room sees and changes its speakers")
def _():
    owner, other = playing("mine"), Owner()
    for kind, more in (("speaker.list", {}), ("speaker.assign", {"speaker": "x"}), ("speaker.update", {"speaker": "mine", "volume": 1}),
                       ("speaker.forget", {"speaker": "mine"})):
        other.refused("room.forbidden", kind, room=owner.room, **more)
        status, body, _ = rpc(kind, {"room": owner.room} | more)
        equal(body["error"]["code"], "auth.required", kind)
    equal(owner.data("speaker.list", room=owner.room)["unassigned"], [], "not for everybody")
    for number in range(63):
        owner.data("speaker.assign", room=owner.room, speaker=f"mine-{number}")
    owner.refused("speaker.limit_reached", "speaker.assign", room=owner.room, speaker="mine-63")


@check("a speaker at an address that is banned is closed at once, and comes in no more")
def _():
    owner = playing("banned")
    player = Player("banned", source="127.0.0.2")
    player.chunks(5)
    operator("addresses.ban", {"range": "127.0.0.2", "seconds": 3600})
    try:
        begin = time.monotonic()
        true(player.ends(3) and time.monotonic() - begin < 1, "it is closed")
        try:
            true(Player("banned", source="127.0.0.2").ends(2), "it comes in no more")
        except ConnectionError:
            pass
        until(lambda: listeners(owner) == 0, "it does not count")
    finally:
        operator("addresses.unban", {"range": "127.0.0.2"})
    Player("banned", source="127.0.0.2").chunks(5)
