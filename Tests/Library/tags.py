"""Tags as bytes, in each of the ways in which files carry them.

Written from the formats' descriptions and not by a tag library: whoever reads the files has nobody's habits to share, and
a file costs microseconds.
"""
import base64, dataclasses, struct

#: The genres that ID3v2.3 may write as a number.
ID3_GENRES = {"Blues": 0, "Jazz": 8, "Metal": 9, "Pop": 13, "Rock": 17, "Ambient": 26, "Classical": 32, "Folk": 80}
VENDOR = "Sona fixtures"


@dataclasses.dataclass
class Tags:
    title: str = ""
    artists: list = dataclasses.field(default_factory=list)
    album: str = ""
    album_artist: str = ""
    track: tuple = ()  # (number, of how many)
    disc: tuple = ()
    year: int = 0
    genres: list = dataclasses.field(default_factory=list)
    compilation: bool = False
    gain: float | None = None  # dB, of ReplayGain
    release: str = ""  # MusicBrainz' identifier of the album
    cover: bytes = b""  # JPEG

    def record(self):
        """As JSON: what a reader of the file should find."""
        found = {name: value for name, value in dataclasses.asdict(self).items() if value not in ("", [], (), 0, False, None)}
        found.pop("cover", None)
        return found | ({"cover_bytes": len(self.cover)} if self.cover else {})


def size_of_id3(number):
    """Seven bits a byte."""
    return bytes((number >> shift) & 0x7F for shift in (21, 14, 7, 0))


def id3(tags, version=4):
    def encoded(text):
        return (b"\3" + text.encode()) if version == 4 else (b"\1" + text.encode("utf-16"))

    frames = []

    def frame(name, body):
        length = size_of_id3(len(body)) if version == 4 else struct.pack(">I", len(body))
        frames.append(name.encode() + length + b"\0\0" + body)

    def text(name, value):
        if value:
            frame(name, encoded(value))

    def described(name, value):
        if version == 4:
            frame("TXXX", b"\3" + name.encode() + b"\0" + value.encode())
        else:
            frame("TXXX", b"\1" + name.encode("utf-16") + b"\0\0" + value.encode("utf-16"))

    text("TIT2", tags.title)
    text("TPE1", "\0".join(tags.artists))
    text("TALB", tags.album)
    text("TPE2", tags.album_artist)
    text("TRCK", "/".join(map(str, tags.track)))
    text("TPOS", "/".join(map(str, tags.disc)))
    text("TDRC" if version == 4 else "TYER", str(tags.year or ""))
    if version == 3 and len(tags.genres) == 1 and tags.genres[0] in ID3_GENRES:
        text("TCON", f"({ID3_GENRES[tags.genres[0]]})")
    else:
        text("TCON", "\0".join(tags.genres))
    if tags.compilation:
        text("TCMP", "1")
    if tags.gain is not None:
        described("REPLAYGAIN_TRACK_GAIN", f"{tags.gain:.2f} dB")
    if tags.release:
        described("MusicBrainz Album Id", tags.release)
    if tags.cover:
        frame("APIC", b"\0image/jpeg\0\3\0" + tags.cover)
    body = b"".join(frames)
    if not body:
        return b""
    body += bytes(64)
    return b"ID3" + bytes([version, 0, 0]) + size_of_id3(len(body)) + body


def flac_picture(cover):
    # Width, height, depth and number of colours may be left at 0.
    return struct.pack(">II", 3, 10) + b"image/jpeg" + struct.pack(">IIIIII", 0, 0, 0, 0, 0, len(cover)) + cover


def vorbis_fields(tags):
    pairs = [("TITLE", tags.title), *(("ARTIST", one) for one in tags.artists), ("ALBUM", tags.album),
             ("ALBUMARTIST", tags.album_artist), ("DATE", str(tags.year or "")), *(("GENRE", one) for one in tags.genres)]
    for name, total, value in (("TRACKNUMBER", "TRACKTOTAL", tags.track), ("DISCNUMBER", "DISCTOTAL", tags.disc)):
        if value:
            pairs += [(name, str(value[0])), (total, str(value[1]))]
    if tags.compilation:
        pairs.append(("COMPILATION", "1"))
    if tags.gain is not None:
        pairs.append(("REPLAYGAIN_TRACK_GAIN", f"{tags.gain:.2f} dB"))
    if tags.release:
        pairs.append(("MUSICBRAINZ_ALBUMID", tags.release))
    return [pair for pair in pairs if pair[1]]


def vorbis_comment(tags, picture):
    """The comments of FLAC, Vorbis and Opus; the picture among them only in Ogg."""
    fields = [f"{name}={value}".encode() for name, value in vorbis_fields(tags)]
    if picture and tags.cover:
        fields.append(b"METADATA_BLOCK_PICTURE=" + base64.b64encode(flac_picture(tags.cover)))
    vendor = VENDOR.encode()
    return b"".join([struct.pack("<I", len(vendor)), vendor, struct.pack("<I", len(fields)),
                     *(struct.pack("<I", len(field)) + field for field in fields)])


