"""hosting.md: the seat, sending audio, and what listeners get of it."""
import time

from protocol_checks.helpers import Client, account, check, equal, packets_of, true
from protocol_checks.host import STREAM, Host, answer, newest


@check("host flow: start, audio arrives byte for byte and in time, stop")
def _():
    with Host() as h:
        l, before = h.listener, h.client.probe()
        equal((h.snapshot["stream"], h.snapshot["playback"]["state"], h.snapshot["room"]["live"]), (None, 0, False),
              "snapshot")
        started = h.start(position_us=5_000_000)
        lead = started["start_us"] - before
        true(500_000 <= started["lead_us"] <= 700_000, f"lead_us {started['lead_us']}")
        true(1_550_000 <= lead <= 1_750_000, f"the first epoch starts {lead} us from now, not a lead and a second")
        line = (started["upcoming"] or [started["playback"]])[-1]
        equal((line["state"], line["position_us"], line["anchor_us"], line["epoch"]),
              (1, 5_000_000, started["start_us"], started["epoch"]), "the new Playback")
        stream = l.event("stream.started")["data"]
        equal(stream["stream"], STREAM | {"epoch": started["epoch"], "start_us": started["start_us"],
                                          "continues": False}, "stream")
        equal(stream["track"]["title"], "Tune", "track")
        changed = l.event("host.changed")["data"]
        equal((changed["state"], changed["host"]["uid"]), ("here", h.grant["user"]["uid"]), "host.changed")
        p = l.position(fits=lambda p: p[0] == 1)
        equal((p[1], p[3], p[4], p[5], p[6]), (started["epoch"], started["start_us"], 5_000_000, 1_000_000, 0),
              "POSITION")
        h.fill(49)
        h.packet(samples=500, flags=8)  # LAST, trimmed
        packets = h.heard()
        equal([q.flags & 1 for q in packets], [1] + [0] * 49, "DISCONTINUITY")
        equal([bool(q.flags & 8) for q in packets], [False] * 49 + [True], "LAST")
        equal(packets[0].play_at, started["start_us"] - 6500, "play_at of the first")
        room = l.data("room.get", {"room": "@" + h.grant["username"]})["room"]
        equal((room["id"], room["live"], room["host_state"], room["track"]["title"]), (h.room, True, "here", "Tune"),
              "room")
        equal(h.client.data("host.stop"), {}, "data")
        ended = l.event("stream.ended")["data"]
        equal((ended["epoch"], ended["reason"]), (started["epoch"], "finished"), "stream.ended")
        true(abs(ended["at_us"] - h.play_at(49 * 960 + 500)) <= 100,
             f"at_us {ended['at_us']} instead of {h.play_at(49 * 960 + 500)}")
        equal(l.event("host.changed", fits=lambda d: d["state"] == "none")["data"]["host"], None, "host")
        equal(l.data("room.get", {"room": h.room})["room"]["live"], False, "live")
        h.packet()
        h.client.error("host.not_host")


@check("room events count without a gap from the snapshot's seq, in host flow and after")
def _():
    with Host() as h:
        h.start()
        h.fill(30)
        h.client.data("host.track", {"track": {"title": "Next", "artist": None}})
        h.client.data("host.pause")
        h.start()
        h.client.data("host.stop")
        h.listener.silent(0.5)
        events = [m for m in h.listener.inbox if isinstance(m, dict) and "room" in m and "seq" in m]
        equal([e["seq"] for e in events], list(range(h.snapshot["seq"] + 1, h.snapshot["seq"] + 1 + len(events))),
              "seq")
        kinds = [e["type"] for e in events]
        for kind in ("host.changed", "stream.started", "track.changed", "stream.ended"):
            true(kind in kinds, f"no {kind} among {kinds}")
        track = [e for e in events if e["type"] == "track.changed" and e["data"]["track"]["title"] == "Next"]
        equal(track[0]["data"]["track"], {"title": "Next", "artist": None, "album": None, "duration_us": None}, "track")


