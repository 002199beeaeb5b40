"""Writes Ogg Opus: a new stream for each epoch and after each gap. Source: RFC 3533, RFC 7845."""
from __future__ import annotations

import random
import struct
import zlib
from typing import BinaryIO

from .frames import DISCONTINUITY, PREROLL, Packet

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
#: In fewer samples no decoder has settled.
_SKIP_LEAST = 120
#: However long they are, the 255 segments of a page hold so many packets.
_ON_A_PAGE = 8


class OggOpusWriter:
    def __init__(self, file: BinaryIO, vendor: str = "sona-client"):
        self._file, self._vendor = file, vendor.encode()
        self._packets: list[Packet] = []
        self._is_begun, self._epoch = False, None
        self._serial = self._number = self._granule = 0
        #: Server time of the first sample, µs; None while there is none.
        self.first_us: int | None = None

    def write(self, packet: Packet, stream: dict) -> None:
        """Takes the next packet. `stream` is the one of its epoch."""
        if packet.flags & DISCONTINUITY or packet.epoch != self._epoch:
            self.finish()
            self._epoch = packet.epoch
        skip = max(0, round((stream["start_us"] - packet.play_at) * 48 / 1000))
        if not self._is_begun and not packet.flags & PREROLL and skip < packet.samples:
            self._begin(skip + sum(one.samples for one in self._packets), stream["channels"])
            if self.first_us is None:
                self.first_us = max(packet.play_at, stream["start_us"])
        self._packets.append(packet)
        while self._is_begun and len(self._packets) > _ON_A_PAGE:
            self._flush(0, self._packets[:_ON_A_PAGE])
            del self._packets[:_ON_A_PAGE]

    def finish(self) -> None:
        """Ends the stream. A last packet that counts for fewer samples than it holds is trimmed by its page."""
        if self._is_begun:
            self._flush(4, self._packets)
        self._packets, self._is_begun = [], False

    def _begin(self, skip: int, channels: int) -> None:
        self._serial, self._number, self._granule, self._is_begun = random.getrandbits(32), 0, 0, True
        self._page(2, [b"OpusHead" + struct.pack("<BBHIhB", 1, channels, max(_SKIP_LEAST, skip), 48_000, 0, 0)])
        self._page(0, [b"OpusTags" + struct.pack("<I", len(self._vendor)) + self._vendor + struct.pack("<I", 0)])

    def _flush(self, flags: int, packets: list[Packet]) -> None:
        self._granule += sum(one.samples for one in packets)
        self._page(flags, [one.data for one in packets])

    def _page(self, flags: int, packets: list[bytes]) -> None:
        lacing = b"".join(b"\xff" * (len(one) // 255) + bytes([len(one) % 255]) for one in packets)
        head = struct.pack("<4sBBqII", b"OggS", 0, flags, self._granule, self._serial, self._number)
        rest = bytes([len(lacing)]) + lacing + b"".join(packets)
        # The checksum is zlib's with mirrored bits, inverted neither before nor after.
        check = zlib.crc32((head + bytes(4) + rest).translate(_MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
        self._file.write(head + int(f"{check:032b}"[::-1], 2).to_bytes(4, "little") + rest)
        self._number += 1