def ape(tags):
    """APEv2, with header and footer: the tag of WavPack."""
    items = []

    def item(key, value, kind=0):
        if value:
            items.append(struct.pack("<II", len(value), kind << 1) + key.encode() + b"\0" + value)

    item("Title", tags.title.encode())
    item("Artist", "\0".join(tags.artists).encode())
    item("Album", tags.album.encode())
    item("Album Artist", tags.album_artist.encode())
    item("Track", "/".join(map(str, tags.track)).encode())
    item("Disc", "/".join(map(str, tags.disc)).encode())
    item("Year", str(tags.year or "").encode())
    item("Genre", "\0".join(tags.genres).encode())
    item("Compilation", b"1" if tags.compilation else b"")
    if tags.gain is not None:
        item("REPLAYGAIN_TRACK_GAIN", f"{tags.gain:.2f} dB".encode())
    item("MUSICBRAINZ_ALBUMID", tags.release.encode())
    if tags.cover:
        item("Cover Art (Front)", b"cover.jpg\0" + tags.cover, kind=1)
    if not items:
        return b""
    body = b"".join(items)

    def edge(flags):
        return b"APETAGEX" + struct.pack("<IIIIQ", 2000, len(body) + 32, len(items), flags, 0)

    return edge(0xA0000000) + body + edge(0x80000000)


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + name + body


def mp4_udta(tags):
    """`moov.udta`, as iTunes fills it."""
    def data(kind, value):
        return box(b"data", struct.pack(">II", kind, 0), value)

    def texts(name, values):
        return [box(name, *(data(1, value.encode()) for value in values))] if values and values[0] else []

    def free(name, value):
        return box(b"----", box(b"mean", bytes(4), b"com.apple.iTunes"), box(b"name", bytes(4), name.encode()),
                   data(1, value.encode()))

    items = [*texts(b"\xa9nam", [tags.title]), *texts(b"\xa9ART", tags.artists), *texts(b"\xa9alb", [tags.album]),
             *texts(b"aART", [tags.album_artist]), *texts(b"\xa9day", [str(tags.year or "")]), *texts(b"\xa9gen", tags.genres)]
    if tags.track:
        items.append(box(b"trkn", data(0, struct.pack(">HHHH", 0, *tags.track, 0))))
    if tags.disc:
        items.append(box(b"disk", data(0, struct.pack(">HHH", 0, *tags.disc))))
    if tags.compilation:
        items.append(box(b"cpil", data(21, b"\1")))
    if tags.gain is not None:
        items.append(free("replaygain_track_gain", f"{tags.gain:.2f} dB"))
    if tags.release:
        items.append(free("MusicBrainz Album Id", tags.release))
    if tags.cover:
        items.append(box(b"covr", data(13, tags.cover)))
    if not items:
        return b""
    handler = box(b"hdlr", bytes(8), b"mdirappl", bytes(9))
    return box(b"udta", box(b"meta", bytes(4), handler, box(b"ilst", *items)))


# The GUIDs of ASF, as they lie in the file.
ASF_CONTENT = bytes.fromhex("3326b2758e66cf11a6d900aa0062ce6c")
ASF_EXTENDED = bytes.fromhex("40a4d0d207e3d21197f000a0c95ea850")


def asf_objects(tags):
    """The two objects of WMA that hold tags: title and first artist stand in the first."""
    def wide(text):
        return text.encode("utf-16-le") + b"\0\0"

    def thing(guid, body):
        return guid + struct.pack("<Q", len(body) + 24) + body

    objects = []
    if tags.title or tags.artists:
        texts = [wide(tags.title), wide(tags.artists[0] if tags.artists else ""), wide(""), wide(""), wide("")]
        objects.append(thing(ASF_CONTENT, struct.pack("<5H", *map(len, texts)) + b"".join(texts)))
    items = []

    def item(name, kind, value):
        name = wide(name)
        items.append(struct.pack("<H", len(name)) + name + struct.pack("<HH", kind, len(value)) + value)

    def text(name, value):
        if value:
            item(name, 0, wide(value))

    for other in tags.artists[1:]:
        text("Author", other)
    text("WM/AlbumTitle", tags.album)
    text("WM/AlbumArtist", tags.album_artist)
    text("WM/TrackNumber", str(tags.track[0]) if tags.track else "")
    text("WM/PartOfSet", "/".join(map(str, tags.disc)))
    text("WM/Year", str(tags.year or ""))
    for genre in tags.genres:
        text("WM/Genre", genre)
    if tags.compilation:
        item("WM/IsCompilation", 2, struct.pack("<I", 1))
    if tags.gain is not None:
        text("replaygain_track_gain", f"{tags.gain:.2f} dB")
    text("MusicBrainz/Album Id", tags.release)
    if tags.cover:
        item("WM/Picture", 1, b"\3" + struct.pack("<I", len(tags.cover)) + wide("image/jpeg") + wide("") + tags.cover)
    if items:
        objects.append(thing(ASF_EXTENDED, struct.pack("<H", len(items)) + b"".join(items)))
    return objects
