"""What files say of themselves is read, whatever wrote it, is text whatever it says, and does no harm where it is damaged."""
import random, struct, subprocess

from support import check, chromium
from .desk import Desk

NAME, ARTIST, ALBUM = "<script>alert(1)</script> Żółć\n", "Ada & <b>", "‮Album"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082")


def synchsafe(size):
    return bytes(size >> shift & 127 for shift in (21, 14, 7, 0))


def id3(version):
    """A tag of ID3v2.3 in UTF-16, or v2.4 in UTF-8, with a picture."""
    length = synchsafe if version == 4 else lambda size: struct.pack(">I", size)
    text = (lambda value: b"\x03" + value.encode()) if version == 4 else (lambda value: b"\x01" + value.encode("utf-16"))
    frames = b"".join(name + length(len(body)) + b"\0\0" + body for name, body in (
        (b"TIT2", text(NAME)), (b"TPE1", text(ARTIST)), (b"TALB", text(ALBUM)), (b"TLEN", text("61000")),
        (b"APIC", b"\0image/png\0\x03\0" + PNG)))
    return b"ID3" + bytes((version, 0, 0)) + synchsafe(len(frames)) + frames + b"\xff\xfb\x90\x64" + bytes(400)


def comments():
    fields = [f"TITLE={NAME}", f"artist={ARTIST}", f"Album={ALBUM}"]
    return struct.pack("<I", 4) + b"test" + struct.pack("<I", len(fields)) + b"".join(
        struct.pack("<I", len(field.encode())) + field.encode() for field in fields)


def flac():
    """Head, comments and a picture of a FLAC file of 61 s."""
    samples = 61 * 44100
    info = bytes(10) + struct.pack(">Q", 44100 << 44 | 1 << 41 | 15 << 36 | samples) + bytes(16)
    picture = struct.pack(">II", 3, 9) + b"image/png" + bytes(4) + bytes(16) + struct.pack(">I", len(PNG)) + PNG
    blocks = [(0, info), (4, comments()), (6, picture)]
    return b"fLaC" + b"".join(
        bytes((kind | (128 if kind == 6 else 0),)) + struct.pack(">I", len(body))[1:] + body for kind, body in blocks)


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + name + body


def mp4():
    """An MP4 whose movie stands behind its sound."""
    def item(name, kind, value):
        return box(name, box(b"data", struct.pack(">II", kind, 0), value))
    header = box(b"mvhd", bytes(12), struct.pack(">II", 1000, 61000), bytes(80))
    items = box(b"ilst", item(b"\xa9nam", 1, NAME.encode()), item(b"\xa9ART", 1, ARTIST.encode()), item(b"\xa9alb", 1, ALBUM.encode()), item(b"covr", 14, PNG))
    meta = box(b"meta", bytes(4), box(b"hdlr", bytes(25)), items)
    return box(b"ftyp", b"M4A \0\0\0\0") + box(b"mdat", bytes(5000)) + box(b"moov", header, box(b"udta", meta))


def opus(folder):
    """An Opus file of 61 s whose tags are long: they go on far behind where reading begins."""
    (folder / "long.png").write_bytes(PNG + bytes(300_000))
    made = folder / "long.opus"
    subprocess.run(["opusenc", "--quiet", "--raw", "--raw-rate", "48000", "--raw-chan", "1", "--picture", f"3|image/png||1x1x8|{folder / 'long.png'}",
                    "--title", NAME, "--artist", ARTIST, "--album", ALBUM, "-", str(made)], input=bytes(61 * 96000), check=True)
    return made.read_bytes()


def riff(*chunks):
    """A WAV file of 1 s of silence with chunks before its sound, and those after None behind it."""
    def chunk(name, body):
        return name + struct.pack("<I", len(body)) + body + bytes(len(body) & 1)
    sound = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)), chunk(b"data", bytes(16000))
    at = chunks.index(None)
    body = b"WAVE" + sound[0] + b"".join(chunk(*one) for one in chunks[:at]) + sound[1] + b"".join(chunk(*one) for one in chunks[at + 1:])
    return b"RIFF" + struct.pack("<I", len(body)) + body


def info(encoding="utf-8"):
    """A LIST chunk of type INFO."""
    fields = b"".join(name + struct.pack("<I", len(text) + 1) + text + b"\0" + bytes((len(text) + 1) & 1)
                      for name, text in ((b"INAM", NAME.encode()), (b"IART", ARTIST.encode(encoding)), (b"IPRD", ALBUM.encode())))
    return b"LIST", b"INFO" + fields


