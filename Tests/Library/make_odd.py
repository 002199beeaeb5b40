#!/usr/bin/env python3
"""Makes a folder of odd and hostile files for a music library: Tests/Library/make_odd.py FOLDER --manifest FILE [--help]

Damaged files in ten formats, tags and containers that lie about their lengths, bombs, playlists in disguise that point at other
files and at an address, links, pipes, sockets, names that are not UTF-8, folders deeper than a path can name. A bait lies
beside the folder, as FOLDER-outside/secret.mp3: a server that opens it has followed a link or a list. The manifest is JSON: a list of
{path, path_base64, kind, expect, about}; hostile.py explains the words of `expect`. Names need not be UTF-8: `path_base64` has
their bytes. As root there are also device files.
"""
import argparse, base64, collections, json, os, pathlib, random, socket, subprocess, sys

import hostile, sound, words
from tags import Tags


class Good(dict):
    """One master of each format by its name, and where hostile files point at."""

    def __init__(self, seed, outside, url):
        super().__init__((kind.name, sound.masters(kind, seed, 1.0, count=1)[0]) for kind in sound.FORMATS)
        self.chance, self.outside, self.url = random.Random(f"{seed}/odd"), outside, url

    def sound(self, kind):
        """A file without tags."""
        return self[kind].file(Tags(), self.chance)[0]


class Folder:
    def __init__(self, root):
        self.root, self.rows = os.fsencode(root), []

    def note(self, path, kind, expect, about):
        name = os.path.relpath(path, self.root)
        self.rows.append({"path": name.decode(errors="replace"), "path_base64": base64.b64encode(name).decode(), "kind": kind,
                          "expect": expect, "about": about})
        return path

    def at(self, *parts):
        path = os.path.join(self.root, *(part if isinstance(part, bytes) else part.encode() for part in parts))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, kind, name, data, expect, about):
        path = self.at(kind, name)
        with open(path, "xb") as file:
            file.write(data)
        return self.note(path, kind if isinstance(kind, str) else kind.decode(errors="replace"), expect, about)


def damaged(folder, good, picture, count):
    """Good files that were cut, or of which some bits were turned over, more often near the beginning or the end."""
    chance, kinds = good.chance, list(good)
    for number in range(count):
        master = good[kinds[number % len(kinds)]]
        tags = Tags(words.title(chance), [words.artist(chance), "Damaged"], "Damaged", "Damaged", (number % 99 + 1, 99), (), 2001,
                    ["Rock"], cover=picture if number % 3 == 0 else b"")
        data = bytearray(master.file(tags, chance)[0])
        if number // len(kinds) % 2:
            where = min(len(data) - 1, int(len(data) * chance.random() ** chance.choice((1, 4))))
            del data[where:]
            name, about = "cut", f"the first {where} bytes of a good file"
        else:
            bits = 2 ** chance.randrange(7)
            near = chance.choice((len(data), min(len(data), 512), min(len(data), 4096), -min(len(data), 512)))
            for _ in range(bits):
                at = chance.randrange(near) if near > 0 else len(data) - 1 - chance.randrange(-near)
                data[at] ^= 1 << chance.randrange(8)
            name, about = "flipped", f"a good file with {bits} bits turned over"
        folder.write("damaged", f"{number:04}-{name}{master.extension}", bytes(data), "either", about)


def huge(folder, good):
    """Files of 3 GB, nearly all of which are holes."""
    for name, head, expect in (
            ("sparse.mp3", good["mp3"].file(Tags("Sparse"), good.chance)[0], "either"),
            ("sparse.flac", good["flac"].file(Tags("Sparse"), good.chance)[0], "either"),
            ("sparse.ogg", good["vorbis"].file(Tags("Sparse"), good.chance)[0], "either"),
            ("sparse.m4a", good["aac"].file(Tags("Sparse"), good.chance)[0], "either"),
            ("tag-only.mp3", hostile.id3_of(size=b"\x7f\x7f\x7f\x7f"), "problem")):
        os.truncate(folder.write("huge", name, head, expect, "3 GB, all but the beginning a hole"), 3_000_000_000)
    wav = good["wav"].file(Tags(), good.chance)[0][:44]
    size = 3_000_000_000
    wav = wav[:4] + (size - 8).to_bytes(4, "little") + wav[8:40] + (size - 44).to_bytes(4, "little")
    os.truncate(folder.write("huge", "silence.wav", wav, "music", "a good WAV of 3 GB of silence"), size)


def bombs_beside(folder, good, picture):
    """Pictures that lie beside good files."""
    for name, file, data, about in (
            ("png", "cover.png", hostile.png(30_000), "a PNG of 30000 × 30000 points"),
            ("jpeg", "cover.jpg", hostile.jpeg_that_claims(picture, 65_500, 65_500), "a JPEG that claims 65500 × 65500 points"),
            ("empty", "folder.jpg", b"", "an empty cover"),
            ("list", "cover.jpg", f"#EXTM3U\n{good.outside}\n".encode(), "a playlist as a cover")):
        folder.write(f"beside-{name}", "music.mp3", good["mp3"].file(Tags("Beside", ["Odd"], f"Beside {name}"), good.chance)[0],
                     "music", "good")
        folder.write(f"beside-{name}", file, data, "ignored", about)
    for name, target in (("link", good.outside), ("device-link", "/dev/zero"), ("pipe", None)):
        folder.write(f"beside-{name}", "music.mp3", good["mp3"].file(Tags("Beside", ["Odd"], f"Beside {name}"), good.chance)[0],
                     "music", "good")
        path = folder.at(f"beside-{name}", "cover.jpg")
        os.symlink(target, path) if target else os.mkfifo(path)
        folder.note(path, f"beside-{name}", "ignored", f"a cover that is {'a link to ' + target if target else 'a pipe'}")


