"""The seat passes from the server to people and back, and the room rests while nobody is there."""
import os, subprocess, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, true

from autoplay_checks import stage
from autoplay_checks.playing import position
from autoplay_checks.stage import Ear, Owner, until


@check("a person takes the seat at any moment and gives it back; nobody hears a gap that the lead does not cover")
def _():
    ada = Owner()
    ada.add("Long", "High")
    ada.autoplay()
    ear = Ear(ada.room)
    until(lambda: ada.playing() == "Long", "it plays")
    time.sleep(1)
    done = subprocess.run(
        [stage.PROGRAMS / "sonactl", "broadcast", "--server", helpers.URL, "--token", ada.token, "--room", ada.room,
         stage.MUSIC / "Low.opus"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
        env=os.environ | {"XDG_CONFIG_HOME": str(stage.FOLDER)})
    equal(done.returncode, 0, f"sonactl broadcast: {done.stderr[-300:]}")
    until(lambda: ada.playing() == "High" and ada.now()["room"]["host_state"] == "server", "the server again, with the next entry")
    time.sleep(1)
    heard, silence = ear.stop()
    equal([pitch for pitch, seconds in heard if pitch and seconds > 0.1], [400, 300, 800], f"heard {heard}")
    true(silence < 100, f"{silence} ms of silence while the seat changes hands")
    ada.autoplay(on=False)


@check("a room without listeners rests after a while, where it is, and goes on when somebody comes")
def _():
    ada = Owner()
    ada.add("Long")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.autoplay()
        until(lambda: ada.playing() == "Long", "it plays")
    # The server was started with two seconds instead of ten minutes.
    until(lambda: ada.playback()["playback"]["state"] == 3, "it rests", 10)
    rests = position(ada)
    true(1_000_000 < rests < 7_000_000, f"it rests at {rests} µs")
    time.sleep(1)
    equal(position(ada), rests, "a resting room")
    with Client() as guest:
        snapshot = guest.data("room.join", {"room": ada.room})
        true(snapshot["playback"]["state"] in (2, 3), f"{snapshot['playback']}")
        until(lambda: ada.playback()["playback"]["state"] == 1, "it goes on")
        true(rests <= position(ada) < rests + 2_000_000, f"it rested at {rests} µs, and goes on at {position(ada)} µs")
    ada.autoplay(on=False)
