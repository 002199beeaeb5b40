"""What goes over the wire, held against the WebSocket's packets."""
import random, socket, struct, time

from protocol_checks.helpers import Client, check, equal, true

from autoplay_checks.stage import Owner, until
from autoplay_checks import stage
from snapcast_checks import tools
from snapcast_checks.tools import Player, clock, metric, text


def playing(name, *titles):
    owner = Owner()
    owner.add(*(titles or ("Long",)))
    owner.data("speaker.assign", room=owner.room, speaker=name)
    owner.autoplay()
    until(owner.playing, "it plays")
    return owner


@check("a speaker is answered with settings and Opus, and hears the room's packets at the room's times")
def _():
    owner = playing("exact", "Noise")
    ear = Client()
    ear.data("room.join", {"room": owner.room, "audio": True})
    player = Player("exact")
    kind, refers, _, body = player.next()
    equal((kind, refers), (3, player.hello), "first ServerSettings")
    kind, _, _, body = player.next()
    equal((kind, body), (1, struct.pack("<I4sIIIHH", 4, b"opus", 12, 0x4F505553, 48000, 16, 2)), "then CodecHeader")
    begin = clock()
    found = player.chunks(60)
    true(found[0][1] - begin < 100_000, "sound comes at once")
    wanted = {packet.data: packet.play_at for packet in ear.packets(120)}
    both = [(at + 1_000_000, wanted[packet]) for at, _, packet in found if packet in wanted]
    true(len(both) >= 40, f"{len(both)} packets are the room's own")
    equal([one for one, other in both if one != other], [], "packets at other times")
    true(all(b[0] - a[0] in (19_999, 20_000, 20_001) for a, b in zip(found, found[1:])), "packets follow each other")
    true(found[0][0] + 1_000_000 < begin + 50_000, "the first one is to sound now")


@check("the time is answered at once, on the clock of the packets' times")
def _():
    player = Player("clock")
    player.settings()
    spans = []
    for _ in range(50):
        sent = clock()
        number = player.say(4, bytes(8))
        _, refers, head, body = player.get(4)
        came = clock()
        equal(refers, number)
        there = struct.unpack("<ii", body)
        back = came - (head[3] * 10**6 + head[4])
        spans.append(((there[0] * 10**6 + there[1]) - back, came - sent))
    spans.sort(key=lambda one: one[1])
    # Half the difference of both ways is what a player takes for the difference of the clocks.
    true(abs(spans[0][0]) / 2 <= spans[0][1] / 2 + 50 and spans[0][1] < 20_000, f"off by {spans[0][0] / 2} µs, {spans[0][1]} µs there and back")


@check("volume, silence and latency are told at once; a volume changed at the speaker is stored")
def _():
    owner = playing("volume")
    player = Player("volume")
    equal(player.settings(), {"bufferMs": 1000, "latency": 0, "muted": False, "volume": 100})
    begin = time.monotonic()
    owner.data("speaker.update", room=owner.room, speaker="volume", volume=30, latency_ms=-20, muted=True)
    equal(player.settings(), {"bufferMs": 1000, "latency": -20, "muted": True, "volume": 30})
    true(time.monotonic() - begin < 1, "at once")
    for volume in range(40, 60):
        player.say(7, text({"volume": volume, "muted": False}))
    listed = lambda: owner.data("speaker.list", room=owner.room)["speakers"][0]
    one = until(lambda: listed()["volume"] == 59 and listed(), "it is stored")
    equal((one["id"], one["name"], one["muted"], one["latency_ms"], one["connected"]), ("volume", "hostofvolume", False, -20, True))
    player.close()
    until(lambda: not listed()["connected"], "it is gone")
    again = Player("volume")
    equal(again.settings()["volume"], 59, "after it comes again")


@check("what is no Snapcast ends the connection, and nothing else")
def _():
    whole = Player.HEAD.pack(5, 1, 0, 0, 0, 0, 0, 60) + text({"ID": "torn", "MAC": "1", "SnapStreamProtocolVersion": 2})
    bad = []
    for size in (4097, 65536, 2**31, 2**32 - 1):
        bad.append(Player.HEAD.pack(4, 1, 0, 0, 0, 0, 0, size))
    for body in (b"", b"\xff\xff\xff\xff", text([]), text({}), text({"ID": "a", "SnapStreamProtocolVersion": 3}), struct.pack("<I", 1) + b"{}"):
        bad.append(Player.HEAD.pack(5, 1, 0, 0, 0, 0, 0, len(body)) + body)
    bad.append(Player.HEAD.pack(7, 1, 0, 0, 0, 0, 0, 4) + b"\0\0\0\0")
    for message in bad:
        player = Player(hello=False)
        player.link.sendall(message)
        true(player.ends(3), message.hex())
    twice = Player("twice")
    twice.say(5, text({"ID": "twice", "SnapStreamProtocolVersion": 2}))
    true(twice.ends(3), "a second Hello")
    flood = Player("flood")
    for _ in range(400):
        try:
            flood.say(4, bytes(8))
        except ConnectionError:
            break
    true(flood.ends(5), "too many messages")
    for end in range(0, len(whole), 3):
        player = Player(hello=False)
        player.link.sendall(whole[:end])
        player.close()
    dice = random.Random(34)
    for _ in range(200):
        with socket.create_connection(("127.0.0.1", tools.PORT)) as link:
            try:
                link.sendall(dice.randbytes(dice.randrange(1, 200)))
            except ConnectionError:
                pass
    player = Player("sound")
    player.settings()
    log = stage.SERVER.err.read_text() + stage.SERVER.out.read_text()
    true("speaker.ended" in log, "it is logged")
    until(lambda: metric("sona_speaker_connections") <= 6, "connections are given up")


@check("who says nothing is closed, and 257 connections are one too many", slow=True)
def _():
    idle = [Player(hello=False) for _ in range(240)]
    more = [Player(hello=False) for _ in range(30)]
    true(sum(one.ends(0.2) for one in more) >= 10, "those above 256 are closed at once")
    true(all(one.ends(12) for one in idle), "the others when they have said nothing")
    Player("afterwards").settings()


@check("a speaker that does not read is closed, and the others hear on", slow=True)
def _():
    owner = playing("slow")
    owner.data("speaker.assign", room=owner.room, speaker="quick")
    slow, quick = Player("slow", buffer=4096), Player("quick")
    before = metric("sona_slow_speakers_closed_total")
    end = time.monotonic() + 45
    while metric("sona_slow_speakers_closed_total") == before and time.monotonic() < end:
        quick.chunks(10)
        # It goes on asking for the time, as players do.
        try:
            slow.say(4, bytes(8))
        except OSError:
            break
    true(metric("sona_slow_speakers_closed_total") == before + 1 or slow.ends(1), "it is closed")
    found = quick.chunks(20)
    true(all(b[0] - a[0] < 21_000 for a, b in zip(found, found[1:])), "the other one")