def wavs():
    """Tags where programs put them: before the sound, behind it, and as ID3."""
    return {"list.wav": riff(info(), None), "behind.wav": riff((b"junk", bytes(7)), None, info()),
            "id3.wav": riff(None, (b"id3 ", id3(4)[:-404])), "old.wav": riff(info("windows-1252"), None)}


def mp3(path, *options, seconds=61):
    """Silence that ffmpeg encodes."""
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=22050:cl=mono", "-t", str(seconds), "-codec:a", "libmp3lame",
                    *options, str(path)], check=True)
    return path


def run(playwright, server, folder):
    files = {"v3.mp3": id3(3), "v4.mp3": id3(4), "one.flac": flac(), "one.m4a": mp4()}
    dice = random.Random(9)
    with chromium(playwright) as browser:
        desk = Desk(browser, server).open()
        for name, content in {**files, "one.opus": opus(folder)}.items():
            (folder / name).write_bytes(content)
            desk.add(folder / name)
            title, artist, album, duration, cover = desk.evaluate(
                "(() => { const song = host.playlist.songs.at(-1); return [song.title, song.artist, song.album, song.track.duration_us, song.cover?.size]; })()")
            check((title, artist, album) == (NAME.strip(), ARTIST, ALBUM), f"{name}: {title!r} {artist!r} {album!r}")
            check(duration is not None and abs(duration - 61e6) < 1e3, f"{name}: it is {duration} µs long")
            check(cover == len(PNG) + (300_000 if name == "one.opus" else 0), f"{name}: the cover has {cover} bytes")
        for name, content in wavs().items():
            (folder / name).write_bytes(content)
            desk.add(folder / name)
            found = desk.evaluate("(() => { const song = host.playlist.songs.at(-1); return [song.title, song.artist, song.album, song.track.duration_us, song.failure]; })()")
            check(found == [NAME.strip(), ARTIST, ALBUM, 1_000_000, None], f"{name}: {found}")
            desk.evaluate("host.playlist.remove(host.playlist.songs.at(-1))")
        # What says nothing of its length is measured by its frames, with a count of them and without.
        for name, options in (("counted", ["-q:a", "9"]), ("constant", ["-b:a", "32k", "-write_xing", "0"])):
            desk.add(mp3(folder / f"{name}.mp3", *options))
            duration = desk.evaluate("host.playlist.songs.at(-1).track.duration_us")
            check(duration is not None and abs(duration - 61e6) < 2e5, f"{name}.mp3: it is {duration} µs long")
            desk.evaluate("host.playlist.remove(host.playlist.songs.at(-1))")
        check(desk.locator(".host-song b, .host-song script").count() == 0, "a tag became markup")
        check(desk.locator(".host-song").first.locator(".entry-title").inner_text() == NAME.strip(), "the title is not shown as it is")
        # The only one with sound; the others have none to begin with.
        desk.evaluate("host.playlist.remove(host.playlist.songs.at(-1))")
        # Damaged in any place: they are called by their name, or by what is left.
        broken = []
        for number in range(60):
            content = bytearray(dice.choice(list(files.values())))
            for _ in range(dice.randrange(1, 30)):
                content[dice.randrange(4, min(len(content), 400))] = dice.randrange(256)
            broken.append(folder / f"broken {number}.bin")
            broken[-1].write_bytes(bytes(content[:dice.randrange(8, len(content))]))
        desk.add(*broken)
        lines = desk.evaluate("host.playlist.songs.map(song => [song.title, song.artist, song.album])")
        for line in lines:
            for text in line:
                check(text is None or 0 < len(text.encode("utf-8", "replace")) <= 512 and not any(ord(letter) < 32 for letter in text),
                      f"no line for everybody: {text!r}")
        # What is no sound is said to be none, where it stands in the list, and what can be played is.
        desk.click(".host-go")
        desk.wait_for_selector(".host-begin [role=alert] .notice")
        check("cannot read" in desk.inner_text(".host-begin"), "it does not say that the file cannot be read")
        check(desk.locator(".host-song .host-failure").count() >= 1, "the file is not marked")
        check(not desk.complaints, f"the page complains: {desk.complaints[:3]}")
        return [f"{len(files) + 1} kinds of tags read, {len(broken)} damaged files survived"]
