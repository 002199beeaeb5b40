"""Sound files in ten formats, many of them from a few that ffmpeg encoded.

A `Master` is one encoded file, taken apart. `Master.file(tags, chance)` puts it together again with other tags, and with some
bytes of sound that are this file's alone; it gives the file and these bytes. They lie in the first or last 64 KiB of the sound.
Each file keeps to its format, checksums included, so that decoders have nothing to complain about.
"""
import random, struct, subprocess, tempfile, zlib

from tags import ASF_CONTENT, ASF_EXTENDED, ape, asf_objects, box, flac_picture, id3, mp4_udta, vorbis_comment

#: Rate and channels of the masters of a format, in turn.
SHAPES = [(44100, 2), (44100, 2), (48000, 2), (44100, 1)]
#: What is changed for one file lies within so many bytes of the end (or the beginning) of its sound.
NEAR = 48 * 1024
#: Frames that change places have to be many enough: fewer seconds than these are not made.
LEAST_TO_SHUFFLE = 0.6
#: Samples of the last frame of FLAC and ALAC, which each file has for itself.
LAST = 64


def encode(seconds, rate, channels, chance, *options, container):
    """A few tones that fade, and a little noise, through ffmpeg."""
    tones = [chance.choice((110, 131, 165, 196, 220, 262, 330, 392, 440)) * (1 + chance.random() / 50) for _ in range(3)]
    beat = 0.25 + chance.random() / 2
    sound = "|".join(
        f"0.25*sin(2*PI*{tones[0]:.3f}*t)*exp(-3*mod(t,{beat:.3f}))+0.15*sin(2*PI*{tones[1 + side]:.3f}*t)"
        f"+0.02*(random({side})-0.5)" for side in range(channels))
    with tempfile.NamedTemporaryFile() as made:
        # Most of these formats have something to fill in at the beginning once the end is known: no pipe will do.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"aevalsrc='{sound}':s={rate}:d={seconds + 1:.3f}",
             "-af", f"atrim=end_sample={round(seconds * rate)}", "-map_metadata", "-1", "-fflags", "+bitexact",
             "-flags:a", "+bitexact", *options, "-f", container, "-y", made.name],
            stdin=subprocess.DEVNULL, check=True)
        return made.read()


class Master:
    """One encoded file. `number` tells masters of a format apart: their length, rate, channels and little varieties."""
    name = extension = ""

    def __init__(self, number, seconds, chance):
        self.number, self.chance = number, chance
        self.rate, self.channels = SHAPES[number % len(SHAPES)]
        self.samples = self.length(max(1, round(seconds * self.rate)))
        self.seconds = self.samples / self.rate
        self.prepare()

    def length(self, samples):
        return samples

    def encode(self, *options, container):
        return encode(self.seconds, self.rate, self.channels, self.chance, *options, container=container)

    def own_samples(self, chance):
        """Quiet noise: `LAST` samples of every channel, 16 bits each, by channel."""
        return [[chance.randint(-300, 300) for _ in range(LAST)] for _ in range(self.channels)]


def shuffled(chance, things, key=lambda thing: 0):
    """Those alike by `key` have changed places."""
    places = {}
    for at, thing in enumerate(things):
        places.setdefault(key(thing), []).append(at)
    things = list(things)
    for alike in places.values():
        others = alike[:]
        chance.shuffle(others)
        for at, thing in zip(alike, [things[other] for other in others]):
            things[at] = thing
    return things


class MP3(Master):
    """Frames that need no bits of the frame before, so that they may stand in any order."""
    name, extension = "mp3", ".mp3"

    def length(self, samples):
        return max(samples, round(LEAST_TO_SHUFFLE * self.rate))

    def prepare(self):
        rate = ("-q:a", "5") if self.number % 2 else ("-b:a", "128k")
        # Without the frame of Xing a reader has to guess the length from the rate.
        xing = "0" if self.number % 4 == 2 else "1"
        data = self.encode("-c:a", "libmp3lame", *rate, "-reservoir", "0", "-write_xing", xing, "-id3v2_version", "0",
                           container="mp3")
        self.frames, at = [], 0
        while at < len(data):
            rate, row = data[at + 2] >> 4, (data[at + 2] >> 2) & 3
            kilobits = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)[rate]
            size = 144000 * kilobits // (44100, 48000, 32000)[row] + ((data[at + 2] >> 1) & 1)
            self.frames.append(data[at:at + size])
            at += size
        kept = sum(map(len, self.frames[1:]))
        first = 1
        while first < len(self.frames) - 12 and kept > NEAR:
            kept -= len(self.frames[first])
            first += 1
        self.head, self.frames = b"".join(self.frames[:first]), self.frames[first:]

    def file(self, tags, chance):
        # ID3v2.3 in half of the masters: in UTF-16, and years and genres by other rules.
        own = b"".join(shuffled(chance, self.frames))
        return id3(tags, 3 if self.number % 3 == 0 else 4) + self.head + own, own


