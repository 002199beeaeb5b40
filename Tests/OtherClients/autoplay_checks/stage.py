"""The server, its music, rooms that play it, and what is heard of them."""
import http.client, json, os, pathlib, shutil, struct, subprocess, tempfile, time, wave
from urllib.parse import urlsplit

from account_checks.server import OperatorConnection
from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true

SERVER = PROGRAMS = None  # set by __main__
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-autoplay-"))
MUSIC = FOLDER / "music"
#: Title: frequency in Hz, seconds, artist. FLAC is made into Opus first, the others are played as they are.
TRACKS = {"Low": (300, 3, "Ada"), "Middle": (500, 3, "Bob"), "High": (800, 3, "Ada"), "Long": (400, 60, "Cyd"),
          "Sting": (1200, 2, "Station"), "Ident": (1500, 4, "Station"), "Saga": (2000, 130, "Station")}
TOLERANCE = 12
#: Title: the number on the album that it is on, all on one.
PLACES = {"Low": 1, "Middle": 2}


def make_music():
    MUSIC.mkdir()
    for title, (pitch, seconds, artist) in TRACKS.items():
        name, codec = (f"{title}.flac", ["-c:a", "flac"]) if title == "Middle" else (f"{title}.opus", ["-c:a", "libopus", "-b:a", "96k"])
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=f={pitch}:r=48000:d={seconds}", "-ac", "2", *codec,
                        "-metadata", f"title={title}", "-metadata", f"artist={artist}", *place_of(title), MUSIC / name], check=True)


def place_of(title):
    return ["-metadata", "album=Both", "-metadata", f"track={PLACES[title]}"] if title in PLACES else []


def remove_music():
    shutil.rmtree(FOLDER, ignore_errors=True)


def data(kind, fields=None, token=None):
    """The data of a reply over HTTP."""
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def operator(kind, fields):
    """The data of a reply at the operator's door."""
    link = OperatorConnection(SERVER.data / "admin.sock")
    link.request("POST", f"/v1/operator/{kind}", json.dumps(fields), {"Content-Type": "application/json"})
    answer = link.getresponse()
    body = json.loads(answer.read())
    link.close()
    true(answer.status == 200, f"{kind}: {body}")
    return body["data"]


def wait_for_music():
    token = account()["access_token"]
    until(lambda: len(data("library.list", token=token)["tracks"]) == len(TRACKS), "the music is found")


def until(holds, what, seconds=15):
    end = time.monotonic() + seconds
    while not (found := holds()):
        true(time.monotonic() < end, f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


class Owner:
    """An account and a room of its own."""

    def __init__(self, **settings):
        made = account()
        self.uid, self.name, self.token = made["user"]["uid"], made["user"]["username"], made["access_token"]
        self.tracks = {track["title"]: track["id"] for track in self.data("library.list")["tracks"]}
        self.room = self.data("room.create", title="By itself", visibility="public", **settings)["room"]["id"]

    def data(self, kind, /, **fields):
        return data(kind, fields, self.token)

    def refused(self, code, kind, /, **fields):
        status, body, _ = rpc(kind, fields, self.token)
        equal(isinstance(body, dict) and body.get("error", {}).get("code"), code, kind)

    def upload(self, title, seconds=30):
        """The identifier of a track of one's own: a tone of 600 Hz."""
        file = FOLDER / f"{title}.wav"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine=f=600:r=48000:d={seconds}", "-metadata", f"title={title}", file],
                       check=True)
        at = urlsplit(helpers.URL)
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
        link.request("PUT", f"/v1/uploads/{title}.wav", file.read_bytes(), {"Authorization": f"Bearer {self.token}"})
        answer = link.getresponse()
        body = json.loads(answer.read())
        equal(answer.status, 201, f"upload: {body}")
        self.tracks[title] = body["data"]["track"]["id"]
        return self.tracks[title]

    def add(self, *titles):
        """Their entries in the queue. What the client calls them is no matter."""
        return self.data("queue.add", room=self.room, tracks=[
            {"track": {"title": "Wrong"}, "source": self.tracks[title]} for title in titles])["entries"]

    def autoplay(self, **fields):
        return self.data("autoplay.set", room=self.room, **{"on": True} | fields)["autoplay"]

    def now(self):
        return self.data("room.get", room=self.room)

    def playing(self):
        """The title of what is heard."""
        track = self.now()["now_playing"]
        return track and track["track"]["title"]

    def queue(self):
        return self.data("queue.get", room=self.room)

    def playback(self):
        return self.data("playback.get", room=self.room)


class Ear:
    """`sonactl listen` into a file, as a sound device would play it."""

    def __init__(self, room, *options):
        self.file = pathlib.Path(tempfile.mkstemp(suffix=".wav", dir=FOLDER)[1])
        self.process = subprocess.Popen(
            [PROGRAMS / "sonactl", "listen", "--server", helpers.URL, room, "--output", self.file, *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=os.environ | {"XDG_CONFIG_HOME": str(FOLDER)})

    def stop(self):
        """What it heard: (frequency in Hz or 0, seconds) for each sound in a row, and the longest silence in it, ms."""
        samples = self.samples()
        return sounds(samples), longest_silence(samples)

    def samples(self):
        """Those of the left channel, when it has ended."""
        if self.process.poll() is None:
            self.process.terminate()
        said = self.process.communicate(timeout=20)[1]
        with wave.open(str(self.file)) as file:
            frames = file.readframes(file.getnframes())
        samples = [one[0] for one in struct.iter_unpack("<hh", frames)]
        true(samples, f"nothing was heard: {said}")
        return samples


def sounds(samples, part=2400):
    """Each sound in a row, by how often it crosses zero in 50 ms; parts in which it changes are left out."""
    found = []
    for at in range(0, len(samples) - part, part):
        piece = samples[at:at + part]
        pitch = 0
        if max(map(abs, piece)) > 200:
            pitch = sum(1 for one, two in zip(piece, piece[1:]) if one < 0 <= two) * 48000 / part
        known = next((p for p, *_ in TRACKS.values() if abs(p - pitch) <= 2 * TOLERANCE), 0 if pitch == 0 else None)
        if known is None:
            continue
        if found and found[-1][0] == known:
            found[-1][1] += part / 48000
        else:
            found.append([known, part / 48000])
    return [(pitch, round(seconds, 2)) for pitch, seconds in found]


def longest_silence(samples):
    """Of the longest run of (nearly) nothing between the first sound and the last, ms."""
    loud = [at for at, one in enumerate(samples) if abs(one) > 60]
    return max((b - a for a, b in zip(loud, loud[1:])), default=0) / 48
