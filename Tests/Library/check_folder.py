#!/usr/bin/env python3
"""Holds files of make_folder.py against their manifest: Tests/Library/check_folder.py FOLDER MANIFEST [--each N] [--seed TEXT]

For N files of each format: mutagen must read the tags that the manifest names, ffprobe the kind of sound and its length, and
ffmpeg must decode it without a complaint, with checksums looked at. The sounds of all these files must differ. Needs mutagen.
"""
import argparse, collections, hashlib, json, pathlib, random, subprocess, sys

import mutagen
from mutagen.id3 import ID3
from mutagen.mp4 import MP4

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "OtherClients"))
from verdicts import Report

#: Names of ffmpeg's codecs.
CODECS = {"mp3": "mp3", "flac": "flac", "aac": "aac", "alac": "alac", "opus": "opus", "vorbis": "vorbis", "wav": "pcm_s16le",
          "aiff": "pcm_s16be", "wma": "wmav2", "wavpack": "wavpack"}
#: Of good files too: of the sort without a length, or a cover of MP4.
USUAL = ("Estimating duration", "Guessed Channel Layout", "timescale not set")
# Name of the manifest, and of the field of each family of tags.
FIELDS = {
    "title": ("TIT2", "TITLE", "\xa9nam", "Title"), "artists": ("TPE1", "ARTIST", "\xa9ART", "Author"),
    "album": ("TALB", "ALBUM", "\xa9alb", "WM/AlbumTitle"), "album_artist": ("TPE2", "ALBUMARTIST", "aART", "WM/AlbumArtist"),
    "track": ("TRCK", "TRACKNUMBER", "trkn", "WM/TrackNumber"), "disc": ("TPOS", "DISCNUMBER", "disk", "WM/PartOfSet"),
    "year": ("TDRC", "DATE", "\xa9day", "WM/Year"), "genres": ("TCON", "GENRE", "\xa9gen", "WM/Genre"),
    "compilation": ("TCMP", "COMPILATION", "cpil", "WM/IsCompilation"),
    "gain": ("TXXX:REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN", "----:com.apple.iTunes:replaygain_track_gain",
             "replaygain_track_gain"),
    "release": ("TXXX:MusicBrainz Album Id", "MUSICBRAINZ_ALBUMID", "----:com.apple.iTunes:MusicBrainz Album Id",
                "MusicBrainz/Album Id"),
}
VALUES = {"year": int, "gain": lambda text: float(text.split()[0]), "compilation": lambda text: True}
OF_APE = {"ALBUMARTIST": "Album Artist", "TRACKNUMBER": "Track", "DISCNUMBER": "Disc", "DATE": "Year"}


def texts(value):
    """All values of a field, as text."""
    if value is None:
        return []
    values = value if isinstance(value, list) else getattr(value, "text", value)
    values = [values] if isinstance(values, (str, bool)) else list(values)
    return [one.decode() if isinstance(one, bytes) else "/".join(map(str, one)) if isinstance(one, tuple) else str(one)
            for one in values]


def read(path):
    """The manifest's `tags`, as mutagen finds them."""
    file = mutagen.File(path)
    tags, kind = file.tags or {}, type(file).__name__
    family = 0 if isinstance(tags, ID3) else 2 if isinstance(file, MP4) else 3 if kind == "ASF" else 1
    found = {}
    for name, fields in FIELDS.items():
        field = fields[family]
        values = texts(tags.get(OF_APE.get(field, field) if kind == "WavPack" else field))
        values = [one for one in values if one not in ("", "False")]
        if not values:
            continue
        if name in ("artists", "genres"):
            found[name] = values
        elif name in ("track", "disc"):
            total = {"track": "TRACKTOTAL", "disc": "DISCTOTAL"}[name]
            parts = values[0].split("/") + (texts(tags.get(total)) if family == 1 and kind != "WavPack" else [])
            found[name] = [int(part) for part in parts]
        else:
            found[name] = VALUES.get(name, str)(values[0])
    picture = picture_of(file, tags, kind)
    return found | ({"cover_bytes": len(picture)} if picture else {})


