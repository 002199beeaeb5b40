"""Writing Ogg Opus (RFC 3533, RFC 7845), and as much of Opus (RFC 6716, section 3) as that takes."""
import random, struct


def frame_samples(packet):
    """Samples of one frame of a packet, by its first byte: RFC 6716, section 3.1."""
    config = packet[0] >> 3
    if config < 16:
        return (480, 960, 1920, 2880)[config & 3] if config < 12 else (480, 960)[config & 1]
    return (120, 240, 480, 960)[config & 3]


def duration(packet):
    """What a packet decodes to, in samples; 0 if it is not Opus."""
    code = packet[0] & 3 if packet else 3
    count = (1, 2, 2, packet[1] & 63 if len(packet) > 1 else 0)[code]
    return frame_samples(packet) * count if count and frame_samples(packet) * count <= 5760 else 0


def ogg_crc(page, table=[]):
    """The checksum of Ogg: polynomial 04C11DB7, neither reflected nor inverted."""
    if not table:
        for n in range(256):
            n <<= 24
            for _ in range(8):
                n = (n << 1) ^ (0x104C11DB7 if n & 0x80000000 else 0)
            table.append(n)
    crc = 0
    for byte in page:
        crc = ((crc << 8) & 0xFFFFFFFF) ^ table[(crc >> 24) ^ byte]
    return crc


class OggOpus:
    """Writes one logical stream to a file. Streams written after one another make a chained file."""
    def __init__(self, file, channels, pre_skip, tags=()):
        self.file, self.serial, self.number, self.granule = file, random.getrandbits(32), 0, 0
        self.pending, self.segments, self.paged = [], 0, 0
        self._page(2, 0, [b"OpusHead" + struct.pack("<BBHIhB", 1, channels, pre_skip, 48000, 0, 0)])
        fields = b"".join(struct.pack("<I", len(tag)) + tag for tag in (tag.encode() for tag in tags))
        vendor = b"listen.py"
        self._page(0, 0, [b"OpusTags" + struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", len(tags)) + fields])

    def _page(self, flags, granule, packets):
        lacing = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
        page = bytearray(struct.pack("<4sBBqIIIB", b"OggS", 0, flags, granule, self.serial, self.number, 0, len(lacing)))
        page += lacing + b"".join(packets)
        page[22:26] = struct.pack("<I", ogg_crc(page))
        self.file.write(page)
        self.number += 1

    def add(self, packet, samples):
        """Appends a packet. `samples` may be below its duration for the last packet only: then the rest is trimmed."""
        segments = len(packet) // 255 + 1
        if self.segments + segments > 255 or self.granule - self.paged >= 48000:
            self._page(0, self.granule, self.pending)
            self.pending, self.segments, self.paged = [], 0, self.granule
        self.pending.append(packet)
        self.segments += segments
        self.granule += samples

    def end(self):
        """Writes the last page, marked as such. At least one packet must have been added."""
        self._page(4, self.granule, self.pending)