class WAV(Master):
    """ID3 in a chunk behind the sound. The lowest bits of the last samples are the file's own."""
    name, extension = "wav", ".wav"
    order, codec, container = "<", "pcm_s16le", "wav"

    def prepare(self):
        data = self.encode("-c:a", self.codec, container=self.container)
        self.chunks = [(name, body) for name, body in self.parts(data) if name in (b"fmt ", b"data", b"COMM", b"SSND")]

    def parts(self, data):
        at = 12
        while at + 8 <= len(data):
            name, size = struct.unpack(self.order + "4sI", data[at:at + 8])
            yield name, data[at + 8:at + 8 + size]
            at += 8 + size + size % 2

    def chunk(self, name, body):
        return struct.pack(self.order + "4sI", name, len(body)) + body + bytes(len(body) % 2)

    def file(self, tags, chance):
        parts = []
        for name, body in self.chunks:
            if name in (b"data", b"SSND"):
                own = bytearray(body[-2 * LAST * self.channels:])
                for at in range(0 if self.order == "<" else 1, len(own), 2):
                    own[at] ^= chance.getrandbits(3)
                body = body[:-len(own)] + own
            parts.append(self.chunk(name, body))
        parts.append(self.tag_chunk(tags))
        return self.frame(b"".join(parts)), bytes(own)

    def tag_chunk(self, tags):
        tag = id3(tags, 3 if self.number % 2 else 4)
        return self.chunk(b"id3 ", tag) if tag else b""

    def frame(self, body):
        return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body


class AIFF(WAV):
    name, extension = "aiff", ".aiff"
    order, codec, container = ">", "pcm_s16be", "aiff"

    def tag_chunk(self, tags):
        tag = id3(tags)
        return self.chunk(b"ID3 ", tag) if tag else b""

    def frame(self, body):
        return b"FORM" + struct.pack(">I", len(body) + 4) + b"AIFF" + body


def table_of_crc(polynomial, bits):
    table = []
    for byte in range(256):
        value = byte << (bits - 8)
        for _ in range(8):
            value = (value << 1) ^ (polynomial if value >> (bits - 1) else 0)
            value &= (1 << bits) - 1
        table.append(value)
    return table


CRC_8, CRC_16 = table_of_crc(0x07, 8), table_of_crc(0x8005, 16)


def crc8(data):
    value = 0
    for byte in data:
        value = CRC_8[value ^ byte]
    return value


def crc16(data):
    value = 0
    for byte in data:
        value = ((value << 8) & 0xFFFF) ^ CRC_16[(value >> 8) ^ byte]
    return value


