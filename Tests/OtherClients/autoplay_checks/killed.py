"""A server that is killed while rooms play by themselves."""
import time

from protocol_checks.helpers import Client, check, equal, true

from autoplay_checks import stage
from autoplay_checks.playing import position
from autoplay_checks.stage import Owner, until


@check("SIGKILL in mid-track: the room is back within five seconds, where its listeners would be")
def _():
    ada = Owner()
    ada.add("Long", "High")
    guest = Client()
    guest.data("room.join", {"room": ada.room})
    ada.autoplay()
    until(lambda: ada.playing() == "Long", "it plays")
    time.sleep(6)
    at, before = time.monotonic(), position(ada)
    stage.SERVER.kill()
    time.sleep(1)
    stage.SERVER.revive()
    back = time.monotonic()
    # The playback is the new server's once it plays.
    until(lambda: ada.now()["room"]["host_state"] == "server" and ada.playback()["playback"]["state"] == 1, "it plays again", 5)
    took, place = time.monotonic() - back, position(ada)
    wanted = before + (time.monotonic() - at) * 1e6
    true(abs(place - wanted) < 700_000, f"it is at {place} µs; listeners would be at {wanted:.0f}")
    with Client() as again:
        again.data("room.join", {"room": ada.room})
        true(again.packets(10), "no sound")
    true(took < 5, f"it took {took:.1f} s")
    equal(ada.playing(), "Long", "the track")
    ada.autoplay(on=False)


@check("a room that is woken after a kill, and that nobody comes back to, rests")
def _():
    ada = Owner()
    ada.add("Long")
    with Client() as guest:
        guest.data("room.join", {"room": ada.room})
        ada.autoplay()
        until(lambda: ada.playing() == "Long", "it plays")
        stage.SERVER.kill()
        stage.SERVER.revive()
    until(lambda: ada.playback()["playback"]["state"] == 1, "it plays again", 5)
    until(lambda: ada.playback()["playback"]["state"] == 3, "it rests", 10)
    ada.autoplay(on=False)