def file_system(folder, good):
    """What a folder can have in it beside files and folders."""
    def track(title):
        return good["mp3"].file(Tags(title, ["Odd"], "File system"), good.chance)[0]

    def link(name, target, expect, about):
        path = folder.at("links", name)
        os.symlink(target, path)
        folder.note(path, "links", expect, about)

    inside = folder.write("links", "inside.mp3", track("Inside"), "music", "good")
    link("to-inside.mp3", "inside.mp3", "either", "a link to a file of the folder")
    os.link(inside, folder.at("links", "hard.mp3"))
    folder.note(folder.at("links", "hard.mp3"), "links", "either", "a second name of a file of the folder")
    link("to-outside.mp3", good.outside, "refused", "a link to a file outside")
    link("to-passwd.mp3", "/etc/passwd", "refused", "a link to /etc/passwd")
    beside = os.path.relpath(good.outside, os.path.dirname(os.fsdecode(folder.root)))
    link("by-dots.mp3", f"../../{beside}", "refused", "a link outside, by dots")
    link("outside-folder", os.path.dirname(good.outside), "refused", "a link to a folder outside")
    link("root", "/", "refused", "a link to the root of the file system")
    link("proc", "/proc/self", "refused", "a link to /proc/self")
    link("itself.mp3", "itself.mp3", "refused", "a link to itself")
    link("one.mp3", "two.mp3", "refused", "a link to a link to this link")
    link("two.mp3", "one.mp3", "refused", "a link to a link to this link")
    link("nowhere.mp3", "does-not-exist.mp3", "refused", "a link to nothing")
    link("loop", ".", "ignored", "a link to the folder it is in")
    link("up", "..", "ignored", "a link to the folder above")
    link("zero.mp3", "/dev/zero", "refused", "a link to an endless device")

    path = folder.at("special", "pipe.mp3")
    os.mkfifo(path)
    folder.note(path, "special", "refused", "a pipe: whoever opens it for reading waits for a writer")
    # The path of a socket is short: it is bound from inside of its folder.
    before = os.getcwd()
    os.chdir(os.path.dirname(path))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.flac")
    os.chdir(before)
    folder.note(folder.at("special", "socket.flac"), "special", "refused", "a socket")
    os.mkdir(folder.at("special", "folder.mp3"))
    folder.note(folder.at("special", "folder.mp3"), "special", "ignored", "a folder with a name of music")
    folder.write("special/folder.mp3", "inside.mp3", track("In a folder named .mp3"), "music", "good")
    if os.geteuid() == 0:
        for name, number in (("zero.mp3", 5), ("random.ogg", 9)):
            path = folder.at("special", name)
            try:
                os.mknod(path, 0o20666, os.makedev(1, number))
            except PermissionError:
                continue
            folder.note(path, "special", "refused", "an endless device")
    os.chmod(folder.write("rights", "mode-000.mp3", track("Mode 000"), "either", "may not be read, but by root"), 0)
    folder.write("rights/closed", "inside.mp3", track("Closed"), "either", "in a folder that may not be read, but by root")
    folder.write("rights/listed", "inside.mp3", track("Listed"), "either", "in a folder that may be listed, and not entered")


