"""audio.md: what a listener gets."""
import time

from protocol_checks.helpers import Client, check, equal, packets_of, true
from protocol_checks.host import STREAM, Host


@check("the snapshot of @demo, the burst and the live edge; a join that fails leaves everything; leaving ends it")
def _():
    with Client() as c:
        c.probe()
        before = c.probe()
        snapshot = c.data("room.join", {"room": "@demo"})
        true(not [m for m in c.inbox if isinstance(m, bytes) or "room" in m],
             "something of the room came before the reply")
        equal(snapshot["you"]["role"], "listener", "role")
        packets = c.packets(40)
        preroll = [p for p in packets if p.flags & 2]
        equal(len(preroll), 8, "packets of pre-roll")
        equal([p.seq - packets[0].seq for p in packets], list(range(len(packets))), "seq")
        first = packets[8].play_at
        true(before + 60_000 <= first <= c.probe() + 60_000 + packets[8].samples * 1000 // 48 + 20_000,
             "where the burst begins")
        for a, b in zip(packets, packets[1:]):
            true(abs(b.play_at - a.play_at - a.samples * 1000 / 48) <= 101, "spacing")
        stream, here = snapshot["stream"], c.data("playback.get")
        equal(here["playback"]["epoch"], stream["epoch"], "epoch")
        c.refused("room.not_found", "room.join", {"room": "A" * 20})
        c.packets(10, seconds=3)
        again = c.data("room.join", {"room": "@demo"})
        equal(again["room"]["id"], snapshot["room"]["id"], "room")
        c.inbox.clear()
        equal(c.data("room.leave"), {}, "data")
        c.inbox.clear()
        c.silent(0.5)
        equal([m for m in c.inbox if isinstance(m, bytes) or "room" in m], [], "what came after leaving")
        c.refused("room.not_joined", "room.leave")


@check("with audio false no audio comes")
def _():
    with Client() as c:
        c.data("room.join", {"room": "@demo", "audio": False})
        c.silent(1)
        equal([m for m in c.inbox if isinstance(m, bytes) and m[0] in (0x10, 0x11)], [], "audio")


@check("files follow each other without a gap; who joins between learns of both epochs")
def _():
    with Host(lead_ms=2000) as h:
        h.start()
        h.fill(100)
        end, one = h.play_at(h.sample), h.started["epoch"]
        h.start(track={"title": "Second"})
        h.fill(50)
        true(abs(h.started["start_us"] - end) <= 1 or h.started["start_us"] - end == 6500,
             f"a gap of {h.started['start_us'] - end} us")
        two = h.started["epoch"]
        equal(two, one + 1, "epoch")
        with Client() as late:
            snapshot = late.data("room.join", {"room": h.room})
            # The first begins up to 3 s from now, the second 2 s later; who is more than 4 s ahead is read from later.
            late.silent(1.5)
            known, seen = {s["epoch"] for s in snapshot.get("streams", [snapshot["stream"]])}, set()
            for m in late.inbox:
                if isinstance(m, dict) and m["type"] == "stream.started":
                    known.add(m["data"]["stream"]["epoch"])
                for p in packets_of(m) if isinstance(m, bytes) else ():
                    seen.add(p.epoch)
                    true(p.epoch in known, f"packets of epoch {p.epoch}, of which nothing was told; epoch {one} sounds")
            equal(seen, {one, two}, "epochs heard")
        packets = h.listener.packets(150)
        equal([p.epoch for p in packets], [one] * 100 + [two] * 50, "epochs")
        equal([p.seq - packets[0].seq for p in packets], list(range(150)), "seq through both epochs")
        equal([p.flags & 1 for p in packets], [1] + [0] * 99 + [1] + [0] * 49, "DISCONTINUITY")


@check("the streams of a snapshot: all of which something is to be heard, oldest first")
def _():
    with Host() as h:
        equal((h.snapshot["stream"], h.snapshot.get("streams")), (None, []),
              "stream and streams where nothing was sent")
    with Host(lead_ms=2000) as h:
        h.start()
        h.fill(20)
        h.start(track={"title": "Second"})
        h.fill(150)
        told = [h.listener.event("stream.started")["data"]["stream"] for _ in range(2)]
        with Client() as late:
            both = late.data("room.join", {"room": h.room})
            equal(both.get("streams"), told, "streams while the first is to come")
            equal(both["stream"], told[-1], "stream")
            time.sleep(max(0, (told[1]["start_us"] - late.probe()) / 10**6 + 0.5))
            snapshot = late.data("room.join", {"room": h.room})
            equal((snapshot.get("streams"), snapshot["stream"]), (told[1:], told[1]),
                  "streams and stream in the second")
    with Client() as c:
        snapshot = c.data("room.join", {"room": "@demo"})
        equal(snapshot.get("streams", [])[-1:], [snapshot["stream"]], "the newest of streams in @demo")


@check("an epoch that continues has no DISCONTINUITY")
def _():
    with Host(lead_ms=2000) as h:
        h.start()
        h.fill(100)
        h.client.data("host.start", {"stream": STREAM | {"pre_skip": 0}, "pacing": "server", "continues": True})
        h.started = {"epoch": h.started["epoch"] + 1}
        h.seq = h.sample = 0
        h.fill(20)
        packets = h.listener.packets(120)
        equal([p.flags & 1 for p in packets], [1] + [0] * 119, "DISCONTINUITY")
        gap = packets[100].play_at - packets[99].play_at
        true(abs(gap - 20_000) <= 100, f"{gap} us from one to the next")
        streams = [h.listener.event("stream.started")["data"]["stream"]["continues"] for _ in range(2)]
        equal(streams, [False, True], "continues")


@check("a gap in the host's seq: the next packet has DISCONTINUITY and its own time")
def _():
    with Host() as h:
        h.start()
        h.fill(10)
        h.seq, h.sample = h.seq + 5, h.sample + 5 * 960
        h.fill(10)
        packets = h.listener.packets(20)
        equal([p.flags & 1 for p in packets], [1] + [0] * 9 + [1] + [0] * 9, "DISCONTINUITY")
        true(abs(packets[10].play_at - h.play_at(15 * 960)) <= 100, "play_at after the gap")
        equal([p.data for p in packets], [s[2] for s in h.sent], "bytes")


@check("a packet too late begins an epoch of the server's own, a lead from now; the host keeps its epoch")
def _():
    with Host() as h:
        h.start()
        h.fill(20)
        h.listener.packets(20)
        time.sleep(2.5)
        h.client.inbox.clear()
        h.listener.inbox.clear()
        now = h.client.probe()
        h.fill(10)
        stream = h.listener.event("stream.started")["data"]["stream"]
        equal((stream["continues"], stream["epoch"]), (True, h.started["epoch"] + 1), "stream")
        packets = h.listener.packets(10)
        equal([p.data for p in packets], [s[2] for s in h.sent[20:]], "bytes")
        equal({p.epoch for p in packets}, {stream["epoch"]}, "epoch")
        true(500_000 <= packets[0].play_at - now <= 900_000, f"sounds {packets[0].play_at - now} us from now")
        waiting, going = h.listener.position(fits=lambda p: p[0] == 3), h.listener.position(fits=lambda p: p[0] == 1)
        true(abs(waiting[4] - (20 * 960 - 312) * 1000 // 48) <= 1000, f"it waits at {waiting[4]}")
        true(abs(going[4] - waiting[4]) <= 1000, f"and goes on at {going[4]}")
        mine = h.client.position(fits=lambda p: p[0] == 1)
        equal(mine, going, "what the host gets")
        h.fill(5)
        h.listener.packets(5)
        h.client.silent()
