#!/usr/bin/env python3
"""A whole listener of the protocol sona.v1, written from Protocol/ alone: Python 3.11, nothing but its library.

    listen.py http://HOST:PORT ROOM OUT.opus [--seconds S] [--json]

Enters ROOM (an identifier, or @username) as a guest, keeps the server's time, and saves what is sent as Ogg Opus until
the broadcast ends or S seconds have passed. Then prints what it noticed, with --json as one JSON object.
"""
import argparse, base64, collections, hashlib, json, os, random, select, socket, struct, sys, time, zlib
from urllib.parse import urlsplit

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10                                   # opcodes of WebSocket
TIME_REQ, TIME_RSP, AUDIO_DN, BUNDLE_DN, POSITION = 0x01, 0x02, 0x10, 0x11, 0x30   # binary messages of sona.v1
DISCONTINUITY, PREROLL = 1, 2                                                      # flags of packets
Packet = collections.namedtuple("Packet", "flags epoch seq play_at samples data")
Playback = collections.namedtuple("Playback", "state epoch revision anchor_us position_us rate_ppm")
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def clock():
    return time.monotonic_ns() // 1000  # microseconds, and never set


class WebSocket:
    """A client's end of RFC 6455 on a plain socket."""
    def __init__(self, url):
        at, key = urlsplit(url), base64.b64encode(os.urandom(16))
        self.socket = socket.create_connection((at.hostname, at.port or 80))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(
            (f"GET /v1/ws HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Protocol: sona.v1\r\n\r\n").encode())
        head, proof = b"", hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        while not head.endswith(b"\r\n\r\n"):
            head += self.take(1)
        if head.split()[1] != b"101" or base64.b64encode(proof) not in head or b"sona.v1" not in head:
            raise ConnectionError("this is no server of sona.v1")

    def take(self, count):
        """The next so many bytes from the server."""
        data = self.socket.recv(count, socket.MSG_WAITALL) if count else b""
        if len(data) < count:
            raise ConnectionError("the connection broke")
        return data

    def send(self, opcode, payload):
        """A message of less than 64 KiB in one frame, masked as everything from a client."""
        size, mask = len(payload), os.urandom(4)
        head = bytes([128 | opcode, 128 | size]) if size < 126 else struct.pack(">BBH", 128 | opcode, 128 | 126, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(payload)))

    def request(self, kind, number, data):
        self.send(TEXT, json.dumps({"type": kind, "id": number, "data": data}).encode())

    def probe(self):
        self.send(BINARY, struct.pack(">BxHq", TIME_REQ, 0, clock()))

    def receive(self, seconds):
        """The next message, a str or bytes; None if none comes in time. Sona sends each in one frame. Answers pings."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        first, size = self.take(2)
        payload = self.take(size if size < 126 else int.from_bytes(self.take(2 if size == 126 else 8)))
        if first == 128 | CLOSE:
            raise ConnectionError(f"closed with {int.from_bytes(payload[:2])} {payload[2:].decode()}")
        if first == 128 | PING:
            self.send(PONG, payload)
        return payload.decode() if first == 128 | TEXT else payload if first == 128 | BINARY else None


def position_at(now, lines):
    """Where the room is in its track. `lines` are its Playbacks, the one in force and those to come."""
    while len(lines) > 1 and lines[1].anchor_us <= now:
        del lines[0]
    state, _, _, anchor, position, rate = lines[0]
    gone = max(0, now - anchor) * rate // 1_000_000 if state == 1 else 0
    return {"server_us": now, "position_us": position + gone, "state": state}


def packets_of(message):
    """The packets in an AUDIO_DN or BUNDLE_DN."""
    if message[0] == AUDIO_DN:
        return [Packet(*struct.unpack_from(">xBHIqI", message), message[20:])]
    flags, epoch, seq, play_at, count = struct.unpack_from(">xBHIqB", message)
    packets, at, before = [], 17, 0
    for k in range(count):
        samples, size = struct.unpack_from(">IH", message, at)
        packets.append(Packet(flags & ~DISCONTINUITY if k else flags, epoch, (seq + k) % 2**32,
                              play_at + before * 1_000_000 // 48000, samples, message[at + 6:at + 6 + size]))
        at, before = at + 6 + size, before + samples
    return packets if at == len(message) else []


class Recorder:
    """Writes Ogg Opus (RFC 3533, RFC 7845): stream after stream, a new one for each epoch and after each gap."""
    def __init__(self, file):
        self.file, self.packets, self.begun, self.epoch, self.first_us = file, [], False, None, None

    def take(self, packet, stream):
        if packet.flags & DISCONTINUITY or packet.epoch != self.epoch:
            self.end()
            self.epoch = packet.epoch
        skip = max(0, round((stream["start_us"] - packet.play_at) * 48 / 1000))
        if not self.begun and not packet.flags & PREROLL and skip < packet.samples:  # the first to be heard
            self.serial, self.number, self.granule, self.begun = random.getrandbits(32), 0, 0, True
            skip = max(120, skip + sum(p.samples for p in self.packets))  # in less than 120 no decoder has settled
            self.page(2, [b"OpusHead" + struct.pack("<BBHIhB", 1, stream["channels"], skip, 48000, 0, 0)])
            self.page(0, [b"OpusTags" + struct.pack("<I9sI", 9, b"listen.py", 0)])
            self.first_us = self.first_us or max(packet.play_at, stream["start_us"])
        self.packets.append(packet)
        while self.begun and len(self.packets) > 8:  # however long eight are, the 255 segments of a page hold them
            self.page(0, [p.data for p in self.packets[:8]], sum(p.samples for p in self.packets[:8]))
            del self.packets[:8]

    def end(self):
        """Ends the stream. If the last packet counts for fewer samples than it holds, the page's granule trims it."""
        if self.begun:
            self.page(4, [p.data for p in self.packets], sum(p.samples for p in self.packets))
        self.packets, self.begun = [], False

    def page(self, flags, packets, samples=0):
        """Writes a page. Its checksum is zlib's, but with mirrored bits, and inverted neither before nor after."""
        self.granule += samples
        lacing = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
        head = struct.pack("<4sBBqII", b"OggS", 0, flags, self.granule, self.serial, self.number)
        rest = bytes([len(lacing)]) + lacing + b"".join(packets)
        crc = zlib.crc32((head + bytes(4) + rest).translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
        self.file.write(head + int(f"{crc:032b}"[::-1], 2).to_bytes(4, "little") + rest)
        self.number += 1


def listen(ws, room, recorder, seconds):
    """Everything from hello to the end; returns what was noticed."""
    joined = end_us = last = offset = None
    streams, probes, seen = {}, [], {"room": room, "packets": 0, "lost": 0, "duplicates": 0, "positions": []}
    ws.request("hello", 1, {"client": {"name": "listen.py", "version": "1.0"}, "auth": {"guest": True}})
    ws.probe()
    while True:
        message, now = ws.receive(0.02) or b"\0", clock()
        if isinstance(message, str):
            told = json.loads(message)
            kind, data = told["type"], told.get("data") or {}
            if kind == "error":
                raise ConnectionError(told["error"]["message"])
            elif kind == "ok" and told["id"] == 1:
                ws.request("room.join", 2, {"room": room})
            elif kind == "ok":
                joined, seen["room"], lines = now, data["room"]["id"], [data["playback"], *data["upcoming"]]
                lines = [Playback(*(line[name] for name in Playback._fields)) for line in lines]
            elif kind in ("stream.ended", "room.closed"):
                end_us = data.get("at_us", -2**63)
            streams |= {s["epoch"]: s for s in [data.get("stream"), *(data.get("streams") or [])] if s}
        elif message[0] == TIME_RSP:  # of eight in a row, that with the shortest round trip tells the clocks' offset
            t1, t2, t3 = struct.unpack(">4xqqq", message)
            probes.append(((now - t1) - (t3 - t2), ((t2 - t1) + (t3 - now)) // 2))
            if len(probes) < 9:
                ws.probe()
            else:
                (seen["rtt_us"], offset), probes = min(probes[1:]), []  # the first was to warm up
        elif message[0] == POSITION:
            new = Playback(*struct.unpack_from(">xBHIqqi", message))
            if 0 < (new.revision - lines[-1].revision) % 2**32 < 2**31:
                lines[1:] = [line for line in lines[1:] if line.anchor_us < new.anchor_us] + [new]
        for packet in packets_of(message) if message[0] in (AUDIO_DN, BUNDLE_DN) else ():
            step = 1 if last is None else (packet.seq - last) % 2**32
            if not 0 < step < 2**31:
                seen["duplicates"] += 1
            elif packet.epoch in streams:
                seen["packets"], seen["lost"], last = seen["packets"] + 1, seen["lost"] + step - 1, packet.seq
                recorder.take(packet, streams[packet.epoch])
        if joined and offset is not None:
            if now - joined >= len(seen["positions"]) * 1_000_000:
                seen["positions"].append(position_at(now + offset, lines))
                if len(seen["positions"]) % 10 == 0:
                    ws.probe()
            if end_us is not None and now + offset >= end_us or seconds and now - joined >= seconds * 1_000_000:
                ws.send(CLOSE, struct.pack(">H", 1000))
                return seen | {"first_sample_server_us": recorder.first_us, "offset_us": offset}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Listens to a room of a Sona server.")
    parser.add_argument("url"), parser.add_argument("room"), parser.add_argument("output")
    parser.add_argument("--seconds", type=float, help="how long to listen; to the end of the broadcast if absent")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    with open(given.output, "wb") as file:
        recorder = Recorder(file)
        try:
            noticed = listen(WebSocket(given.url), given.room, recorder, given.seconds)
        except OSError as error:
            sys.exit(f"listen.py: {error}")
        finally:
            recorder.end()
    print(json.dumps(noticed) if given.json else "\n".join(f"{name}: {value}" for name, value in noticed.items()))
