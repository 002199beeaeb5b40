#!/usr/bin/env python3
"""Hosts a short broadcast and looks closely at what listen.py makes of it: test_listen.py http://HOST:PORT

Two epochs, a gap in the first, a last packet that is trimmed, an epoch that continues; one listener is there from the
beginning, one comes when the first epoch sounds. Needs opusinfo. Exits with 1 if something is wrong.
"""
import json, pathlib, re, struct, subprocess, sys, tempfile, time

from protocol_checks import helpers
from protocol_checks.helpers import equal, true
from protocol_checks.host import STREAM, Host

PROGRAM = pathlib.Path(__file__).with_name("listen.py")


def crc(page):
    """The checksum of Ogg, bit by bit."""
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


def streams_of(data):
    """The logical streams of a chained file, each as its pre-skip, its last granule, and its packets."""
    streams, at = [], 0
    while at < len(data):
        magic, version, flags, granule, serial, number, check, count = struct.unpack_from("<4sBBqIIIB", data, at)
        lacing = data[at + 27:at + 27 + count]
        size = 27 + count + sum(lacing)
        equal((magic, version, crc(data[at:at + 22] + bytes(4) + data[at + 26:at + size])), (b"OggS", 0, check), "page")
        true(lacing and lacing[-1] < 255, "a packet goes on in the next page")
        if flags & 2:
            streams.append({"serial": serial, "pages": 0, "packets": [], "ended": False})
        stream, from_ = streams[-1], at + 27 + count
        equal((serial, number, stream["ended"]), (stream["serial"], stream["pages"], False), "serial, number, ended")
        stream |= {"pages": number + 1, "granule": granule, "ended": bool(flags & 4)}
        packet = b""
        for part in lacing:
            packet, from_ = packet + data[from_:from_ + part], from_ + part
            if part < 255:
                stream["packets"].append(packet)
                packet = b""
        at += size
    for stream in streams:
        head, tags, *stream["packets"] = stream["packets"]
        true(stream["ended"] and head[:8] == b"OpusHead" and tags[:8] == b"OpusTags", "heads and end")
        stream["skip"] = struct.unpack_from("<H", head, 10)[0]
    equal(len({stream["serial"] for stream in streams}), len(streams), "serial numbers")
    return [(stream["skip"], stream["granule"], stream["packets"]) for stream in streams]


def main():
    helpers.URL = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        try:
            look(pathlib.Path(folder))
        except helpers.Failure as failure:
            sys.exit(f"listen.py: {failure}")
    print("listen.py: what it wrote and noticed is right")


def look(folder):
    def listen(name):
        command = [sys.executable, str(PROGRAM), helpers.URL, h.room, str(folder / name), "--json"]
        return subprocess.Popen(command, stdout=subprocess.PIPE)

    with Host(lead_ms=2000) as h:
        early = listen("early")
        h.listener.event("room.listeners", 5, lambda data: data["count"] >= 2)
        first = h.start()
        h.fill(60)
        h.seq, h.sample = h.seq + 5, h.sample + 5 * 960
        h.fill(40)
        one = [packet for _, _, packet in h.sent]
        h.start(stream=STREAM | {"pre_skip": 2500})
        h.fill(49)
        h.packet(samples=500, flags=helpers.LAST)
        two = [packet for _, _, packet in h.sent]
        h.start(stream=STREAM | {"pre_skip": 0}, continues=True)
        h.fill(30)
        three = [packet for _, _, packet in h.sent]
        whole = [(312, 60 * 960, one[:60]), (120, 40 * 960, one[60:]), (2500, 49 * 960 + 500, two),
                 (120, 30 * 960, three)]
        time.sleep(max(0, (first["start_us"] - h.client.probe()) / 10**6 + 0.4))
        late = listen("late")
        time.sleep(0.5)
        h.client.data("host.stop")
        told = {name: json.loads(program.communicate(timeout=30)[0])
                for name, program in (("early", early), ("late", late))}
    found = {name: streams_of((folder / name).read_bytes()) for name in told}
    equal(found["early"], whole, "what the early one has")
    equal([told["early"][key] for key in ("packets", "lost", "duplicates", "first_sample_server_us")],
          [180, 0, 0, first["start_us"]], "what the early one noticed")
    skip, granule, tail = found["late"][0]
    equal((skip, granule, tail), (8 * 960, len(tail) * 960, one[60 - len(tail):60]), "the late one's first stream")
    equal(found["late"][1:], whole[1:], "what the late one has besides")
    heard = first["start_us"] + ((60 - len(tail) + 8) * 960 - 312) * 10**6 // 48000
    true(abs(told["late"]["first_sample_server_us"] - heard) <= 100, "the late one's first sample")
    for name in told:
        place = told[name]["positions"]
        true(all(0 < b["server_us"] - a["server_us"] < 1_200_000 for a, b in zip(place, place[1:])), "positions")
        true(0 <= told[name]["rtt_us"] < 50_000, f"a round trip of {told[name]['rtt_us']} us")
        info = subprocess.run(["opusinfo", folder / name], capture_output=True, text=True)
        true(not re.search("warning|error", info.stdout + info.stderr, re.IGNORECASE), info.stdout + info.stderr)


if __name__ == "__main__":
    main()
