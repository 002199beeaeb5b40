#!/usr/bin/env python3
"""Makes a folder of tagged music files for tests: Tests/Library/make_folder.py FOLDER [--count N] [--help]

Ten formats, several scripts, albums of a few tracks as Artist/Album/NN - Title.ext, compilations, sets of several discs, covers in
files and beside them, files without tags, and no two files with the same sound. The same options make the same files, byte for
byte, as long as ffmpeg is the same. Needs Python 3.11 and ffmpeg. sound.py says how it is done in milliseconds a file.
"""
import argparse, collections, hashlib, json, multiprocessing, os, pathlib, random, shutil, sys, time, unicodedata

import sound, words
from tags import Tags

COVERS = 12
# Set before the workers are forked, and theirs from then on.
MASTERS, PICTURES = {}, []


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="does not exist yet, or is empty")
    parser.add_argument("--count", type=int, default=20_000, help="of files of music (20000)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--minutes", type=float, default=0.06,
                        help="of sound in a file, about (0.06). At 4 minutes a file takes 10 MB on average")
    parser.add_argument("--manifest", type=pathlib.Path, help="what is in each file: a line of JSON for each")
    parser.add_argument("--replace", action="store_true", help="remove what this program made in FOLDER before")
    options = parser.parse_args()
    if options.count < 1 or options.minutes <= 0:
        parser.error("--count and --minutes must be above 0")
    return options


def file_name(text, limit=180):
    """A name without what file systems and other systems refuse, at most `limit` bytes of UTF-8."""
    text = "".join("_" if sign in '/\\:*?"<>|' or ord(sign) < 32 else sign for sign in text).strip(". ") or "_"
    return text.encode()[:limit].decode(errors="ignore").strip(". ")