class FLAC(Master):
    """The last frame, of 64 samples as they are, is the file's own. No checksum of all samples is given."""
    name, extension = "flac", ".flac"

    def length(self, samples):
        return max(1, round(samples / 4096)) * 4096 + LAST

    def prepare(self):
        data = self.encode("-c:a", "flac", "-sample_fmt", "s16", "-frame_size", "4096", container="flac")
        # Marker, type and length of the block before the 34 bytes of STREAMINFO.
        information = bytearray(data[8:42])
        # Unknown, all three: the last frame may be the smallest, and the sum of the samples differs.
        information[4:10], information[18:34] = bytes(6), bytes(16)
        self.information = bytes(information)
        at, last = 4, False
        while not last:
            last, size = data[at] & 0x80, int.from_bytes(data[at + 1:at + 4], "big")
            at += 4 + size
        number = chr(self.samples // 4096).encode("utf-8", "surrogatepass")
        end = len(data)
        while True:
            end = data.rfind(b"\xff\xf8", at, end)
            if end < 0:
                raise ValueError("no last frame in a file of FLAC")
            if data[end + 4:end + 4 + len(number)] == number and data[end + 2] >> 4 == 6:
                break
        self.frames, self.number_of_last = data[at:end], number

    def file(self, tags, chance):
        # The rate by the same code as in the other frames.
        head = b"\xff\xf8" + bytes([0x60 | self.frames[2] & 15, (self.channels - 1) << 4 | 8])
        head += self.number_of_last + bytes([LAST - 1])
        head += bytes([crc8(head)])
        frame = head + b"".join(b"\2" + struct.pack(f">{LAST}h", *side) for side in self.own_samples(chance))
        frame += struct.pack(">H", crc16(frame))
        blocks = [(0, self.information), (4, vorbis_comment(tags, picture=False))]
        if tags.cover:
            blocks.append((6, flac_picture(tags.cover)))
        blocks.append((1, bytes(256)))
        parts = [b"fLaC"]
        for at, (kind, body) in enumerate(blocks):
            parts.append(bytes([kind | (0x80 if at == len(blocks) - 1 else 0)]) + len(body).to_bytes(3, "big") + body)
        return b"".join(parts) + self.frames + frame, frame


#: A byte with its bits in reverse: the CRC of Ogg is zlib's, the other way round.
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def ogg_crc(page):
    value = zlib.crc32(page.translate(REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int.from_bytes(value.to_bytes(4, "little").translate(REVERSED), "big")


def ogg_page(flags, granule, serial, number, lacing, body):
    head = struct.pack("<4sBBqIII", b"OggS", 0, flags, granule, serial, number, 0)
    page = bytearray(head + bytes([len(lacing)]) + lacing + body)
    page[22:26] = struct.pack("<I", ogg_crc(bytes(page)))
    return bytes(page)


class Ogg(Master):
    """Packets of a page change places, among those that last equally long. All pages are numbered and summed anew."""
    headers = 2
    length = MP3.length

    def prepare(self):
        data = self.encode(*self.options, container="ogg")
        pages, at = [], 0
        while at < len(data):
            flags, granule, serial, count = data[at + 5], *struct.unpack("<qI", data[at + 6:at + 18]), data[at + 26]
            lacing = data[at + 27:at + 27 + count]
            begin, at = at + 27 + count, at + 27 + count + sum(lacing)
            pages.append((flags, granule, lacing, data[begin:at]))
        self.serial = serial
        self.first, packets, open_packet, used = pages[0][3], [], b"", 1
        while len(packets) < self.headers - 1:
            _, _, lacing, body = pages[used]
            begin = 0
            for size in lacing:
                open_packet += body[begin:begin + size]
                begin += size
                if size < 255:
                    packets.append(open_packet)
                    open_packet = b""
            used += 1
        if len(packets) != self.headers - 1:
            raise ValueError("sound begins on a page of headers")
        self.rest = packets[1:]
        self.pages = pages[used:]
        far, kept = len(self.pages), 0
        while far and kept < NEAR:
            far -= 1
            kept += len(self.pages[far][3])
        self.far = far

    def file(self, tags, chance):
        packets = [self.comment(tags), *self.rest]
        lacing, body = b"", b"".join(packets)
        for packet in packets:
            lacing += b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255])
        parts = [ogg_page(2, 0, self.serial, 0, bytes([len(self.first)]), self.first)]
        begin, continued = 0, 0
        for at in range(0, len(lacing), 255):
            piece = lacing[at:at + 255]
            size = sum(piece)
            ends = any(one < 255 for one in piece)
            parts.append(ogg_page(continued, 0 if ends else -1, self.serial, len(parts), piece, body[begin:begin + size]))
            begin, continued = begin + size, 0 if piece[-1] < 255 else 1
        own = b""
        for at, (flags, granule, lacing, body) in enumerate(self.pages):
            if at >= self.far:
                lacing, body = self.other_order(flags, lacing, body, chance, at in (0, len(self.pages) - 1))
                own += body
            parts.append(ogg_page(flags, granule, self.serial, len(parts), lacing, body))
        return b"".join(parts), own

    def other_order(self, flags, lacing, body, chance, at_edge):
        packets, sizes, begin, size = [], b"", 0, 0
        for one in lacing:
            sizes += bytes([one])
            size += one
            if one < 255:
                packets.append((sizes, body[begin:begin + size]))
                begin, sizes, size = begin + size, b"", 0
        left = (sizes, body[begin:])
        # What began on the page before stays, and so do the first and the last packet of all.
        kept = 1 if flags & 1 or at_edge else 0
        ends = len(packets) - (1 if at_edge else 0)
        packets[kept:ends] = shuffled(chance, packets[kept:ends], self.kind)
        packets.append(left)
        return b"".join(sizes for sizes, _ in packets), b"".join(data for _, data in packets)


class Vorbis(Ogg):
    name, extension, headers = "vorbis", ".ogg", 3
    options = ("-c:a", "libvorbis", "-q:a", "3")

    def comment(self, tags):
        return b"\3vorbis" + vorbis_comment(tags, picture=True) + b"\1"

    def kind(self, packet):
        # Type, mode, and the windows of the neighbours.
        return packet[1][0] & 15 if packet[1] else -1


class Opus(Ogg):
    name, extension = "opus", ".opus"
    options = ("-c:a", "libopus", "-b:a", "96k")

    def comment(self, tags):
        return b"OpusTags" + vorbis_comment(tags, picture=True)

    def kind(self, packet):
        return packet[1][0] >> 3 if packet[1] else -1


class WavPack(Master):
    """A sub-block of the first block, which readers skip, holds eight bytes of the file's own."""
    name, extension = "wavpack", ".wv"

    def prepare(self):
        data = self.encode("-c:a", "wavpack", "-sample_fmt", "s16p", container="wv")
        size, = struct.unpack("<I", data[4:8])
        # Sub-block 0 is for filling, and counts its length in words of two bytes.
        self.head = data[:4] + struct.pack("<I", size + 10) + data[8:32] + b"\0\4"
        self.rest = data[32:]

    def file(self, tags, chance):
        own = chance.randbytes(8)
        return self.head + own + self.rest + ape(tags), own


class WMA(Master):
    """The filling of the last packet is the file's own."""
    name, extension = "wma", ".wma"

    def prepare(self):
        data = self.encode("-c:a", "wmav2", "-b:a", "96k", container="asf")
        size, count = struct.unpack("<QI", data[16:28])
        self.objects, at = [], 30
        for _ in range(count):
            length, = struct.unpack("<Q", data[at + 16:at + 24])
            guid = data[at:at + 16]
            if guid not in (ASF_CONTENT, ASF_EXTENDED):
                self.objects.append(data[at:at + length])
            at += length
        self.properties = next(at for at, one in enumerate(self.objects) if one.startswith(FILE_PROPERTIES))
        length, = struct.unpack("<Q", data[size + 16:size + 24])
        self.body = data[size:size + length]
        self.packet, = struct.unpack("<I", self.objects[self.properties][92:96])
        last = self.body[-self.packet:]
        # Error correction (three bytes), then flags that tell how long the fields are. The packet itself gives no length.
        if last[0] != 0x82 or last[3] & 0x66:
            raise ValueError("another kind of ASF packet")
        self.filling = {0: 0, 1: last[5], 2: int.from_bytes(last[5:7], "little")}[(last[3] >> 3) & 3]
        if self.filling < 8:
            raise ValueError("the last packet of a WMA file has no filling: take another length")

    def file(self, tags, chance):
        objects = [*self.objects, *asf_objects(tags)]
        own = chance.randbytes(min(self.filling, 64))
        size = 30 + sum(map(len, objects))
        properties = bytearray(objects[self.properties])
        properties[40:48] = struct.pack("<Q", size + len(self.body))
        objects[self.properties] = bytes(properties)
        head = HEADER + struct.pack("<QI", size, len(objects)) + b"\1\2" + b"".join(objects)
        return head + self.body[:-len(own)] + own, own


HEADER, FILE_PROPERTIES = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"), bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")