@check("the seat: not joined, not the owner, taken")
def _():
    with Host() as h:
        request = {"stream": STREAM, "pacing": "server"}
        h.owner.refused("room.not_joined", "host.start", request)
        true(h.listener.ask("host.start", request)["error"]["code"] in ("room.forbidden", "auth.account_required"),
             "a guest may host")
        with Client(account()["access_token"]) as other:
            other.data("room.join", {"room": h.room})
            other.refused("room.forbidden", "host.start", request)
            for kind, data in (("host.stop", {}), ("host.pause", {}), ("host.track", {"track": {}}),
                               ("host.reject", {"command": 1, "code": "host.refused", "message": "no"})):
                other.refused("host.not_host", kind, data)
        h.start()
        h.owner.data("room.join", {"room": h.room})
        h.owner.refused("host.seat_taken", "host.start", request)
        for data, field in (({"pacing": "slow"}, "data.pacing"), ({}, "data.pacing"),
                            ({"pacing": "server", "stream": STREAM | {"codec": "mp3"}}, "data.stream.codec"),
                            ({"pacing": "server", "stream": STREAM | {"channels": 3}}, "data.stream.channels"),
                            ({"pacing": "server", "stream": STREAM | {"pre_skip": 65536}}, "data.stream.pre_skip"),
                            ({"pacing": "server", "track": {"title": "a\nb"}}, "data.track.title"),
                            ({"pacing": "server", "position_us": -1}, "data.position_us")):
            h.client.refused("request.invalid", "host.start", data, field)
        h.client.data("room.leave")
        equal(h.listener.event("stream.ended")["data"]["reason"], "finished", "reason")


@check("audio that does not fit: wrong epoch, not Opus, wrong samples; twice is silent; none of it is heard")
def _():
    with Host() as h:
        h.start()
        h.fill(60)
        h.packet(epoch=(h.started["epoch"] + 1) % 65536, seq=60, pos=60 * 960)
        h.client.error("audio.wrong_epoch")
        for data, samples in ((b"\xff\x00", 960), (b"\xfd" + bytes(3), 960), (b"\xfc" + bytes(5), 1920)):
            time.sleep(1.05 if samples == 960 else 0.3)  # errors about audio come once a second
            h.packet(data=data, samples=samples, seq=60, pos=60 * 960)
            if samples == 960:
                h.client.error("audio.malformed")
        h.packet()  # what was dropped did not count: this one has its number
        h.packet(seq=5, pos=5 * 960)
        h.client.inbox.clear()
        h.client.silent()
        h.listener.silent(0.3)
        got = [p.data for m in h.listener.inbox if isinstance(m, bytes) for p in packets_of(m)]
        equal(got, [s[2] for s in h.sent], "packets heard")


@check("samples of 0 and of more than 5760: audio.malformed, and nothing is heard")
def _():
    with Host() as h:
        h.start()
        for samples in (0, 5761, 2**32 - 1):
            time.sleep(1.05)
            h.packet(samples=samples, seq=0, pos=0)
            h.client.error("audio.malformed")
        packet = h.packet()
        equal([p.data for p in h.listener.packets(1)], [packet], "packets heard")


@check("errors of two codes about audio in one second both come, for each code is held to one a second")
def _():
    with Host() as h:
        h.start()
        h.packet(epoch=(h.started["epoch"] + 1) % 65536)
        h.client.error("audio.wrong_epoch")
        h.packet(data=b"\xff\x00", seq=1, pos=960)
        h.client.error("audio.malformed", seconds=2)


@check("a host far ahead is held back; what it sends arrives all the same")
def _():
    with Host() as h:
        h.start()
        h.fill(400)
        packets = h.listener.packets(150, 5)
        equal([p.data for p in packets], [s[2] for s in h.sent[:150]], "bytes")


