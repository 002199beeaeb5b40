"""The server, its music, and who hears it."""
import http.client, json, os, pathlib, subprocess, tempfile, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true

SERVER = None  # set by __main__
KILLS, SEED = 1, 0  # set by __main__, too
FOLDER = tempfile.TemporaryDirectory(prefix="sona-media-")
MUSIC = pathlib.Path(FOLDER.name) / "Music"
# Title: seconds, and how it is coded.
SONGS = {"short.flac": (20, ""), "song.mp3": (120, "-b:a 96k"), "plain.opus": (30, "-c:a libopus"),
         "long.mp3": (1200, "-b:a 64k"), "odd.wav": (10, "-ac 1"), "rising.flac": (50, "")}
# Those that are no sine of 440 Hz. The pitch of this one tells the place in it.
SOURCES = {"rising.flac": "aevalsrc=0.2*sin(2*PI*(200*t+5*t*t)):s=48000"}


def rising_pitch(seconds):
    """The frequency of rising.flac at a place."""
    return 200 + 10 * seconds


def ffmpeg(*arguments, output=None):
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], capture_output=True)
    true(done.returncode == 0, f"ffmpeg: {done.stderr.decode()[-300:]}")
    return done.stdout


def make_music():
    MUSIC.mkdir()
    hour_ago = time.time() - 3600  # a scan leaves files alone that were written to just now
    for title, (seconds, coding) in SONGS.items():
        path = MUSIC / title
        source = SOURCES.get(title, "sine=440")
        ffmpeg("-f", "lavfi", "-i", f"{source}:duration={seconds}", "-metadata", f"title={title}", *coding.split(),
               str(path))
        os.utime(path, (hour_ago, hour_ago))
    (MUSIC / "song.lrc").write_bytes("\ufeff[ti:song]\r\n[00:01.50]Łódź\r\n[00:03.00][00:02.00]Again\r\n".encode())


def tracks(token):
    """The tracks by title."""
    status, body, _ = rpc("library.list", {"kind": "tracks", "limit": 100}, token)
    equal(status, 200, "library.list")
    return {track["title"]: track for track in body["data"]["tracks"]}


def wait_for_tracks():
    helpers.URL = SERVER.url
    token, end = somebody(), time.monotonic() + 30
    while set(tracks(token)) != set(SONGS):
        true(time.monotonic() < end, f"no tracks: {tracks(token)}")
        time.sleep(0.1)


def somebody():
    return account()["access_token"]


def guest():
    return rpc("auth.guest")[1]["data"]["access_token"]


def hear(title, token, query="", path="stream", **headers):
    """(status, body, headers) of a track's sound; the body is None if the connection ended before it."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=150)
    given = {"Authorization": f"Bearer {token}"} | {name.replace("_", "-"): text for name, text in headers.items()}
    link.request("GET", f"/v1/tracks/{tracks(token)[title]['id']}/{path}{query}", headers=given)
    answer = link.getresponse()
    found = {name.lower(): text for name, text in answer.getheaders()}
    try:
        body = answer.read()
    except (http.client.IncompleteRead, OSError):
        body = None
    link.close()
    return answer.status, body, found


def refused(status, code, *arguments, **more):
    found, body, _ = hear(*arguments, **more)
    equal((found, json.loads(body)["error"]["code"]), (status, code), f"{arguments}")


def sound(body):
    """(codec, channels, rate, seconds) of a body, by ffprobe."""
    path = pathlib.Path(FOLDER.name) / "heard"
    path.write_bytes(body)
    told = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", str(path)], capture_output=True,
        check=True).stdout)
    stream = told["streams"][0]
    return stream["codec_name"], stream["channels"], int(stream["sample_rate"]), float(told["format"]["duration"])


def made():
    """The files of renditions."""
    return sorted((pathlib.Path(SERVER.data) / "media" / "renditions").iterdir())