def plan(count, seed):
    """Albums: (number, folder, artist, title, number of tracks, format, is it a compilation, discs, year)."""
    chance = random.Random(f"{seed}/plan")
    artists = [words.artist(chance) for _ in range(max(3, count // 40))]
    kinds, weights = list(sound.FORMATS), list(sound.FORMATS.values())
    albums, folders, left = [], set(), count
    while left:
        tracks = min(left, chance.choice((1, 1, 4, 6, 8, 9, 10, 10, 11, 12, 12, 13, 14, 16, 24)))
        left -= tracks
        # A few artists have many albums, most have one or two.
        artist = artists[min(int(chance.paretovariate(0.8)) - 1 + chance.randrange(max(1, len(artists) // 2)), len(artists) - 1)]
        title, compilation = words.title(chance), chance.random() < 0.06
        if compilation:
            artist = "Various Artists"
        folder = os.path.join(file_name(artist), file_name(title))
        if chance.random() < 0.05:
            # As some systems write names: letters and their signs apart.
            folder = unicodedata.normalize("NFD", folder)
        kind = kinds[len(albums)] if len(albums) < len(kinds) else chance.choices(kinds, weights)[0]
        year = chance.randint(1955, 2026)
        while unicodedata.normalize("NFC", folder).casefold() in folders:
            year += 1
            folder = f"{folder[:120]} ({year})"
        folders.add(unicodedata.normalize("NFC", folder).casefold())
        discs = 2 if tracks > 13 else 1
        albums.append((len(albums), folder, artist, title, tracks, kind.name, compilation, discs, year, chance.choice(artists)))
    return albums


def make_album(root, seed, album):
    """Writes the files of one album; a record of each."""
    number, folder, artist, title, tracks, kind, compilation, discs, year, friend = album
    chance = random.Random(f"{seed}/album/{number}")
    path = root / folder
    path.mkdir(parents=True)
    genres = chance.sample(words.GENRES, chance.choice((0, 1, 1, 1, 2, 3)))
    untagged = chance.random() < 0.02
    inside = chance.random() < 0.03
    picture = PICTURES[number % COVERS]
    if chance.random() < 0.3:
        (path / chance.choice(("cover.jpg", "cover.jpg", "folder.jpg", "Cover.JPG"))).write_bytes(picture)
    language = None if compilation else chance.choices(words.NAMES, words.WEIGHTS)[0]
    release = f"{chance.getrandbits(128):032x}" if chance.random() < 0.3 else ""
    release = "-".join((release[:8], release[8:12], release[12:16], release[16:20], release[20:])) if release else ""
    gain = chance.random() < 0.3
    records, on_disc = [], -(-tracks // discs)
    for at in range(tracks):
        disc, track = at // on_disc + 1, at % on_disc + 1
        of_disc = min(on_disc, tracks - (disc - 1) * on_disc)
        name = words.title(chance, language if chance.random() < 0.8 else None)
        artists = [words.artist(chance) if compilation else artist]
        if chance.random() < 0.08 and friend not in artists:
            artists.append(friend)
        tags = Tags()
        # One file in three hundred has a title, and nothing else.
        if not untagged:
            tags = Tags(name) if chance.random() < 1 / 300 else Tags(
                name, artists, title, artist if compilation or chance.random() < 0.7 else "", (track, of_disc),
                (disc, discs) if discs > 1 else (), year, genres, compilation, round(chance.uniform(-12, 3), 2) if gain else None,
                release, picture if inside else b"")
        # A tenth of all albums has a track or two of another format.
        other = chance.random() < 0.01
        master = chance.choice(MASTERS[chance.choice(list(MASTERS)) if other else kind])
        extension = master.extension.upper() if chance.random() < 0.01 else master.extension
        inner = path / f"CD {disc}" if discs > 1 and number % 2 else path
        inner.mkdir(exist_ok=True)
        file = inner / f"{track + (0 if inner != path else (disc - 1) * on_disc):02} - {file_name(name)}{extension}"
        data, own = master.file(tags, chance)
        file.write_bytes(data)
        records.append({"path": str(file.relative_to(root)), "format": master.name, "size": len(data),
                        "seconds": round(master.seconds, 3), "rate": master.rate, "channels": master.channels,
                        "own_sound": hashlib.blake2b(own, digest_size=12).hexdigest(), "tags": tags.record()})
    return records


def make_one(task):
    return make_album(*task)


def main():
    options = arguments()
    began = time.monotonic()
    marker = options.folder / ".sona-fixtures"
    if options.replace and marker.exists():
        shutil.rmtree(options.folder)
    if options.folder.exists() and any(options.folder.iterdir()):
        raise SystemExit(f"{options.folder} is not empty")
    options.folder.mkdir(parents=True, exist_ok=True)
    marker.write_text("made by Tests/Library/make_folder.py\n")
    for kind in sound.FORMATS:
        MASTERS[kind.name] = sound.masters(kind, options.seed, options.minutes * 60)
    PICTURES.extend(sound.cover(number) for number in range(COVERS))
    albums = plan(options.count, options.seed)
    encoded = time.monotonic()
    files, sizes, sounds = collections.Counter(), collections.Counter(), set()
    manifest = open(options.manifest, "w") if options.manifest else None
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0))) as pool:
        tasks = ((options.folder, options.seed, album) for album in albums)
        for records in pool.imap(make_one, tasks, chunksize=16):
            for record in records:
                files[record["format"]] += 1
                sizes[record["format"]] += record["size"]
                sounds.add(record["own_sound"])
                if manifest:
                    manifest.write(json.dumps(record, ensure_ascii=False) + "\n")
    if manifest:
        manifest.close()
    for name in files:
        print(f"{name:<8} {files[name]:>7} files, {sizes[name] // files[name]:>9} bytes each")
    if len(sounds) < files.total():
        raise SystemExit(f"{files.total() - len(sounds)} files have the sound of another: take more --minutes")
    count, size, took = files.total(), sizes.total(), time.monotonic() - began
    print(f"{count} files in {len(files)} formats and {len(albums)} albums, mean {size // count} bytes, {size / 1e9:.2f} GB,"
          f" in {took:.1f} s ({encoded - began:.1f} s of it for the masters)")


if __name__ == "__main__":
    sys.exit(main())
