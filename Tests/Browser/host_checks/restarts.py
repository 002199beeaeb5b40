"""A server that starts anew finds a quiet host as it was: paused, or at the end of the list, on the seat, and nobody is told that it is over."""
from sound_checks.proxy import Proxy
from support import check, chromium, eventually
from .desk import Desk, listener, microphone, wav

OWN_SERVER = "it stops the server"


def restart(desk, server, proxy, meanwhile=None):
    """Starts the server anew; `meanwhile` is evaluated when nothing gets through any more."""
    if meanwhile:
        proxy.stall()
        desk.evaluate(meanwhile)
        desk.wait_for_timeout(200)
    server.stop()
    proxy.mend()
    desk.until("host.state === 'away'", "a server that is gone")
    server.start(server.port)
    desk.until("host.state !== 'away'", "the host is back")


def in_force(desk):
    """Waits until what was announced has begun: after a restart that takes a lead and a second."""
    desk.wait_for_timeout(300)
    desk.until("host.room.playback.upcoming(Math.round(host.session.serverNow)).length === 0", "what is announced is in force")


def comes_back(desk, server, room, state, place):
    def seat():
        desk.wait_for_timeout(50)
        return server.call("room.get", {"room": room}, desk.person["access_token"])["room"]["host_state"] == "here"
    eventually(seat, f"{state}, the host has the seat again")
    desk.until(f"host.state === '{state}'", f"the host is {state} as before")
    in_force(desk)
    found = desk.evaluate("[host.state, host.position, host.reason, trouble]")
    check(found[0] == state and found[2] is None and not found[3], f"it was {state}, and is {found}")
    check(abs(found[1] - place) < 0.3e6, f"it was at {place / 1e6:.2f} s, and is at {found[1] / 1e6:.2f}")


def run(playwright, server, folder):
    with Proxy(server.port) as proxy, chromium(playwright, *microphone()) as browser:
        desk = Desk(browser, server, url=proxy.url)
        room = desk.room(server, lead_ms=600)
        desk.open(room)
        desk.add(wav(folder / "one.wav", 523.25, 20))
        desk.go()
        tab = listener(browser, server, room)
        # Paused.
        desk.until("host.position > 2e6", "it is heard")
        desk.evaluate("host.pause()")
        tab.until("player.state === 'paused'", "listeners see the pause")
        place = desk.evaluate("host.position")
        restart(desk, server, proxy)
        comes_back(desk, server, room, "paused", place)
        tab.until("player.state === 'paused'", "listeners see the pause again")
        # Gone on with, and paused at the very moment at which the server goes.
        desk.evaluate("host.play()")
        desk.until(f"host.state === 'live' && host.position > {place} + 2e6", "it goes on from there")
        restart(desk, server, proxy, "void host.pause()")
        desk.until("host.state === 'paused'", "the pause that was asked for comes")
        comes_back(desk, server, room, "paused", desk.evaluate("host.position"))
        # A place gone to in the pause, likewise.
        restart(desk, server, proxy, "void host.seek(17e6)")
        desk.until("host.position === 17e6", "the place that was asked for comes")
        comes_back(desk, server, room, "paused", 17e6)
        # The list is over.
        desk.evaluate("host.play()")
        desk.until("host.state === 'waiting'", "the list is over")
        desk.until("host.position >= 19.9e6", "and heard")
        restart(desk, server, proxy)
        comes_back(desk, server, room, "waiting", 20e6)
        desk.evaluate("host.play()")
        desk.until("host.state === 'live' && host.position > 1e6 && host.position < 10e6", "it is played once more")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        # Live.
        desk.choose("microphone")
        desk.go()
        desk.until("host.position > 1e6", "the microphone is heard")
        desk.evaluate("host.pause()")
        desk.until("host.state === 'paused'", "paused")
        in_force(desk)
        place = desk.evaluate("host.position")
        restart(desk, server, proxy)
        comes_back(desk, server, room, "paused", place)
        desk.evaluate("host.play()")
        tab.until("player.state === 'live'", "it goes on")
        # Not paused: it goes on from about where it was.
        desk.until(f"host.position > {place} + 1e6", "it goes on from there")
        restart(desk, server, proxy)
        tab.until("player.state === 'live' && player.room !== null", "it is live again")
        desk.until("host.state === 'live'", "so it is here")
        in_force(desk)
        found = desk.evaluate("host.position")
        check(place + 1e6 < found < place + 6e6, f"it was at {place / 1e6 + 1:.2f} s and is at {found / 1e6:.2f}")
        return ["paused, pausing, seeking, at the end of the list, and a microphone: as before after the server started anew"]
