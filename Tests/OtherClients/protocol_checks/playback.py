"""playback.md: remote control, and rooms followed by position only."""
import struct, time

from protocol_checks.helpers import check, equal, true
from protocol_checks.host import Host, answer, newest


@check("pause, play and seek, from the owner to the host and back")
def _():
    with Host() as h:
        h.start()
        h.fill(40)
        end = h.play_at(h.sample)
        reply = answer(h, "playback.pause", {}, "pause", lambda n: h.client.data("host.pause", {"command": n}))
        paused = newest(reply["data"])
        equal(paused["state"], 2, "state")
        true(abs(paused["anchor_us"] - end) <= 100,
             f"anchor {paused['anchor_us'] - end} us from the end of what was sent")
        true(abs(paused["position_us"] - (h.sample - 312) * 1000 // 48) <= 100, f"position {paused['position_us']}")
        p = h.listener.position(fits=lambda p: p[0] == 2)
        equal((p[3], p[4]), (paused["anchor_us"], paused["position_us"]), "POSITION")
        begin = time.monotonic()
        equal(newest(h.owner.data("playback.pause", {"room": h.room}))["state"], 2, "pausing what is paused")
        true(time.monotonic() - begin < 1, "it did not answer at once")
        reply = answer(h, "playback.seek", {"position_us": 30_000_000}, "seek",
                       lambda n: h.client.data("host.pause", {"command": n, "position_us": 30_000_000}))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (2, 30_000_000),
              "seek while paused")
        reply = answer(h, "playback.play", {}, "play", lambda n: h.start(command=n, position_us=30_000_000))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (1, 30_000_000), "play")
        h.fill(40)
        begin = time.monotonic()
        equal(newest(h.owner.data("playback.play", {"room": h.room}))["state"], 1, "playing what plays")
        true(time.monotonic() - begin < 1, "it did not answer at once")
        reply = answer(h, "playback.seek", {"position_us": 10_000_000}, "seek",
                       lambda n: h.start(command=n, position_us=10_000_000))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (1, 10_000_000),
              "seek while playing")
        h.fill(20)
        reply = answer(h, "playback.play", {"position_us": 1_000_000}, "play",
                       lambda n: h.start(command=n, position_us=1_000_000))
        equal(newest(reply["data"])["position_us"], 1_000_000, "play from a position")
        equal(h.listener.data("playback.get")["upcoming"][-1]["position_us"], 1_000_000, "playback.get")


@check("a room followed by position only: news reach listeners, the server counts revisions")
def _():
    with Host() as h:
        h.client.data("host.start", {"pacing": "live", "track": {"title": "Elsewhere"}, "position_us": 1_000_000})
        epoch, l = newest(h.listener.data("playback.get"))["epoch"], h.listener
        send = lambda state, anchor, position, epoch=epoch, rate=1_000_000: h.client.binary(
            struct.pack(">BBHIqqiI", 0x30, state, epoch, 12345, anchor, position, rate, 1500))
        l.inbox.clear()
        now = h.client.probe()
        send(1, now, 50_000_000)
        one = l.position(fits=lambda p: p[4] == 50_000_000)
        equal((one[0], one[1], one[3], one[5], one[6]), (1, epoch, now, 1_000_000, 1500), "POSITION")
        send(2, h.client.probe(), 51_000_000, rate=0)
        two = l.position(fits=lambda p: p[0] == 2)
        equal((two[2] - one[2]) % 2**32, 1, "revision")
        send(1, now + 11_000_000, 0)
        h.client.error("frame.malformed")
        send(1, now, -1)
        h.client.error("frame.malformed")
        send(1, now, 0, rate=4_000_001)
        h.client.error("frame.malformed")
        send(1, now, 0, epoch=(epoch + 1) % 65536)
        h.client.error("audio.wrong_epoch")
        equal(l.data("playback.get")["playback"]["position_us"], 51_000_000, "playback.get")
