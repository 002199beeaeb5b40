"""Contents of files that lie about themselves: lengths, counts, pictures, links to elsewhere.

Each function yields (name, contents, expectation, about). Expectations: `music` for what has to be in the library, `problem`
for what must be listed with a reason and not be played, `refused` for what must not be opened, whether it is listed or
not, `either` where a track or a problem is right as long as nothing breaks, and `ignored` for what is no file of music.
"""
import base64, struct, zlib

import sound
from tags import Tags, box, size_of_id3


def id3_of(*frames, version=4, size=None):
    body = b"".join(frames)
    return b"ID3" + bytes([version, 0, 0]) + (size or size_of_id3(len(body))) + body


def id3_frame(name, body, size=None, flags=b"\0\0"):
    return name + (size or size_of_id3(len(body))) + flags + body


def png(edge):
    """A white square of one bit for each point: small, and edge × edge × 3 bytes or more for those who unpack it."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    packer, row = zlib.compressobj(9), b"\0" + b"\xff" * (-(-edge // 8))
    packed = b"".join(packer.compress(row * 100) for _ in range(edge // 100)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", edge, edge, 1, 0, 0, 0, 0)) + chunk(b"IDAT", packed)
            + chunk(b"IEND", b""))


def jpeg_that_claims(picture, width, height):
    """A small JPEG with another size in its frame header."""
    at = next(at for at in range(len(picture)) if picture[at:at + 2] == b"\xff\xc0")
    return picture[:at + 5] + struct.pack(">HH", height, width) + picture[at + 9:]


def pictures(good, picture):
    """Covers inside of files. `good` are masters by format; `picture` is a small JPEG."""
    bomb, wide = png(30_000), jpeg_that_claims(picture, 65_500, 65_500)
    chance = good.chance
    for name, data, about in (
            ("png-30000", bomb, "a PNG of 30000 × 30000 points in a few kilobytes"),
            ("jpeg-65500", wide, "a JPEG that claims 65500 × 65500 points"),
            ("none", b"\0" * 5000, "zeros in the place of a JPEG"),
            ("svg", b'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
             "an SVG with an outside entity that says it is a JPEG"),
            ("cut", picture[:200], "the beginning of a JPEG")):
        for kind in ("mp3", "flac", "aac", "opus"):
            master = good[kind]
            yield (f"{name}{master.extension}", master.file(Tags(f"Cover: {name}", ["Odd"], "Covers", cover=data), chance)[0],
                   "music", f"good sound, whose cover is {about}")
    mp3 = good.sound("mp3")
    for name, where in (("file", good.outside), ("address", good.url)):
        link = b"\0-->\0\3\0" + where.encode()
        yield f"linked-{name}.mp3", id3_of(id3_frame(b"APIC", link)) + mp3, "music", f"the cover is a link to {name}"
        block = struct.pack(">II", 3, 3) + b"-->" + struct.pack(">IIIIII", 0, 0, 0, 0, 0, len(where)) + where.encode()
        opus, fields = good["opus"], [b"METADATA_BLOCK_PICTURE=" + base64.b64encode(block), b"TITLE=Linked"]
        yield f"linked-{name}.opus", with_fields(opus, fields, chance), "music", f"the cover is a link to {name}"


def with_fields(master, fields, chance):
    """An Ogg file with these comments, whatever is in them."""
    comment = struct.pack("<II", 0, len(fields)) + b"".join(struct.pack("<I", len(one)) + one for one in fields)
    return with_comment(master, comment, chance)


def with_comment(master, comment, chance):
    plain = master.comment
    master.comment = lambda _: (b"\3vorbis" + comment + b"\1") if master.name == "vorbis" else b"OpusTags" + comment
    try:
        return master.file(Tags(), chance)[0]
    finally:
        master.comment = plain


def lying_tags(good):
    mp3, flac, chance = good.sound("mp3"), good["flac"], good.chance
    title = id3_frame(b"TIT2", b"\3Odd")
    most, all_ones = b"\x7f\x7f\x7f\x7f", b"\xff\xff\xff\xff"
    yield "id3-256-MiB.mp3", id3_of(title, size=most) + mp3, "either", "ID3 that claims 256 MiB of tags"
    yield "id3-size-of-ones.mp3", id3_of(title, size=all_ones) + mp3, "either", "the length of ID3 has its high bits set"
    yield ("id3-frame-256-MiB.mp3", id3_of(id3_frame(b"TIT2", b"\3Odd", size=most)) + mp3,
           "either", "a frame longer than the tag")
    yield "id3-frame-0.mp3", id3_of(*[id3_frame(b"TIT2", b"")] * 20_000) + mp3, "music", "20000 frames of no length"
    yield "id3-10000-titles.mp3", id3_of(*[title] * 10_000) + mp3, "music", "10000 titles"
    yield "id3-header-only.mp3", id3_of(size=most), "problem", "a header of ID3 and nothing else"
    yield "id3-tag-only.mp3", id3_of(title), "problem", "a tag without sound"
    packed = zlib.compress(b"\3" + bytes(256 << 20), 9)
    yield ("id3-packed-256-MiB.mp3", id3_of(id3_frame(b"TIT2", struct.pack(">I", 0x01000001) + packed, flags=b"\0\x09")) + mp3,
           "either", "a packed frame of 256 MiB in 256 kB")
    yield "id3-version-255.mp3", id3_of(title, version=255) + mp3, "either", "a version of ID3 that does not exist"
    yield "id3-nested.mp3", b"".join(id3_of(title) for _ in range(1000)) + mp3, "either", "1000 tags one after the other"
    yield "xing-of-years.mp3", xing_of(mp3), "music", "the header claims 4294967295 frames"
    yield ("ape-count.mp3", mp3 + b"APETAGEX" + struct.pack("<IIIIQ", 2000, 0xFFFFFFFF, 0xFFFFFFFF, 0x80000000, 0),
           "either", "an APE tag of 4 GiB and as many items")
    data = flac.file(Tags("Odd"), chance)[0]
    yield ("flac-block-beyond.flac", data[:42] + b"\4\xff\xff\xff" + data[46:200],
           "problem", "a metadata block longer than the file")
    yield ("flac-picture-beyond.flac", data[:42] + b"\6\0\1\0" + struct.pack(">II", 3, 0xFFFFFFF0) + bytes(248) + data[42:],
           "either", "a picture whose words are longer than the file")
    yield "flac-20000-blocks.flac", data[:42] + b"\1\0\0\0" * 20_000 + data[42:], "either", "20000 empty blocks"
    yield "flac-no-information.flac", b"fLaC" + data[42:], "problem", "no STREAMINFO"
    yield "flac-rate-0.flac", data[:18] + bytes(8) + data[26:], "either", "a rate of 0 and a length of 0"
    for kind in ("vorbis", "opus"):
        master = good[kind]
        yield (f"comments-4-billion{master.extension}", with_comment(master, struct.pack("<II", 0, 0xFFFFFFFF), chance),
               "either", "4294967295 comments, none of which follows")
        yield (f"vendor-4-GiB{master.extension}", with_comment(master, struct.pack("<I", 0xFFFFFFF0) + bytes(40), chance),
               "either", "a vendor's name of 4 GiB")
        many = [b"TITLE=Many", *(b"ARTIST=%d" % one for one in range(20_000))]
        yield (f"20000-artists{master.extension}", with_fields(master, many, chance),
               "music", "20000 artists")
        binary = [b"TITLE=\xff\xfe\x80Odd", b"\xff=\xff", b"no equals sign"]
        yield (f"not-utf-8{master.extension}", with_fields(master, binary, chance),
               "music", "comments that are not UTF-8")


def xing_of(mp3):
    at = max(mp3.find(b"Xing"), mp3.find(b"Info"))
    return mp3[:at + 8] + b"\xff\xff\xff\xff" * 2 + mp3[at + 16:] if at > 0 else mp3


def lying_containers(good):
    chance = good.chance
    tagged = Tags("Odd", ["Odd"], "Odd")
    mp4 = good["aac"].file(tagged, chance)[0]
    kind, free = box(b"ftyp", b"M4A \0\0\2\0M4A isom"), box(b"free")
    yield ("atom-size-0.m4a", kind + struct.pack(">I4s", 0, b"moov") + mp4[24:2000],
           "problem", "a moov without a length around the rest of the file")
    yield ("atom-size-1.m4a", kind + struct.pack(">I4sQ", 1, b"moov", 0) * 500,
           "problem", "atoms whose long length is 0, so that a reader stays where it is")
    yield "atom-size-7.m4a", kind + struct.pack(">I4s", 7, b"moov") * 500, "problem", "atoms shorter than their heads"
    yield ("atom-size-minus.m4a", kind + struct.pack(">I4sQ", 1, b"moov", (1 << 64) - 16) * 500,
           "problem", "atoms that end before they begin")
    nested = b""
    for _ in range(5000):
        nested = box(b"moov", box(b"udta", nested))
    yield "atoms-10000-deep.m4a", kind + nested, "problem", "10000 atoms inside of each other"
    nested = b""
    for _ in range(3000):
        nested = box(b"meta", bytes(4), box(b"ilst", nested))
    yield "ilst-6000-deep.m4a", kind + box(b"moov", box(b"udta", nested)), "problem", "6000 lists of tags inside of each other"
    yield ("atoms-200000.m4a", kind + free * 200_000 + mp4[len(good['aac'].kind):],
           "either", "200000 empty atoms before the sound")
    yield ("atom-data-beyond.m4a", mp4.replace(b"\xa9nam\0\0\0", b"\xa9nam\x7f\xff\xff", 1),
           "either", "a title of 2 GiB")
    counted = bytearray(mp4)
    at = counted.find(b"stsz")
    counted[at + 12:at + 16] = b"\xff\xff\xff\xff"
    yield "samples-4-billion.m4a", bytes(counted), "either", "4294967295 samples in a table of a few"
    slow = bytearray(mp4)
    at = slow.find(b"mdhd")
    slow[at + 16:at + 20] = bytes(4)
    yield "timescale-0.m4a", bytes(slow), "either", "no ticks in a second"
    for name, where in (("file", good.outside), ("address", good.url)):
        # A data reference: the sound is said to be elsewhere.
        away = box(b"dref", struct.pack(">II", 0, 1), box(b"url ", bytes(4), where.encode() + b"\0"))
        own = box(b"dref", struct.pack(">II", 0, 1), box(b"url ", b"\0\0\0\1"))
        yield (f"sound-elsewhere-{name}.m4a", in_boxes(good["aac"].file(Tags("Elsewhere"), chance)[0], own, away),
               "either", f"the sound is said to lie at {where}")
    wav, aiff = good["wav"].file(tagged, chance)[0], good["aiff"].file(tagged, chance)[0]
    yield ("riff-4-GiB.wav", wav[:4] + b"\xff" * 4 + wav[8:40] + b"\xff" * 4 + wav[44:2000],
           "either", "RIFF and its sound claim 4 GiB")
    yield "riff-chunk-4-GiB.wav", wav[:12] + b"odd " + b"\xff" * 4 + wav[12:], "problem", "a chunk of 4 GiB before all others"
    yield "riff-200000-chunks.wav", wav[:12] + b"odd \0\0\0\0" * 200_000 + wav[12:], "either", "200000 empty chunks"
    yield "channels-65535.wav", wav[:22] + b"\xff\xff" + wav[24:], "either", "65535 channels"
    yield "rate-0.wav", wav[:24] + bytes(8) + wav[32:], "either", "a rate of 0"
    at = aiff.find(b"COMM")
    yield "rate-nan.aiff", aiff[:at + 16] + b"\x7f\xff" + b"\xff" * 8 + aiff[at + 26:], "either", "a rate that is no number"
    yield ("form-chunk-4-GiB.aiff", aiff[:12] + b"ODD " + b"\xff" * 4 + aiff[12:],
           "problem", "a chunk of 4 GiB before all others")
    wv = good["wavpack"].file(tagged, chance)[0]
    yield "block-0.wv", (wv[:4] + bytes(4) + wv[8:32]) * 1000, "problem", "blocks of no length"
    yield "block-4-GiB.wv", wv[:4] + b"\xff" * 4 + wv[8:], "either", "a block of 4 GiB"
    wma = good["wma"].file(tagged, chance)[0]
    yield "object-0.wma", wma[:30] + (wma[30:46] + bytes(8)) * 2000, "problem", "objects of no length"
    yield "object-of-exabytes.wma", wma[:46] + b"\xff" * 7 + b"\x7f" + wma[54:], "either", "an object of exabytes"
    yield "objects-4-billion.wma", wma[:24] + b"\xff" * 4 + wma[28:], "either", "4294967295 objects in a header of a few"
    opus = good["opus"].file(tagged, chance)[0]
    at = opus.rfind(b"OggS")
    late = bytearray(opus[at:])
    late[6:14], late[22:26] = struct.pack("<q", 1 << 62), bytes(4)
    late[22:26] = struct.pack("<I", sound.ogg_crc(bytes(late)))
    yield "ends-in-3-million-years.opus", opus[:at] + bytes(late), "either", "the last page is 3 million years after the first"
    yield "two-in-a-row.opus", opus + good["opus"].file(tagged, chance)[0], "either", "two streams in a row"
    yield "pages-without-sound.opus", sound.ogg_page(2, 0, 7, 0, b"\x13", b"OpusHead\1\2\0\0\x80\xbb\0\0\0\0\0") + b"".join(
        sound.ogg_page(0, -1, 7, 1 + at, b"", b"") for at in range(20_000)), "problem", "20000 pages without a packet"
    head = sound.ogg_page(2, 0, 7, 0, b"\x13", b"OpusHead\1\xff\0\0\x80\xbb\0\0\0\0\xff")
    yield ("channels-255.opus", head + opus[opus.find(b"OggS", 4):],
           "either", "255 channels without a table of them")
    head = sound.ogg_page(2, 0, 7, 0, b"\x1e", b"\1vorbis" + bytes(4) + b"\2\x44\xac\0\0" + bytes(12) + b"\xb8\1")
    page = b"\3vorbis".ljust(255 * 255, b"\xff")
    yield ("comments-that-never-end.ogg", head + b"".join(
        sound.ogg_page(1, -1, 7, 1 + at, b"\xff" * 255, page) for at in range(100)),
        "problem", "6 MB of one packet of comments without an end")


def in_boxes(data, old, new):
    """`new` in the place of `old` inside of `moov`, with all lengths mended."""
    at = data.find(old)
    changed = bytearray(data[:at] + new + data[at + len(old):])
    more = len(new) - len(old)
    begin, end, path = 0, len(data), [b"moov", b"trak", b"mdia", b"minf", b"dinf"]
    for name in path:
        _, outer, inner, stop = next(one for one in sound.boxes(data, begin, end) if one[0] == name)
        changed[outer:outer + 4] = struct.pack(">I", stop - outer + more)
        begin, end = inner, stop
    return bytes(changed)


def odd_texts(good):
    """Files without a fault, whose tags are an attack on those who show, sort, store or search them."""
    mp3, chance = good["mp3"], good.chance
    texts = {
        "script": "<script>alert(1)</script><img src=x onerror=alert(1)>", "sql": "'; DROP TABLE tracks; --",
        "match": '" OR title:* NEAR(a b) ^x (', "right-to-left": "\u202egnp.3pm\u202c", "zalgo": "a" + "\u0301\u0489" * 2000,
        "control": "a\x01\x1b[31mred\x1b[0m\x07\r\nb", "invisible": "\u200b\u2060\ufeff\u00ad", "spaces": "   \u3000\u00a0  ",
        "megabyte": "long " * 200_000, "noncharacters": "\ufffe\uffff\U0010ffff", "private": "\ue000\uf8ff",
        "format": "%s%n%d {0} ${x}",
        "path": "../../../../etc/passwd", "joined": "👩‍👩‍👧‍👦" * 500, "hangul-parts": "\u1112\u1161\u11ab" * 300,
        "ligature": "ﷺ" * 3000, "capital-i": "İıIi" * 50}
    for name, text in texts.items():
        yield (f"{name}.mp3", mp3.file(Tags(text, [text, "Odd"], text, text, (1, 1), (), 2000, [text]), chance)[0],
               "music", f"all texts are odd: {name}")
    data = good.sound("mp3")

    def frames(**texts):
        made = [id3_frame(name.encode(), b"\3" + text.encode()) for name, text in {"TIT2": "Odd", **texts}.items()]
        return id3_of(*made) + data

    yield ("numbers-great.mp3", frames(TRCK="99999999999999999999/99999999999999999999", TPOS="4294967296/-1", TDRC="99999"),
           "music", "numbers past 64 bits")
    yield "numbers-below.mp3", frames(TRCK="-3/-2", TPOS="0/0", TDRC="-0500"), "music", "numbers below zero"
    yield ("numbers-none.mp3", frames(TRCK="A1", TPOS="one of two", TDRC="circa 1970?", TLEN="x", TBPM="∞"),
           "music", "words in the place of numbers")
    yield "genre-999.mp3", frames(TCON="(999)((x)(255)"), "music", "genres by numbers that do not exist"
    for value in ("1e999", "nan", "-inf", "+99999 dB", "-6,5 dB", "dB"):
        field = id3_frame(b"TXXX", b"\3REPLAYGAIN_TRACK_GAIN\0" + value.encode())
        yield f"gain {value}.mp3", id3_of(id3_frame(b"TIT2", b"\3Odd"), field) + data, "music", f"a gain of {value}"
    yield ("utf-16-halves.mp3", id3_of(id3_frame(b"TIT2", b"\1\xff\xfe\x00\xd8a\0\x00\xdc\x41"), version=4) + data,
           "music", "UTF-16 with halves of pairs, and an odd number of bytes")
    yield ("utf-8-damaged.mp3", id3_of(id3_frame(b"TIT2", b"\3\xc3\x28\xf0\x9f\x98Odd\xff")) + data,
           "music", "a title that is not UTF-8")
    yield "nul-inside.mp3", id3_of(id3_frame(b"TIT2", b"\3Be\0fore\0\0\0after")) + data, "music", "zeros inside of a title"


def not_music(good, picture):
    """Other things with a name of music."""
    for extension in (".mp3", ".flac", ".m4a", ".ogg", ".opus", ".wav", ".aiff", ".wv", ".wma", ".ape", ".mp4", ".aif",
                      ".oga", ".MP3"):
        yield f"empty{extension}", b"", "problem", "an empty file"
        yield f"one-byte{extension}", b"I", "problem", "one byte"
        yield f"zeros{extension}", bytes(200_000), "problem", "zeros"
        yield f"noise{extension}", good.chance.randbytes(200_000), "either", "random bytes"
    yield "picture.mp3", picture, "problem", "a JPEG"
    yield "page.flac", b"<!DOCTYPE html><title>404</title>" * 50, "problem", "a web page"
    yield "program.ogg", b"\x7fELF\2\1\1" + bytes(60_000), "problem", "a program"
    yield "archive.wav", b"PK\3\4" + bytes(30_000), "problem", "an archive"
    yield "text.opus", b"OpusHead" * 1000, "problem", "a text"
    for kind, extension in (("mp3", ".flac"), ("flac", ".mp3"), ("opus", ".mp3"), ("aac", ".ogg"), ("wma", ".wav"),
                            ("vorbis", ".opus")):
        yield (f"{kind}-named{extension}", good[kind].file(Tags(f"{kind} in disguise"), good.chance)[0],
               "either", f"{kind}, named {extension}")


def lists(good):
    """Playlists and their kin, under names of music: programs that guess the format would follow them."""
    places = {"file": good.outside, "passwd": "/etc/passwd", "relative": "../../secret.mp3", "url-of-file": f"file://{good.outside}",
              "address": good.url, "concat": f"concat:{good.outside}|{good.outside}",
              "subfile": f"subfile,,start,0,end,0,,:{good.outside}"}
    for name, where in places.items():
        bodies = {
            "m3u": f"#EXTM3U\n#EXTINF:1,Odd\n{where}\n",
            "hls": "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n"
                   f"#EXTINF:10.0,\n{where}\n#EXT-X-ENDLIST\n",
            "hls-key": f'#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-KEY:METHOD=AES-128,URI="{where}"\n'
                       f'#EXTINF:10.0,\n{where}\n#EXT-X-ENDLIST\n',
            "concat": f"ffconcat version 1.0\nfile '{where}'\n",
            "pls": f"[playlist]\nNumberOfEntries=1\nFile1={where}\nTitle1=Odd\nLength1=-1\nVersion=2\n",
            "asx": f'<asx version="3.0"><entry><ref href="{where}"/></entry></asx>\n',
            "xspf": '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/">'
                    f'<trackList><track><location>{where}</location></track></trackList></playlist>\n',
            "dash": '<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT10S"><Period>'
                    '<AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1">'
                    f'<BaseURL>{where}</BaseURL></Representation></AdaptationSet></Period></MPD>\n',
            "sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=Odd\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 9 RTP/AVP 0\n",
            "cue": f'FILE "{where}" MP3\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n'}
        for kind, body in bodies.items():
            for extension in (".mp3", ".flac", ".m4a", ".ogg", ".wma", ".wav"):
                yield f"{kind}-{name}{extension}", body.encode(), "problem", f"a list of the kind {kind} that points at {where}"
        for kind, extension in (("m3u", ".m3u"), ("hls", ".m3u8"), ("pls", ".pls"), ("cue", ".cue"), ("xspf", ".xspf")):
            yield (f"plain-{name}{extension}", bodies[kind].encode(),
                   "ignored", f"a list under its own name that points at {where}")
    # A tag first, so that its kind is guessed from what follows.
    body = f"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\n{good.outside}\n#EXT-X-ENDLIST\n"
    yield "tagged-hls.mp3", id3_of(id3_frame(b"TIT2", b"\3Odd")) + body.encode(), "problem", "ID3 before a list"
