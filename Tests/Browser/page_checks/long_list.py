"""100 000 tracks: the list has its height at once, any part of it comes where one looks, and no scrolling takes a task over 50 ms.

Tasks are those of Chromium's own trace, by the time that they had a processor: what else the machine does is no part of them.
"""
import json

from support import Page, check, chromium, eventually
from .music import STORES, clean, patiently, server_with_music, settled

OWN_SERVER = True
COUNT = 100_000
#: By the wheel as fast as one turns it, by dragging the scroll bar through all of it, and by jumps.
SCROLL = """async () => {
    const frame = () => new Promise(requestAnimationFrame), end = document.documentElement.scrollHeight;
    let frames = 0;
    for (let step = 0; step < 150; step += 1, frames += 1) { scrollBy(0, 400); await frame(); }
    for (let step = 0; step <= 120; step += 1, frames += 1) { scrollTo(0, end * step / 120); await frame(); }
    for (let step = 0; step < 12; step += 1) {
        scrollTo(0, end * ((step * 7919) % 100) / 100);
        for (let wait = 0; wait < 20; wait += 1, frames += 1) await frame();
    }
    return frames;
}"""


def scrolled(browser, tab, folder):
    """The frames that were drawn, and the longest task of the page's main thread, ms of a processor."""
    trace = folder / "trace.json"
    browser.start_tracing(page=tab.page, path=trace, categories=["toplevel", "__metadata"])
    frames = tab.evaluate(SCROLL)
    browser.stop_tracing()
    settled(tab, "the rows come where the scrolling ended")
    events = json.loads(trace.read_text())["traceEvents"]
    threads = {(one["pid"], one["tid"]) for one in events if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"}
    tasks = [one["tdur"] / 1000 for one in events if one["name"].endswith("RunTask") and "tdur" in one and (one["pid"], one["tid"]) in threads]
    check(len(tasks) > frames, f"{len(tasks)} tasks are in the trace of {frames} frames")
    return frames, max(tasks)


def run(playwright, server, folder):
    with server_with_music(server.programs, COUNT, 0.006, 900) as (own, token), chromium(playwright) as browser:
        outline = patiently(own, "library.outline", {}, token)
        check(outline["total"] == COUNT and len(outline["cursors"]) == 999, f"{outline['total']} rows, {len(outline['cursors'])} cursors")
        tab = Page(browser, own.url + "/library", viewport={"width": 1280, "height": 800})
        tab.evaluate(STORES)
        settled(tab)
        check(tab.evaluate("document.querySelector('.track-body').clientHeight") == COUNT * 56, "the list does not have its height")
        frames, longest = scrolled(browser, tab, folder)
        check(longest < 50, f"a task of {longest:.0f} ms in {frames} frames")
        # Far down, the rows are those of the server.
        letter = next(one for one in outline["letters"] if one["letter"] == "S")
        tab.click(".letter-rail button:has-text('S') >> nth=0")
        tab.until(f"document.querySelector('.track-row[aria-rowindex=\"{letter['index'] + 2}\"]:not([data-waiting])')", "the letter leads there")
        cursor = outline["cursors"][letter["index"] // 100 - 1]
        expected = own.call("library.list", {"limit": 100, "cursor": cursor}, token)["tracks"][letter["index"] % 100]["title"]
        check(tab.inner_text(f".track-row[aria-rowindex='{letter['index'] + 2}'] .track-title") == expected, f"not {expected!r}")
        tab.focus(f".track-row[aria-rowindex='{letter['index'] + 2}']")
        tab.keyboard.press("End")
        eventually(lambda: tab.evaluate("document.activeElement.ariaRowIndex") == str(COUNT + 1), "End is the last of all")
        count = tab.evaluate("document.querySelectorAll('.track-row').length")
        check(count < 70, f"{count} rows are in the document")
        clean(tab)
        return [f"{frames} frames through {COUNT} rows; the longest task took {longest:.0f} ms of a processor"]