def boxes(data, begin, end):
    """(name, where it begins, where its contents begin, where it ends)"""
    while begin + 8 <= end:
        size, name, head = int.from_bytes(data[begin:begin + 4], "big"), bytes(data[begin + 4:begin + 8]), 8
        if size == 1:
            size, head = int.from_bytes(data[begin + 8:begin + 16], "big"), 16
        yield name, begin, begin + head, begin + size
        begin += size


def find(data, path, begin=0, end=None):
    for name, _, inner, stop in boxes(data, begin, len(data) if end is None else end):
        if name == path[0]:
            return (inner, stop) if len(path) == 1 else find(data, path[1:], inner, stop)
    raise ValueError(f"no {path[0]!r} in a file of MP4")


TABLES = [b"trak", b"mdia", b"minf", b"stbl"]


class MP4(Master):
    """The index stands before the sound in every other master, and behind it in the rest."""
    extension = ".m4a"

    def prepare(self):
        data = self.encode(*self.options, container="mp4")
        parts = {name: data[begin:end] for name, begin, _, end in boxes(data, 0, len(data))}
        inner, end = find(data, [b"mdat"])
        self.kind, self.sound, self.sound_at = parts[b"ftyp"], data[inner:end], inner
        moov = parts[b"moov"]
        self.index = b"".join(moov[begin:end] for name, begin, _, end in boxes(moov, 8, len(moov)) if name != b"udta")
        begin, end = find(self.index, [*TABLES, b"stsz"])
        count, = struct.unpack(">I", self.index[begin + 8:begin + 12])
        self.sizes_at, self.sizes = begin + 12, list(struct.unpack(f">{count}I", self.index[begin + 12:end]))
        begin, end = find(self.index, [*TABLES, b"stco"])
        count, = struct.unpack(">I", self.index[begin + 4:begin + 8])
        self.chunks_at, self.chunks = begin + 8, struct.unpack(f">{count}I", self.index[begin + 8:end])
        self.take_apart()

    def put_together(self, tags, sizes, sound):
        """`sizes` are those of the samples from some one to the last."""
        index = bytearray(self.index)
        at = self.sizes_at + 4 * (len(self.sizes) - len(sizes))
        index[at:at + 4 * len(sizes)] = struct.pack(f">{len(sizes)}I", *sizes)
        udta = mp4_udta(tags)
        before = len(self.kind) + 8
        early = self.number % 2
        if early:
            before += 8 + len(index) + len(udta)
        moved = before - self.sound_at
        end = self.chunks_at + 4 * len(self.chunks)
        index[self.chunks_at:end] = struct.pack(f">{len(self.chunks)}I", *(at + moved for at in self.chunks))
        moov, mdat = box(b"moov", bytes(index), udta), box(b"mdat", sound)
        return self.kind + (moov + mdat if early else mdat + moov)


