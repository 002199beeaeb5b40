"""Sound and covers."""
import array, json, subprocess, tempfile

from protocol_checks.helpers import check, equal, true
from subsonic_checks import stage


def probed(sound):
    """What ffprobe says of it."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(sound)
        file.flush()
        done = subprocess.run(["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", file.name],
                              capture_output=True)
    return json.loads(done.stdout)


def decoded(sound):
    """The samples of one channel, 48 kHz."""
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", "pipe:0", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"],
                          input=sound, capture_output=True)
    return array.array("h", done.stdout)


def failed(body):
    return json.loads(body)["subsonic-response"]["error"]["code"]


@check("a song is streamed as it is, with ranges, and by POST")
def _():
    app = stage.app()
    song = stage.songs(app)["Song 1"]
    whole = (stage.DISCS / "Ada/First Light/1.flac").read_bytes()
    for method in ("GET", "POST"):
        status, body, headers = app.raw("stream", method=method, id=song["id"])
        equal((status, headers["content-type"], body), (200, "audio/flac", whole), method)
    equal(song["size"], len(whole), "its size")
    status, body, headers = app.raw("stream", headers={"Range": "bytes=100-199"}, id=song["id"], format="raw")
    equal((status, body, headers["content-range"]), (206, whole[100:200], f"bytes 100-199/{len(whole)}"))
    status, body, headers = app.raw("stream", method="HEAD", id=song["id"])
    equal((status, int(headers["content-length"]), body), (200, len(whole), b""), "HEAD")
    status, body, headers = app.raw("download", id=song["id"])
    equal((status, body), (200, whole), "download")
    true("attachment" in headers["content-disposition"], headers["content-disposition"])


@check("less than the file's bit rate, or Opus, is Opus")
def _():
    app = stage.app()
    song = stage.songs(app)["Song 2"]
    for fields in ({"format": "opus"}, {"maxBitRate": 64}, {"maxBitRate": 64, "format": "mp3"}):
        status, body, headers = app.raw("stream", id=song["id"], **fields)
        equal((status, headers["content-type"]), (200, "audio/ogg"), str(fields))
        said = probed(body)
        equal(said["streams"][0]["codec_name"], "opus", str(fields))
        true(abs(float(said["format"]["duration"]) - song["duration"]) < 0.6, str(said["format"]))
    for fields in ({"maxBitRate": 320000}, {"maxBitRate": 0}, {"maxBitRate": 64, "format": "raw"}):
        equal(app.raw("stream", id=song["id"], **fields)[2]["content-type"], "audio/flac", str(fields))


@check("a song is streamed from a place on, to the sample")
def _():
    app = stage.app()
    for title, begin in (("Alone", 12), ("Song 5", 4)):
        song = stage.songs(app)[title]
        status, body, headers = app.raw("stream", id=song["id"], timeOffset=begin)
        equal((status, headers["content-type"]), (200, "audio/ogg"), title)
        whole = app.raw("stream", id=song["id"], format="opus")[1]
        (rest, all_of_it) = (decoded(body), decoded(whole))
        equal(len(rest), len(all_of_it) - begin * 48_000, f"samples of {title}")
        # The decoder has settled after a tenth of a second.
        far = max(abs(a - b) for a, b in zip(rest[4_800:48_000], all_of_it[begin * 48_000 + 4_800:]))
        true(far < 300, f"{title} is {far} away")
        equal(app.raw("stream", headers={"Range": "bytes=0-3"}, id=song["id"], timeOffset=begin)[1], b"OggS", "a part")
        equal(failed(app.raw("stream", f="json", id=song["id"], timeOffset=999)[1]), 0, "past the end")
    equal(failed(app.raw("stream", f="json", id=song["id"], timeOffset=-1)[1]), 0, "before the beginning")


@check("errors of sound and covers are documents")
def _():
    app = stage.app()
    for name in ("stream", "download", "getCoverArt"):
        status, body, headers = app.raw(name, f="json", id="01JDQ6Z3M8R5V2K7X4N9T1B0CF")
        equal((status, headers["content-type"], failed(body)), (200, "application/json", 70), name)
    equal(failed(app.raw("stream", f="json")[1]), 10, "no song")
    equal(failed(stage.ask("stream", {"f": "json", "u": "x", "p": "y", "id": "z"})[1]), 40, "nobody")


@check("covers are found by songs, albums, artists and playlists, in sizes")
def _():
    app = stage.App()
    songs, albums = stage.songs(app), stage.albums(app)
    song, album = songs["Song 1"], albums["First Light"]
    made = app.ok("createPlaylist", name="With a cover", songId=song["id"])["playlist"]
    artist = app.ok("getArtist", id=song["artistId"])["artist"]
    sizes = []
    for what in (song["coverArt"], album["coverArt"], song["id"], album["id"], artist["coverArt"], made["coverArt"]):
        for size in ({}, {"size": 64}, {"size": 300}):
            status, body, headers = app.raw("getCoverArt", id=what, **size)
            equal((status, headers["content-type"], body[8:12]), (200, "image/webp", b"WEBP"), f"{what} {size}")
            sizes.append(len(body))
        equal(app.raw("getCoverArt", headers={"If-None-Match": headers["etag"]}, id=what, **size)[0], 304, "known")
    true("coverArt" not in songs["Alone"], "a song without")
    status, body, _ = app.raw("getCoverArt", f="json", id=songs["Alone"]["id"])
    equal(failed(body), 70, "no cover")


@check("requests are counted by endpoint, errors by number")
def _():
    text = stage.SERVER.metrics()
    true('sona_subsonic_requests_total{endpoint="getAlbum"}' in text, "by endpoint")
    true('sona_subsonic_errors_total{code="70"}' in text, "by number")
