"""The server, its music, and people who hear it."""
import os, pathlib, shutil, subprocess, tempfile, threading, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, rpc, true

SERVER = LASTFM = None  # set by __main__
OPTIONS = ()
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-scrobbling-"))
MUSIC = FOLDER / "music"
#: Title: seconds. What is 30 s or less is sent nowhere.
TRACKS = {"Harbour": 31, "Tram": 32, "Waltz": 33, "Jingle": 12}


def make_music():
    MUSIC.mkdir()
    for place, (title, seconds) in enumerate(TRACKS.items()):
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=f={300 + 100 * place}:r=48000:d={seconds}", "-ac", "2",
                        "-c:a", "libopus", "-b:a", "48k", "-metadata", f"title={title}", "-metadata", f"artist=Ada & Bob {place}",
                        "-metadata", "album=Évening", MUSIC / f"{title}.opus"], check=True)


def remove_music():
    shutil.rmtree(FOLDER, ignore_errors=True)


def until(holds, what, seconds=15):
    end = time.monotonic() + seconds
    while not (found := holds()):
        true(time.monotonic() < end, f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


def ask(token, kind, /, **fields):
    """The data of a reply over HTTP."""
    status, body, _ = rpc(kind, fields, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:300]}")
    return body["data"]


def code(token, kind, /, **fields):
    """The code of the error that must come."""
    body = rpc(kind, fields, token)[1]
    return isinstance(body, dict) and body.get("error", {}).get("code") or str(body)[:200]


def tracks(token):
    return {track["title"]: track["id"] for track in ask(token, "library.list")["tracks"]}


def wait_for_music():
    token = account()["access_token"]
    until(lambda: len(tracks(token)) == len(TRACKS), "the music is found", 30)


def fetch(token, title):
    """Has the whole sound of a track sent; what was sent is what can have been heard."""
    import http.client
    from urllib.parse import urlsplit
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    link.request("GET", f"/v1/tracks/{tracks(token)[title]}/stream", headers={"Authorization": f"Bearer {token}"})
    true(link.getresponse().read(), "no sound")
    link.close()


def hear_alone(token, title, key="a", share=0.5):
    """Hears some of a track by oneself, in its own time; when it began, in seconds since 1970."""
    fetch(token, title)
    began = time.time()
    seconds = TRACKS[title] * share + 0.2
    report = lambda heard: ask(token, "play.report", track=tracks(token)[title], key=key, heard_ms=int(heard * 1000), started_ms=int(began * 1000))
    time.sleep(1)
    report(1)
    time.sleep(max(0, began + seconds - time.time()))
    report(seconds)
    return began


class Ears(threading.Thread):
    """A member of a room who reports every 2.1 s to have heard everything, until told to stop."""

    def __init__(self, token, room, hears=lambda: True):
        super().__init__(daemon=True)
        self.token, self.room, self.hears, self.ended, self.fault = token, room, hears, threading.Event(), None
        self.client = Client(token)
        self.client.data("room.join", {"room": room, "audio": True})
        self.start()

    def run(self):
        try:
            while not self.ended.wait(2.1):
                self.client.data("listening.report", {"window_ms": 2_100, "heard_ms": 600_000 if self.hears() else 0})
        except Exception as error:  # the server was killed
            self.fault = error

    def stop(self):
        self.ended.set()
        self.join()
        try:
            self.client.ws.close()
        except OSError:
            pass


def sonactl(token, *arguments, typed=None):
    """(status, what it prints, what it says)."""
    done = subprocess.run([SERVER.programs / "sonactl", *arguments], input=typed, text=True, capture_output=True, timeout=60,
                          env=os.environ | {"SONA_SERVER": helpers.URL, "SONA_TOKEN": token, "XDG_CONFIG_HOME": str(FOLDER)})
    return done.returncode, done.stdout, done.stderr
