"""The host's page for everybody: nothing that axe finds, all of it by the keyboard, and a sentence where it cannot work."""
from axe_playwright_python.sync_playwright import Axe

from support import Page, Server, check, chromium
from .desk import Desk, microphone, wav

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}
WIDTHS = (360, 768, 1920)


def look(tab, axe, where):
    """What axe finds in both themes, and where the page is wider than the window."""
    faults = []
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        faults += [f"{where} {scheme}: {one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary'][:200]}"
                   for one in axe.run(tab.page, options=RULES).response["violations"]]
    tab.emulate_media(color_scheme="light")
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 800})
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            faults.append(f"{where}: at {width} pixels it is {wide} too wide")
    tab.set_viewport_size({"width": 1280, "height": 900})
    return faults


def by_keyboard(desk):
    """From the page to the first sound, and to its end, without a pointer."""
    def tab_to(selector):
        for _ in range(80):
            if desk.evaluate(f"document.activeElement?.matches({selector!r})"):
                return
            desk.keyboard.press("Tab")
        check(False, f"{selector} is not reached by the Tab key")
    tab_to("input[name=title]")
    desk.keyboard.type("By the keyboard alone")
    tab_to(".host-go")
    desk.keyboard.press("Enter")
    desk.until("host.state === 'live'", "Enter goes live")
    desk.evaluate("document.activeElement.blur()")
    desk.keyboard.down(" ")
    desk.until("host.state === 'paused'", "the space bar pauses")
    # Held, it says so again and again.
    desk.keyboard.down(" ")
    desk.wait_for_timeout(500)
    check(desk.evaluate("host.state") == "paused", "the space bar, held, goes on by itself")
    desk.keyboard.up(" ")
    desk.keyboard.press(" ")
    desk.until("host.state === 'live'", "the space bar goes on")
    tab_to("host-stage input[type=range]")
    desk.evaluate("window.leap = ((place, at) => () => host.position - place - (performance.now() - at) * 1000)(host.position, performance.now())")
    desk.keyboard.press("ArrowRight")
    desk.until("host.state === 'live' && leap() > 3e6", "an arrow key goes on by five seconds")
    check(desk.evaluate("leap()") < 6e6, "an arrow key goes further than that")
    tab_to("host-voice button")
    desk.keyboard.press("Enter")
    desk.until("document.activeElement?.matches('.host-talk')", "the microphone is open, and the focus on the button that talks")
    desk.keyboard.down("Enter")
    desk.until("host.inputs.isTalking", "Enter talks while it is held")
    desk.keyboard.up("Enter")
    desk.until("!host.inputs.isTalking", "Enter lets go")


def run(playwright, server, folder):
    music = wav(folder / "music.wav", 440, 60)
    axe, faults, count = Axe(), [], 0
    with chromium(playwright, *microphone()) as browser:
        for language in ("en", "pl", "es"):
            desk = Desk(browser, server, viewport={"width": 1280, "height": 900}, locale=language)
            desk.open()
            desk.add(music)
            desk.click("host-setup summary")
            faults += look(desk, axe, f"{language} before")
            if language == "en":
                by_keyboard(desk)
            else:
                desk.go()
            desk.click("host-room summary")
            desk.click("host-invites summary")
            desk.click("host-invites .stack > .row button")
            desk.locator("host-invites .entry").wait_for()
            faults += look(desk, axe, f"{language} on air")
            count += 4
            desk.evaluate("host.end()")
            desk.until("host.state === 'ended' && document.querySelector('host-setup .notice')", "it says that it has ended")
            check(not desk.complaints, f"the page complains: {desk.complaints[:3]}")
            desk.page.context.close()
        check(not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20]))
        # Where the address is not secure, nothing is encoded: the page says so.
        desk = Desk(browser, server)
        desk.page.add_init_script("Object.defineProperty(globalThis, 'AudioEncoder', {value: undefined})")
        desk.goto(f"{server.url}/host")
        desk.wait_for_selector("host-page .empty")
        check("does not encode sound" in desk.inner_text("host-page"), "it does not say what is missing")
    return [f"axe finds nothing in {count} looks"]
