"""Binary messages of sona.v1. Source: Protocol/spec/audio.md, playback.md, time.md."""
from __future__ import annotations

import struct
from typing import NamedTuple

TIME_REQUEST, TIME_ANSWER, AUDIO, BUNDLE, POSITION = 0x01, 0x02, 0x10, 0x11, 0x30
#: Flags of packets.
DISCONTINUITY, PREROLL, SILENCE, LAST = 1, 2, 4, 8


class Packet(NamedTuple):
    """One Opus packet on the room's timeline."""
    flags: int
    epoch: int
    seq: int
    #: Server time at which the decoder's first sample sounds, µs.
    play_at: int
    #: What it adds to the timeline, samples at 48 kHz.
    samples: int
    data: bytes


class Playback(NamedTuple):
    """Where the room is in its track, from `anchor_us` on."""
    #: 0 stopped, 1 playing, 2 paused, 3 buffering.
    state: int
    epoch: int
    revision: int
    anchor_us: int
    position_us: int
    rate_ppm: int

    @classmethod
    def of(cls, data: dict) -> "Playback":
        return cls(*(data[name] for name in cls._fields))

    def at(self, now: int) -> int:
        """The place at a server time, µs."""
        gone = max(0, now - self.anchor_us) * self.rate_ppm // 1_000_000 if self.state == 1 else 0
        return self.position_us + gone


def packets_of(message: bytes) -> list[Packet]:
    """The packets of a message; none if it has no sound, or bytes are missing or left over."""
    try:
        if message[0] == AUDIO and len(message) > 20:
            return [Packet(*struct.unpack_from(">xBHIqI", message), message[20:])]
        if message[0] != BUNDLE:
            return []
        flags, epoch, seq, play_at, count = struct.unpack_from(">xBHIqB", message)
        packets, at, before = [], 17, 0
        for index in range(count):
            samples, size = struct.unpack_from(">IH", message, at)
            # DISCONTINUITY is the first packet's, LAST the last one's.
            own = flags & ~(DISCONTINUITY if index else 0) & ~(LAST if index < count - 1 else 0)
            packets.append(Packet(own, epoch, (seq + index) & 0xFFFFFFFF, play_at + before * 1_000_000 // 48_000,
                                  samples, message[at + 6:at + 6 + size]))
            at, before = at + 6 + size, before + samples
        return packets if at == len(message) else []
    except (struct.error, IndexError):
        return []


def playback_of(message: bytes) -> Playback | None:
    """The Playback of a POSITION message."""
    try:
        return Playback(*struct.unpack_from(">xBHIqqi", message)) if message[0] == POSITION else None
    except (struct.error, IndexError):
        return None


def time_request(now: int, number: int = 0) -> bytes:
    return struct.pack(">BxHq", TIME_REQUEST, number, now)


def time_answer(message: bytes) -> tuple[int, int, int] | None:
    """When the request left here, came there, and left there, µs: the first by our clock, the others by the server's."""
    return struct.unpack(">4xqqq", message) if message[:1] == bytes([TIME_ANSWER]) and len(message) == 28 else None
