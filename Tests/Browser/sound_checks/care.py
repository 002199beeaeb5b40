"""The room for everybody: nothing that axe finds in any of its parts, and all of it by the keyboard."""
from axe_playwright_python.sync_playwright import Axe

from support import Host, Page, check, chromium
from . import tones
from .two_tabs import PITCH

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}
COLOURS = "axe.run({runOnly: ['color-contrast', 'link-in-text-block']})"
WIDTHS = (360, 768, 1920)


def faults_of(response, where):
    return [f"{where}: {one['id']}: " + "; ".join(f"{node['html'][:120]} {node['failureSummary'][:160]}" for node in one["nodes"][:2])
            for one in response["violations"]]


def look(tab, axe, where):
    faults = faults_of(axe.run(tab.page, options=RULES).response, where)
    tab.emulate_media(color_scheme="dark")
    faults += faults_of(tab.evaluate(COLOURS), f"{where} dark")
    tab.emulate_media(color_scheme="light")
    return faults


def parts(browser, host):
    axe, faults, count = Axe(), [], 0
    for language in ("en", "pl", "es"):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale=language, reduced_motion="reduce")
        tab = Page(context, f"{host.server.url}/r/{host.room}")
        tab.click(".big-play")
        tab.locator("room-stage[data-state=live]").wait_for()
        tab.click("sync-meter summary")
        for part, sign in (("chat", ".chat-row"), ("queue", ".entry"), ("history", ".entry"), ("people", ".entry")):
            tab.click(f"[data-tab={part}]")
            tab.locator(f"room-{part} {sign}").first.wait_for()
            if part == "queue":
                tab.click("room-queue summary")
            if language == "en":
                faults += look(tab, axe, f"{language} {part}")
                count += 2
            for width in WIDTHS:
                tab.set_viewport_size({"width": width, "height": 800})
                wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                if wide > 0:
                    faults.append(f"{language} {part}: at {width} pixels it is {wide} too wide")
            tab.set_viewport_size({"width": 1280, "height": 900})
        tab.keyboard.press("s")
        tab.locator("dialog .qr").wait_for()
        faults += look(tab, axe, f"{language} share")
        count += 2
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
        context.close()
    check(not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20]))
    return count


def keyboard(browser, host):
    """From the address to hearing, writing and leaving without a pointer."""
    tab = Page(browser.new_context(), f"{host.server.url}/r/{host.room}").store()
    tab.until("document.querySelector('.big-play') && player.room?.isJoined && player.state === 'idle'", "the room")
    tab.keyboard.press(" ")
    tab.until("player.state === 'live'", "the space bar plays")
    tab.keyboard.press("m")
    tab.until("player.muted", "m mutes")
    tab.keyboard.press("m")
    tab.keyboard.press("c")
    tab.keyboard.type("By the keyboard alone")
    tab.keyboard.press("Enter")
    tab.locator(".chat-text", has_text="By the keyboard alone").wait_for()
    tab.keyboard.press("Escape")
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.matches('[role=tab]')"):
            break
    tab.keyboard.press("ArrowRight")
    tab.locator("room-queue .entry").first.wait_for()
    check(tab.evaluate("document.activeElement.dataset.tab") == "queue", "the arrow does not go to the next tab")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press(" ")
    tab.until("!player.playing", "the space bar pauses")
    check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
    tab.page.context.close()


def run(playwright, server, folder):
    low = tones.tone(folder / "named.opus", PITCH, seconds=4, title="Nocturne", artist="Ada")
    with Host(server, "--loop", "--title", "Late night", low) as host, chromium(playwright) as browser:
        host.call("chat.send", {"text": "Good evening."})
        host.call("queue.set_rules", {"rules": {"suggesters": "everybody", "dwell_s": 0}})
        host.call("queue.add", {"tracks": [{"track": {"title": "Prelude", "artist": "Clara"}}]})
        count = parts(browser, host)
        keyboard(browser, host)
        return [f"{count} looks at the parts of a room"]