def picture_of(file, tags, kind):
    if isinstance(tags, ID3):
        return next((one.data for one in tags.getall("APIC")), b"")
    if kind == "FLAC":
        return next((one.data for one in file.pictures), b"")
    if kind in ("OggVorbis", "OggOpus"):
        from mutagen.flac import Picture
        import base64
        return next((Picture(base64.b64decode(one)).data for one in tags.get("METADATA_BLOCK_PICTURE", [])), b"")
    if kind == "MP4":
        return bytes(next(iter(tags.get("covr", [])), b""))
    if kind == "WavPack":
        return tags["Cover Art (Front)"].value.split(b"\0", 1)[1] if "Cover Art (Front)" in tags else b""
    if kind == "ASF" and "WM/Picture" in tags:
        data = tags["WM/Picture"][0].value
        return data[-int.from_bytes(data[1:5], "little"):]
    return b""


def expected(record):
    tags = dict(record["tags"])
    if record["format"] == "wma" and "track" in tags:
        # WMA has no field for the number of tracks.
        tags["track"] = tags["track"][:1]
    return tags


def wrong(path, record):
    """The first thing that is wrong with a file, and the sum of its sound."""
    found = read(path)
    if found != expected(record):
        return f"tags: {found} instead of {expected(record)}", ""
    told = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-select_streams", "a", "-of", "json", path],
        capture_output=True, check=True).stdout)["streams"][0]
    if (told["codec_name"], int(told["channels"])) != (CODECS[record["format"]], record["channels"]):
        return f"ffprobe says {told['codec_name']} of {told['channels']} channels", ""
    # MP3 and WMA come in whole frames, and in the sum of a few.
    if abs(float(told["duration"]) - record["seconds"]) > 0.12:
        return f"ffprobe says {told['duration']} s instead of {record['seconds']}", ""
    decoded = subprocess.run(
        ["ffmpeg", "-v", "warning", "-xerror", "-err_detect", "crccheck+bitstream+buffer+explode", "-i", path, "-map", "0:a", "-f",
         "null", "-"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    said = [line for line in decoded.stderr.splitlines() if not any(usual in line for usual in USUAL)]
    if decoded.returncode or said:
        return f"ffmpeg says {said[:1]}", ""
    packets = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    # What WavPack and WMA have of their own lies beside the packets that ffmpeg tells of.
    return "", hashlib.md5(path.read_bytes()).hexdigest() if record["format"] in ("wavpack", "wma") else packets


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("--each", type=int, default=20, help="files of each format (20)")
    parser.add_argument("--seed", default="1", help="chooses them")
    options = parser.parse_args()
    chance, report = random.Random(options.seed), Report()
    by_format, there = collections.defaultdict(list), 0
    for line in open(options.manifest):
        record = json.loads(line)
        by_format[record["format"]].append(record)
        path = options.folder / record["path"]
        there += path.is_file() and path.stat().st_size == record["size"]
    count = sum(map(len, by_format.values()))
    report("every file of the manifest is there", there == count, f"{there} of {count}")
    for name, records in sorted(by_format.items()):
        # Those with the most to tell first: half of the choice.
        rich = sorted(records, key=lambda record: -len(record["tags"]))[:max(1, options.each // 2)]
        rest = chance.sample(records, min(len(records), options.each - len(rich)))
        seen, fault = {}, ""
        for record in rich + [one for one in rest if one not in rich]:
            fault, sound = wrong(options.folder / record["path"], record)
            if not fault and sound in seen:
                fault = f"has the sound of {seen[sound]}"
            if fault:
                fault = f"{record['path']}: {fault}"
                break
            seen[sound] = record["path"]
        report(f"{name}: {len(seen)} files are read, decoded and told apart", not fault, fault)
    return report.status()


if __name__ == "__main__":
    sys.exit(main())
