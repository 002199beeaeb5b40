"""The server with a clock that is moved, its music, and a room that plays by a schedule."""
import datetime, glob, pathlib, re, shutil, subprocess, tempfile, time
from zoneinfo import ZoneInfo

from protocol_checks import helpers
from protocol_checks.helpers import PASSWORD, Client, Failure, account, equal, rpc, true

SERVER = PROGRAMS = None
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-schedules-"))
MUSIC, CLOCK = FOLDER / "music", FOLDER / "clock"
#: Title: frequency in Hz. Each lasts 20 s, and has a playlist of its own.
TRACKS = {"Low": 300, "Middle": 500, "High": 800}
#: The machine that the server runs on is set to this.
HOME = "Europe/Warsaw"
UTC = datetime.timezone.utc


# The clock

def library():
    found = sorted(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1"))
    if not found:
        raise Failure("libfaketime is missing: deploy/packages faketime")
    return found[-1]


def set_clock(moment):
    """Sets the clock of the server: a moment in UTC. It goes on from there."""
    write_offset(moment.timestamp() - time.time())


def write_offset(seconds):
    beside = CLOCK.with_suffix(".new")
    beside.write_text(f"{seconds:+.3f}\n")
    beside.rename(CLOCK)


def now():
    """What the server's clock shows."""
    return datetime.datetime.fromtimestamp(time.time() + float(CLOCK.read_text()), UTC)


def instant(local, zone=HOME):
    """The moment at which clocks of a zone show that, by Python's own rules: half past two when it is left out counts from
    before, and of a time that comes twice the first is meant."""
    return datetime.datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def local(moment, zone=HOME):
    """The minute of a moment, as slots have it."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def in_ms(moment):
    return round(moment.timestamp() * 1000)


# The server

def start():
    global SERVER
    from room_checks.server import MortalServer
    MUSIC.mkdir()
    for title, pitch in TRACKS.items():
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=f={pitch}:r=48000:d=20", "-ac", "2", "-c:a", "libopus",
                        "-b:a", "64k", "-metadata", f"title={title}", "-metadata", f"artist={title}", MUSIC / f"{title}.opus"], check=True)
    write_offset(0)
    arguments = ("--exempt", "127.0.0.1", "--account-budgets", "100", "--music", f"Music={MUSIC}", "--guests-hear", "full",
                 "--autoplay-rest", "600")
    data = FOLDER / "data"
    # The music is found while the clock is as it is: workers that read files may open no others, so none for a clock.
    first = MortalServer(*arguments, data=data)
    try:
        with first:
            token = account()["access_token"]
            until(lambda: len(data_of("library.list", {}, token)["tracks"]) == len(TRACKS), "the music is found")
    finally:
        first.stop()
    MortalServer.programs = faked()
    SERVER = MortalServer(*arguments, data=data)


def faked():
    """A folder of programs whose clock is moved.

    The library sets a variable when it is loaded, which moves the environment to where Swift does not find the arguments
    of the program. So it is loaded by `env` first, which then becomes the program, its variable set."""
    folder = FOLDER / "programs"
    folder.mkdir()
    settings = {"LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": CLOCK, "FAKETIME_NO_CACHE": 1,
                "DONT_FAKE_MONOTONIC": 1, "FAKETIME_DONT_FAKE_MONOTONIC": 1, "TZ": HOME}
    words = " ".join(f"{name}='{value}'" for name, value in settings.items())
    script = folder / "sona"
    script.write_text(f"#!/bin/sh\nexec env {words} env '{PROGRAMS / 'sona'}' \"$@\"\n")
    script.chmod(0o755)
    return folder


def stop():
    if SERVER:
        SERVER.stop()
    shutil.rmtree(FOLDER, ignore_errors=True)


def data_of(kind, fields=None, token=None):
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def until(holds, what, seconds=10):
    end = time.monotonic() + seconds
    while not (found := holds()):
        true(time.monotonic() < end, f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


def begun():
    """How many occurrences have begun since the server started."""
    return int(re.search(r"^sona_occurrences_begun_total (\d+)$", SERVER.metrics(), re.M)[1])


class Person:
    """An account. Its tokens end when the clock is moved: it signs in again then."""

    def __init__(self):
        made = account()
        self.name, self.email, self.token, self.uid = made["username"], made["email"], made["access_token"], made["user"]["uid"]

    def again(self):
        self.token = data_of("auth.sign_in", {"email": self.email, "password": PASSWORD})["access_token"]
        return self

    def data(self, kind, /, **fields):
        return data_of(kind, fields, self.token)

    def refused(self, code, kind, /, **fields):
        status, body, _ = rpc(kind, fields, self.token)
        equal(isinstance(body, dict) and body.get("error", {}).get("code"), code, kind)

    def opened(self):
        """What it was told of rooms that open, the oldest first: (title, when)."""
        found = self.data("notifications.list", limit=100)["notifications"]
        return [(one["title"], one["created_ms"]) for one in reversed(found) if one["kind"] == "room_opens"]


class Owner(Person):
    """With a public room, and a playlist of each track."""

    def __init__(self, **settings):
        super().__init__()
        tracks = self.data("library.list")["tracks"]
        self.tracks = {track["title"]: track["id"] for track in tracks}
        self.lists = {}
        for title, track in self.tracks.items():
            self.lists[title] = self.data("playlist.create", title=f"{title} and nothing else")["playlist"]["id"]
            self.data("playlist.add", playlist=self.lists[title], tracks=[track])
        self.room = self.data("room.create", **{"title": "Radio", "visibility": "public"} | settings)["room"]["id"]

    def add(self, start, minutes, playlist=None, **fields):
        """A slot of its own room."""
        if playlist:
            fields["playlist"] = self.lists[playlist]
        return self.data("schedule.add", room=self.room, start=start, duration_s=60 * minutes, **fields)["slot"]


class Watcher(Client):
    """A guest beside the room: what goes on in it. Its connection outlives a clock that is moved."""

    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def seat(self):
        return self.data("room.get", {"room": self.owner.room})["room"]["host_state"]

    def playing(self):
        """The title of the track of the library that the queue has playing, and that the server plays."""
        if self.seat() != "server":
            return None
        found = self.data("queue.get", {"room": self.owner.room})["now"]
        return next((title for title, track in self.owner.tracks.items() if found and found["entry"].get("source") == track), None)