class AAC(MP4):
    """The last frames of the last chunk change places, all but the very last."""
    name, options = "aac", ("-c:a", "aac", "-b:a", "112k")
    length = MP3.length

    def take_apart(self):
        begin, _ = find(self.index, [*TABLES, b"stsc"])
        # (first chunk, samples in each, description) for runs of chunks.
        count, = struct.unpack(">I", self.index[begin + 4:begin + 8])
        runs = [struct.unpack(">III", self.index[begin + 8 + 12 * at:begin + 20 + 12 * at]) for at in range(count)]
        last = min(runs[-1][1], len(self.sizes))
        if last < 12:
            raise ValueError("too few frames in the last chunk")
        ends = len(self.sound) - self.sizes[-1]
        self.frames, at = [], ends
        for size in reversed(self.sizes[-min(last, 64):-1]):
            self.frames.insert(0, self.sound[at - size:at])
            at -= size
        self.head, self.tail = self.sound[:at], self.sound[ends:]

    def file(self, tags, chance):
        frames = [*shuffled(chance, self.frames), self.tail]
        own = b"".join(frames)
        return self.put_together(tags, [len(frame) for frame in frames], self.head + own), own


class ALAC(MP4):
    """The last frame, of 64 samples as they are, is the file's own."""
    name, options = "alac", ("-c:a", "alac", "-sample_fmt", "s16p")
    length = FLAC.length

    def take_apart(self):
        self.head = self.sound[:-self.sizes[-1]]

    def file(self, tags, chance):
        bits = []

        def put(count, value):
            bits.append(f"{value & ((1 << count) - 1):0{count}b}")

        # An element of one channel or of a pair, with its own count of samples, not compressed; then the end.
        put(3, self.channels - 1)
        put(16, 0)
        put(4, 0b1001)
        put(32, LAST)
        for together in zip(*self.own_samples(chance)):
            for sample in together:
                put(16, sample)
        put(3, 7)
        text = "".join(bits)
        text += "0" * (-len(text) % 8)
        frame = int(text, 2).to_bytes(len(text) // 8, "big")
        return self.put_together(tags, [len(frame)], self.head + frame), frame


#: Formats, and how many of a hundred albums have them.
FORMATS = {MP3: 28, FLAC: 16, AAC: 12, Opus: 9, Vorbis: 9, WMA: 7, ALAC: 6, WavPack: 6, AIFF: 4, WAV: 3}


def masters(kind, seed, seconds, count=4):
    """`count` masters of a format, of lengths about `seconds`."""
    made = []
    for number in range(count):
        chance = random.Random(f"{seed}/{kind.name}/{number}")
        length = seconds * (0.6 + 0.8 * (number + 0.5) / count)
        for _ in range(20):
            try:
                made.append(kind(number, length, chance))
                break
            except ValueError:
                # A length at which the trick of the format does not work.
                length *= 1.03
        else:
            raise ValueError(f"no master of {kind.name} at {seconds} s")
    return made


def cover(number, edge=300):
    """A JPEG of its own colours."""
    red, green, blue = ((number * step) % 256 for step in (67, 131, 29))
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=black:s={edge}x{edge}:d=1:r=1", "-vf",
         f"format=rgb24,geq=r='{red}+60*sin(X/{7 + number % 11})':g='{green}+60*cos(Y/{9 + number % 5})':b='{blue}+X/4'",
         "-frames:v", "1", "-fflags", "+bitexact", "-c:v", "mjpeg", "-q:v", "9", "-f", "image2pipe", "-"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout
