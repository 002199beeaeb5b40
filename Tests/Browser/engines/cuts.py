"""A line that is cut is come back from by itself, into step; a server that starts anew is joined again."""
import time

from sound_checks import tones
from sound_checks.cuts import WATCH
from sound_checks.proxy import Proxy
from sound_checks.two_tabs import PITCH
from support import Host, check
from .hearing import listen, sounds


def run(engine, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    with Host(server, "--loop", "--lead-ms", 1500, low) as host, Proxy(server.port) as proxy:
        tab = listen(engine, host, proxy.url)
        tab.wait_for_timeout(2500)
        tab.evaluate(WATCH)
        before = tab.evaluate("player.meter.total")
        proxy.cut()
        tab.until("session.status !== 'online'", "the cut is noticed")
        # It looks a few times a second.
        tab.until("seen.states.includes('reconnecting')", "the page says that it reconnects")
        proxy.mend()
        tab.until("session.status === 'online' && player.state === 'live'", "the line is back")
        seen = tab.evaluate("seen")
        check(seen["resumed"] == 1 and seen["fresh"] == 0, f"the session did not go on: {seen}")
        after = tab.evaluate("player.meter.total")
        check(after["lost"] == before["lost"], f"packets are lost: {before} → {after}")
        lines = [f"a short cut: {after['underruns'] - before['underruns']} gaps, nothing lost"]

        proxy.cut()
        tab.until("session.status !== 'online'", "the cut is noticed")
        tab.wait_for_timeout(3000)
        begin = time.monotonic()
        proxy.mend()
        tab.until("player.state === 'live'", "the room is heard again")
        lines.append(f"after a cut of 3 s: heard again {time.monotonic() - begin:.2f} s after the line was mended")
        check(tab.evaluate("seen.resumed") == 2, "the session did not go on after a longer cut")
        tab.wait_for_timeout(3000)
        lines.append("then " + sounds(tab, PITCH))

        proxy.stall()
        begin = time.monotonic()
        tab.until("session.status !== 'online'", "a line that is dead is found out")
        lines.append(f"a dead line is found out after {time.monotonic() - begin:.2f} s")
        proxy.mend()
        tab.until("player.state === 'live'", "the room is heard after that")

        server.stop()
        tab.until("player.state === 'reconnecting'", "a server that is gone")
        server.start(server.port)
        tab.until("session.status === 'online' && player.room.isJoined && seen.fresh === 1", "the page joins again")
        tab.close()
        return lines
