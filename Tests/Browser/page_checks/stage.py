"""The room page uses its window: who is on air and Follow on the stage, what comes and what was below it, and on a phone the chat over the page, with what is unread."""
from sound_checks import tones
from support import Host, Page, check, chromium, eventually
from .belonging import sign_in

RECTANGLE = "(({left, top, right, bottom}) => [left, top, right, bottom])(document.querySelector('%s').getBoundingClientRect())"


def wide(tab, width, height):
    tab.set_viewport_size({"width": width, "height": height})
    tab.until("document.querySelectorAll('room-shelf .entry').length === 4", f"{width} px: three entries that come, one that was")
    stage, bar, side = (tab.evaluate(RECTANGLE % part) for part in ("room-stage", ".room-bar", ".room-side"))
    check(stage[1] < 140, f"{width} px: the stage begins at {stage[1]}")
    check(bar[1] - stage[3] < 40, f"{width} px: the buttons are {bar[1] - stage[3]} px below the stage")
    check(tab.evaluate(RECTANGLE % "room-shelf h2")[3] < height, f"{width} px: what comes next is not in the window")
    check(side[0] >= stage[2] and side[3] - side[1] > height * .7, f"{width} px: the chat is not beside it: {side}")
    cut = tab.evaluate("[...document.querySelectorAll('.meter summary span')].filter(one => one.getBoundingClientRect().height > 40).length")
    check(cut == 0, f"{width} px: the words of the meter stand one letter a line")


def phone(browser, server, host, listener):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    tab = Page(context, f"{server.url}/r/{host.room}")
    tab.until("document.querySelector('room-page .big-play') && document.querySelector('room-chat')", "the room on a phone")
    play, side = tab.evaluate(RECTANGLE % ".big-play"), tab.evaluate(RECTANGLE % ".room-side")
    check(play[3] <= side[1], f"the button is under the sheet: {play} {side}")
    check(side[3] - side[1] < 180, f"the sheet is open: {side}")
    server.call("chat.send", {"room": host.room, "text": "Hello, phones"}, listener["access_token"])
    tab.until("document.querySelector('[data-tab=chat] .count')?.textContent.includes('1 new message')", "what is unread is counted")
    # Turned on its side, the phone shows the chat beside the stage or below it: what came is read.
    tab.set_viewport_size({"width": 740, "height": 360})
    tab.until("!document.querySelector('[data-tab=chat] .count')", "the chat that is seen counts as unread")
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.click("[data-tab=chat]")
    tab.until("!document.querySelector('[data-tab=chat] .count') && document.querySelector('.room-fold').ariaExpanded === 'true' || "
              "document.querySelector('.room-fold').getAttribute('aria-expanded') === 'true' && !document.querySelector('[data-tab=chat] .count')", "it is read")
    side = tab.evaluate(RECTANGLE % ".room-side")
    check(side[3] - side[1] > 370, f"the sheet is not open: {side}")
    tab.fill("room-chat textarea", "From a phone")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.chat-log').textContent.includes('From a phone')", "written in the sheet")
    # Another tab stays open, and the messages that come meanwhile are counted; the open tab's button closes the sheet.
    tab.click("[data-tab=history]")
    server.call("chat.send", {"room": host.room, "text": "Second"}, listener["access_token"])
    tab.until("document.querySelector('[data-tab=chat] .count')", "unread while another tab is open")
    tab.click("[data-tab=history]")
    tab.until("document.querySelector('.room-fold').getAttribute('aria-expanded') === 'false'", "closed again")
    check(not tab.complaints, f"{tab.complaints}")
    context.close()


def links(tab, server, host, listener):
    """Addresses in the chat are links, and nothing else is."""
    text = "See https://example.org/a_(b)?c=1&d=2. And (http://example.com/x), not javascript:alert(1), ftp://example.org, https://bank.example@evil.example/ or <b>https://example.net</b>"
    server.call("chat.send", {"room": host.room, "text": text}, listener["access_token"])
    tab.until("document.querySelector('.chat-text a')", "links")
    found = tab.evaluate("[...document.querySelectorAll('.chat-row:last-child .chat-text a')].map(({href, rel, target, textContent}) => [href, textContent, rel, target])")
    rel = ["noopener noreferrer nofollow ugc", "_blank"]
    check(found == [["https://example.org/a_(b)?c=1&d=2", "https://example.org/a_(b)?c=1&d=2", *rel], ["http://example.com/x", "http://example.com/x", *rel],
                    ["https://example.net/", "https://example.net", *rel]], f"{found}")
    check(tab.evaluate("document.querySelector('.chat-row:last-child .chat-text').textContent") == text, "the text is another")


def run(playwright, server, folder):
    owner, listener = server.person("olga"), server.person("lars")
    server.call("profile.update", {"display_name": "Olga Nowak", "public": True}, owner["access_token"])
    files = [tones.tone(folder / f"{number}.opus", 300 + 50 * number, seconds=3 if number == 1 else 120, title=f"Track {number}", artist="Ada") for number in (1, 2)]
    with Host(server, *files, "--title", "Evening", token=owner["access_token"]) as host, chromium(playwright) as browser:
        for number in range(3):
            host.call("queue.add", {"tracks": [{"track": {"title": f"Wish {number}", "artist": "Band"}}]})
        tab = sign_in(browser, server, "lars@example.org", "/people")
        tab.goto(f"{server.url}/r/{host.room}")
        tab.until("document.querySelector('.stage-host a')?.textContent === 'Olga Nowak'", "who is on air")
        tab.until("document.querySelector('.stage-host').textContent.includes('1 listening')", "how many listen")
        tab.locator(".stage-host").get_by_role("button").click()
        eventually(lambda: server.call("people.following", {}, listener["access_token"])["users"], "followed from the stage")
        tab.until("document.querySelector('room-stage h1').textContent === 'Track 2'", "the second track")
        for width, height in ((1366, 768), (1920, 1080)):
            wide(tab, width, height)
        tab.locator("room-shelf").get_by_role("button", name="Open the queue", exact=True).click()
        tab.until("document.querySelector('[data-tab=queue]').getAttribute('aria-selected') === 'true' && document.activeElement.dataset.tab === 'queue'", "the queue is open")
        tab.click("[data-tab=chat]")
        links(tab, server, host, listener)
        check(not tab.complaints, f"{tab.complaints}")
        phone(browser, server, host, listener)
    return ["stage, shelf and chat at 1366 and 1920 px; the sheet at 360 px; addresses in the chat"]