NAMES = [
    (b"not-utf-8-\xff\xfe\x80.mp3", "bytes that are not UTF-8"), (b"latin-1-caf\xe9.mp3", "Latin-1"),
    (b"half-\xe2\x82.mp3", "half of a character"), (b"surrogate-\xed\xa0\x80.mp3", "half of a pair, in UTF-8"),
    (b"overlong-\xc0\xaf.mp3", "a slash by two bytes"), (b"line\nbreak.mp3", "a line break"),
    (b"return\r.mp3", "a carriage return"), (b"tab\t.mp3", "a tabulator"), (b"bell\x07\x1b[31m.mp3", "control codes"),
    (b'quote".mp3', "a quote"), (b"apostrophe'.mp3", "an apostrophe"), (b"back\\slash.mp3", "a backslash"),
    (b"-rf.mp3", "like an option"), (b"--help.mp3", "like an option"), (b"$(touch owned).mp3", "for a shell"),
    (b"`touch owned`.mp3", "for a shell"), (b"; touch owned;.mp3", "for a shell"),
    (b"%s%n%00.mp3", "for printf and for addresses"), (b"a?b#c&d=e+f.mp3", "signs of addresses"),
    (b"concat:a|b.mp3", "like a protocol of ffmpeg"), (b"http:..127.0.0.1.mp3", "like an address"),
    (b"file:x.mp3", "like an address"), (b"pipe:0.mp3", "like standard input"),
    (b"percent %02d.mp3", "like a series of pictures"), (b" leading.mp3", "a space first"),
    (b"trailing .mp3", "a space last"), (b"CON.mp3", "a device of other systems"), (b"*.mp3", "a pattern"),
    (b"[a].mp3", "a pattern"), ("e\u0301.mp3".encode(), "é of two code points"), ("é.mp3".encode(), "é of one code point"),
    (b"Case.mp3", "one spelling"), (b"case.mp3", "the other spelling"),
    ("right\u202e3pm.exe.mp3".encode(), "turns the direction of text"), ("\u200b.mp3".encode(), "nothing to see"),
    ("\u2028.mp3".encode(), "a line separator"), (b"n" * 251 + b".mp3", "as long as a name can be"),
    (b"\xf0\x9f\x8e\xb5" * 62 + b".mp3", "long, of four bytes a character"), (b"...mp3", "dots"),
]
HIDDEN = [
    (b".mp3", "an extension alone"), (b".hidden.mp3", "hidden"), (b"._resource.mp3", "a shadow file of macOS"),
    (b"half.mp3.part", "a download under way"), (b"song.mp3~", "a backup of an editor"), (b"Thumbs.db", "of another system"),
    (b"desktop.ini", "of another system"),
]


def names(folder, good):
    for number, (name, about) in enumerate(NAMES):
        data = good["mp3"].file(Tags(f"Name {number}", ["Odd"], "Names"), good.chance)[0]
        folder.write("names", name, data, "music", f"good, under a name with {about}")
    for name, about in HIDDEN:
        folder.write("hidden", name, good.sound("mp3"), "ignored" if not name.endswith(b".mp3") else "either", about)
    folder.write(b"names/folder-\xff\n", "inside.mp3", good["mp3"].file(Tags("Odd folder", ["Odd"], "Names"), good.chance)[0],
                 "music", "good, in a folder with an odd name")


def deep(folder, good, levels, expect):
    """One folder inside of the other. Past 4096 bytes the file can be reached only step by step."""
    name = f"deep-{levels}"
    os.makedirs(folder.at(name, ""), exist_ok=True)
    at = os.open(folder.at(name, ""), os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=at)
        inner = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    file = os.open("deep.mp3", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=at)
    os.write(file, good["mp3"].file(Tags(f"Deep {levels}", ["Odd"], "Deep"), good.chance)[0])
    os.close(file)
    os.close(at)
    path = os.path.join(folder.root, name.encode(), b"d/" * levels + b"deep.mp3")
    folder.note(path, name, expect, f"good, {levels} folders deep")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="does not exist yet, or is empty")
    parser.add_argument("--manifest", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=2000, help="of damaged files (2000)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--url", default="http://127.0.0.1:9/secret.mp3", help="the address that lists point at (of port 9)")
    parser.add_argument("--replace", action="store_true", help="remove what this program made in FOLDER before")
    options = parser.parse_args()
    root = options.folder.absolute()
    outside = root.with_name(root.name + "-outside")
    marker = outside / ".sona-fixtures"
    if options.replace and marker.exists():
        # shutil.rmtree gives up at a thousand folders inside of each other.
        subprocess.run(["rm", "-rf", "--", root, outside], check=True)
    if outside.exists() or root.exists() and any(root.iterdir()):
        raise SystemExit(f"{root} is not empty, or {outside} exists")
    root.mkdir(parents=True, exist_ok=True)
    outside.mkdir()
    marker.write_text("made by Tests/Library/make_odd.py\n")
    good = Good(options.seed, str(outside / "secret.mp3"), options.url)
    bait = good["mp3"].file(Tags("This was not to be opened", ["Outside"]), good.chance)[0]
    (outside / "secret.mp3").write_bytes(bait)
    picture, folder = sound.cover(1), Folder(root)

    damaged(folder, good, picture, options.count)
    for kind, files in (("pictures", hostile.pictures(good, picture)), ("tags", hostile.lying_tags(good)),
                        ("containers", hostile.lying_containers(good)), ("texts", hostile.odd_texts(good)),
                        ("other", hostile.not_music(good, picture)), ("lists", hostile.lists(good))):
        for name, data, expect, about in files:
            folder.write(kind, name, data, expect, about)
    huge(folder, good)
    bombs_beside(folder, good, picture)
    file_system(folder, good)
    names(folder, good)
    deep(folder, good, 500, "music")
    deep(folder, good, 3000, "either")
    # Last, since nobody but root gets in afterwards.
    os.chmod(folder.at("rights/listed"), 0o444)
    os.chmod(folder.at("rights/closed"), 0)
    options.manifest.write_text(json.dumps(folder.rows, indent=1) + "\n")
    counts = collections.Counter(row["expect"] for row in folder.rows)
    print(f"{len(folder.rows)} odd things: " + ", ".join(f"{count} {word}" for word, count in counts.most_common()))
    print(f"the bait is {outside}/secret.mp3, the address {options.url}")


if __name__ == "__main__":
    sys.exit(main())
