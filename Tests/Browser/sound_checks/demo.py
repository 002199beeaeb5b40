"""From `deploy/run` to music: the address it prints, opened, and one click; in step with the listener it names as well."""
import os, pathlib, re, signal, subprocess, time

from support import Page, check, chromium, eventually
from .other_client import beside
from .two_tabs import LIKE

RUN = pathlib.Path(__file__).parents[3] / "deploy/run"
#: What building takes where there is nothing to build, s.
BUILDING = 120


def run(playwright, server, folder):
    out, err = folder / "out", folder / "err"
    with out.open("wb") as to, err.open("wb") as errors:
        # A group of its own: the script, the server it becomes, and what explains its lines.
        demo = subprocess.Popen(
            [RUN, "--data", folder / "data", "--listen", "127.0.0.1:0"], stdout=to, stderr=errors, stdin=subprocess.DEVNULL,
            start_new_session=True)
    try:
        def printed():
            check(demo.poll() is None, f"deploy/run has ended: {err.read_text()[-500:]}")
            return re.search(r"open ((http://\S+)/r/@demo) in a browser", out.read_text())
        found = eventually(printed, "the address of the room is printed", seconds=BUILDING)
        with chromium(playwright) as browser:
            tab = Page(browser, found[1])
            tab.locator(".big-play").wait_for()
            begin = time.monotonic()
            tab.click(".big-play")
            tab.locator("room-stage[data-state=live]").wait_for()
            taken = time.monotonic() - begin
            tab.store()
            tab.evaluate("player.volume = 1")
            apart, likeness, _ = beside(tab, server.programs, found[2], "@demo", folder)
        check(likeness > LIKE, f"they do not hear the same: {likeness:.2f}")
        check(abs(apart) < 20, f"the tab and sonactl are {apart:.2f} ms apart")
        return [f"live {taken:.2f} s after the click; {apart:+.3f} ms from sonactl listen of the same room, alike {likeness:.2f}"]
    finally:
        if demo.poll() is None:
            os.killpg(demo.pid, signal.SIGTERM)
            demo.wait(30)
