"""What the document shows before the script runs is what the script draws, at the same places, and nothing of private rooms."""
import re, urllib.request

from support import Page, check, chromium, eventually

#: What is compared: the frame, and of a room what does not depend on who looks at it.
PARTS = [".wordmark", ".nav a", ".who a", ".stage-cover", ".stage-state .badge", "main h1", ".stage-room", ".stage-artist", ".stage-name", ".big-play"]
BOXES = """parts => parts.flatMap(part => [...document.querySelectorAll(part)].filter(one => one.getClientRects().length).map(one => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return [part, one.textContent, one.getAttribute('aria-current'), [x, y, width, height].map(Math.round)];
}))"""
SHIFT = """(() => {
    window.shift = 0;
    new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
        .observe({type: 'layout-shift', buffered: true});
})()"""
SIZES = [(360, 740), (390, 844), (1280, 800), (1920, 1080)]
SHIFT_MAX = 0.05


def document(server, path, language="en"):
    with urllib.request.urlopen(urllib.request.Request(server.url + path, headers={"accept-language": language})) as answer:
        return answer.read().decode()


def boxes(browser, address, size, scripts, language):
    """What is where, and how far it moved until then; as the document has it, or as the script has drawn it."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=language, java_script_enabled=scripts, reduced_motion="reduce")
    try:
        if not scripts:
            # Evaluated by the browser's own tools, which need no scripts of the page.
            page = context.new_page()
            page.goto(address)
            return page.evaluate(BOXES, PARTS), 0
        context.add_init_script(SHIFT)
        tab = Page(context, address)
        tab.until("document.querySelector('.shell:not(#first-screen)') && document.querySelector('main').firstElementChild?.matches(':defined:not(.room-grid)')", "the page")
        if "/r/" in address:
            tab.until("document.querySelector('room-stage .stage-name')", "the stage")
        tab.page.wait_for_timeout(300)
        check(not tab.complaints, f"{address}: {tab.complaints}")
        return tab.evaluate(BOXES, PARTS), tab.evaluate("window.shift")
    finally:
        context.close()


def apart(one, other):
    """The parts of which one is not where the other is, to a pixel."""
    if [part[:3] for part in one] != [part[:3] for part in other]:
        return [(part, match) for part, match in zip(one + [None] * len(other), other + [None] * len(one)) if (part and part[:3]) != (match and match[:3])]
    return [(part, match) for part, match in zip(one, other) if any(abs(a - b) > 1 for a, b in zip(part[3], match[3]))]


def run(playwright, server, folder):
    owner = server.person("first_screen_owner")["access_token"]
    public = server.call("room.create", {"title": "Late <i>night</i> {{card}}", "visibility": "public"}, owner)["room"]["id"]
    private = server.call("room.create", {"title": "A secret", "visibility": "private"}, owner)["room"]["id"]
    page = document(server, f"/r/{public}")
    check("<h1 dir=\"auto\">Late &lt;i&gt;night&lt;/i&gt; {{card}}</h1>" in page and ">first_screen_owner</strong>" in page, page)
    for path in (f"/r/{private}", f"/r/{private}#invite", "/r/@nobody", "/"):
        page = document(server, path.split("#")[0])
        check("secret" not in page and "first_screen_owner" not in page and 'id="first-screen"' in page and "room-grid" not in page, f"{path}: {page}")
    check("Ustawienia" in document(server, "/", "pl-PL,pl;q=0.9") and "Ustawienia" not in document(server, "/"), "not in the browser's language")
    check(not re.search(r"<style|\sstyle=|\son\w+=", document(server, f"/r/{public}")), "inline code or styles")

    moved = 0
    with chromium(playwright) as browser:
        for path, language in ((f"/r/{public}", "en"), ("/settings", "pl-PL"), ("/", "es-ES")):
            for size in SIZES:
                before, _ = boxes(browser, server.url + path, size, False, language)
                after, shift = boxes(browser, server.url + path, size, True, language)
                # The page has more than the document only of what is in <main>, and of that only where the document has nothing.
                if "/r/" not in path:
                    after = [part for part in after if not part[0].startswith("main ")]
                check(len(before) > 5 and not apart(before, after), f"{path} at {size}: {apart(before, after)}")
                check(shift <= SHIFT_MAX, f"{path} at {size} moved by {shift:.3f}")
                moved = max(moved, shift)

        # The room's stage stays until the room has been entered, and no other page shows it.
        tab = Page(browser.new_context(), server.url + f"/r/{public}")
        tab.until("document.querySelector('room-stage')", "the stage")
        tab.click(".nav a[href='/settings']")
        tab.until("document.querySelector('settings-page')", "settings")
        check(tab.evaluate("document.querySelector('[data-room].room-grid, main[data-first]') === null"), "the first screen is still there")
        eventually(lambda: not tab.complaints, "no complaints", 1)
    return [f"document and script agree at {len(SIZES)} sizes; nothing moved by more than {moved:.3f}"]