@check("a live host that falls behind: everybody waits for it, nothing of it comes too late, and nobody is told audio.late")
def _():
    with Host(lead_ms=1500) as h:
        h.start(pacing="live")
        epoch, begin = h.started["epoch"], time.monotonic()

        def play(seconds):
            """Sends packets at the pace of a sound card."""
            nonlocal begin
            for _ in range(round(seconds * 50)):
                h.packet()
                begin += 0.02
                time.sleep(max(0, begin - time.monotonic()))
        play(0.5)
        h.listener.packets(20, fits=lambda p: p.epoch == epoch)
        h.listener.inbox.clear()
        h.listener.position(fits=lambda p: p[0] == 3)  # everybody waits
        time.sleep(0.7)  # what is sent next was captured long before
        begin = time.monotonic()
        play(1.5)
        moved = h.listener.event("stream.started", fits=lambda d: d["stream"]["epoch"] != epoch)["data"]["stream"]
        packets = h.listener.packets(20, fits=lambda p: p.epoch == moved["epoch"])
        sent = [data for _, _, data in h.sent]
        first = sent.index(packets[0].data)
        equal([p.data for p in packets], sent[first:first + len(packets)], "packets after the wait")
        true(25 <= first < 25 + 40, f"the first packet after the wait is number {first}")
        true(all(p.play_at >= moved["start_us"] - 6500 for p in packets), "a packet sounds before the epoch begins")
        true(packets[-1].play_at > h.listener.probe() - 1_500_000, "the room has not waited")
        h.client.silent()
        errors = [m for m in h.client.inbox if isinstance(m, dict) and m["type"] == "error"]
        equal(errors, [], "what the host is told")


@check("host.reject: the owner gets host.refused in the host's words; nobody waiting is no error")
def _():
    with Host() as h:
        h.start()
        reply = answer(h, "playback.pause", {}, "pause",
                       lambda n: h.client.data("host.reject",
                                               {"command": n, "code": "host.refused", "message": "Not nöw."}))
        equal((reply["error"]["code"], reply["error"]["message"]), ("host.refused", "Not nöw."), "error")
        equal(h.client.data("host.reject", {"command": 999_999, "code": "host.refused", "message": "x"}), {}, "data")
        h.client.refused("request.invalid", "host.reject", {"command": 1, "code": "host.refused"}, "data.message")
        h.client.refused("request.invalid", "host.reject", {"command": -1, "code": "host.refused", "message": "x"},
                         "data.command")


@check("a host who does not answer: host.timeout after 5 s; two commands at once; an answer too late is carried out")
def _():
    with Host() as h:
        h.start()
        begin = time.monotonic()
        one, two = h.owner.send("playback.pause", {"room": h.room}), h.owner.send("playback.seek",
                                                                                  {"room": h.room, "position_us": 1})
        commands = [h.client.event("host.command")["data"]["command"] for _ in range(2)]
        true(commands[0] != commands[1], "both commands have one number")
        h.owner.error("host.timeout", one, 8)
        true(4.5 < time.monotonic() - begin < 6.5, f"after {time.monotonic() - begin:.1f} s")
        h.owner.error("host.timeout", two, 8)
        equal(newest(h.client.data("host.pause", {"command": commands[0]}))["state"], 2, "state")


@check("no host: host.absent")
def _():
    with Host() as h:
        h.owner.refused("host.absent", "playback.play", {"room": h.room})
        h.start()
        h.client.data("host.stop")
        h.owner.refused("host.absent", "playback.play", {"room": h.room})


@check("a lost host is away, the room buffers at the live edge; coming back begins a new epoch")
def _():
    with Host() as h:
        h.start()
        h.fill(40)
        end, epoch = h.play_at(h.sample), h.started["epoch"]
        h.client.probe()
        h.client.ws.socket.close()
        equal(h.listener.event("host.changed", fits=lambda d: d["state"] == "away")["data"]["host"]["uid"],
              h.grant["user"]["uid"], "host")
        p = h.listener.position(fits=lambda p: p[0] == 3)
        true(abs(p[3] - end) <= 100, f"it buffers {p[3] - end} us from the end of what was sent")
        h.owner.refused("host.absent", "playback.play", {"room": h.room})
        h.client = Client(h.grant["access_token"])
        h.client.data("room.join", {"room": h.room})
        h.start()
        h.fill(10)
        true(h.started["epoch"] != epoch, "the epoch is the same")
        h.listener.event("host.changed", fits=lambda d: d["state"] == "here")
        h.listener.packets(10, fits=lambda p: p.epoch == h.started["epoch"])
