"""A line that breaks: a short cut is not heard, a long one and a stalled one are made up for."""
import time

from support import Host, Page, check, chromium
from . import tones
from .pressure import Late, fairly
from .proxy import Proxy
from .two_tabs import CAPTURE, PITCH

OWN_SERVER = "it stops the server"

# Counts, from within the page, how the session comes back.
WATCH = """() => {
    window.seen = {resumed: 0, fresh: 0, states: []};
    session.addEventListener('resumed', () => { seen.resumed += 1; });
    session.addEventListener('fresh', () => { seen.fresh += 1; });
    player.addEventListener('change', () => { if (seen.states.at(-1) !== player.state) seen.states.push(player.state); });
}"""


def gaps(recording):
    """How many blocks of a recording are much quieter than a steady tone is."""
    import numpy
    sound = tones.samples(recording["samples"])
    blocks = sound[:len(sound) // 480 * 480].reshape(-1, 480)
    levels = numpy.sqrt((blocks ** 2).mean(axis=1))
    return int((levels < 0.5 * numpy.median(levels)).sum())


#: How far off the sound may be a second after a cut, p95, us: two tabs further apart are heard as two.
OFF_MAX = 20_000


def short_cut(tab, proxy):
    """The sound in hand lasts longer than the cut: it is not heard."""
    def cut():
        resumed = tab.evaluate("seen.resumed")
        before = tab.evaluate("player.meter.total")
        tab.evaluate("seen.states = []")
        tab.evaluate("heard.start(4)")
        tab.wait_for_timeout(500)
        proxy.cut()
        tab.until("session.status !== 'online'", "the cut is noticed")
        # It looks a few times a second.
        tab.until("seen.states.includes('reconnecting')", "the page says that it reconnects")
        proxy.mend()
        tab.until("session.status === 'online'", "the line is back")
        recording = tab.evaluate("heard.taken()")
        seen, after = tab.evaluate("seen"), tab.evaluate("player.meter.total")
        check(seen["resumed"] == resumed + 1 and seen["fresh"] == 0, f"the session did not go on: {seen}")
        check(after["lost"] == before["lost"], f"packets are lost: {before} → {after}")
        if gaps(recording) or after != before:
            raise Late(f"a short cut was heard for {gaps(recording)} hundredths of a second: {before} → {after}")
        return f"a cut: {' → '.join(seen['states'])}; not heard, nothing lost"
    return fairly(cut)


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    lines = []
    # A second of lead: what a short cut lives on, with a machine that may be slow to notice it.
    with Host(server, "--loop", "--lead-ms", 1500, low) as host, Proxy(server.port) as proxy, chromium(playwright) as browser:
        tab = Page(browser, f"{proxy.url}/r/{host.room}").store()
        tab.evaluate("player.volume = 1")
        tab.click(".big-play")
        tab.until("player.state === 'live'", "the room is heard")
        tab.wait_for_timeout(2500)
        tab.evaluate(WATCH)
        tab.evaluate(CAPTURE)

        lines.append(short_cut(tab, proxy))
        count = tab.evaluate("seen.resumed")

        # A long one: silence, and then in step again.
        proxy.cut()
        tab.until("session.status !== 'online'", "the cut is noticed")
        tab.wait_for_timeout(3000)
        begin = time.monotonic()
        proxy.mend()
        tab.until("player.state === 'live'", "the room is heard again")
        lines.append(f"after a cut of 3 s: heard again {time.monotonic() - begin:.2f} s after the line was mended")
        # In step within a second: what is off in the half second after it.
        tab.wait_for_timeout(1000)
        tab.evaluate("player.meter.recent = []")
        tab.wait_for_timeout(500)
        sync = tab.evaluate("player.meter.sync")
        check(sync and sync["p95"] < OFF_MAX, f"after a cut of 3 s sound is off: {sync}")
        check(tab.evaluate("seen.resumed") == count + 1, "the session did not go on after a longer cut")

        # One that only goes quiet, as when somebody leaves the house: nothing ends, and nothing comes.
        proxy.stall()
        begin = time.monotonic()
        tab.until("session.status !== 'online'", "a line that is dead is found out")
        lines.append(f"a dead line is found out after {time.monotonic() - begin:.2f} s")
        proxy.mend()
        tab.until("player.state === 'live'", "the room is heard after that")
        check(tab.evaluate("seen.resumed") == count + 2, f"the session did not go on after a dead line: {tab.evaluate('seen')}")

        # What the browser says of the network hurries it.
        tab.page.context.set_offline(True)
        tab.wait_for_timeout(300)
        tab.page.context.set_offline(False)
        tab.until("session.status === 'online' && player.state === 'live'", "offline and back")

        # A server that starts anew knows no sessions: the page joins again.
        server.stop()
        tab.until("player.state === 'reconnecting'", "a server that is gone")
        server.start(server.port)
        tab.until("session.status === 'online'", "the server is back")
        tab.until("player.room.isJoined && seen.fresh === 1", "the page joins again")
        lines.append(f"off by {sync['p50']}/{sync['p95']}/{sync['max']} µs after the second cut")
    return lines
