"""What people typed is text, whatever it looks like; and what the server refuses is a sentence with a way on."""
import json

from page_checks.belonging import png
from support import Host, Page, check, chromium, eventually
from . import tones
from .two_tabs import PITCH

MARKUP = "<img src=x onerror=\"document.title='owned'\"><b>bold</b>"
BACKWARDS = "\u05d0\u05d1\u05d2 gnp.exe"
LONG = "W" * 180


def hostile(browser, server, folder):
    """Titles, tags of a track, chat and suggestions that would like to be something else."""
    low = tones.tone(folder / "hostile.opus", PITCH, seconds=4, title=MARKUP, artist=BACKWARDS)
    owner = server.person()
    with Host(server, "--loop", "--title", MARKUP, low, token=owner["access_token"]) as host:
        host.call("room.update", {"description": MARKUP, "tags": ["<i>tag</i>"]})
        host.call("chat.send", {"text": f"{MARKUP} {BACKWARDS}\n<script>document.title='owned'</script>"})
        host.call("chat.send", {"text": LONG})
        host.call("queue.add", {"tracks": [{"track": {"title": MARKUP, "artist": BACKWARDS}, "source": "javascript-1"}]})
        tab = Page(browser, f"{server.url}/r/{host.room}", viewport={"width": 360, "height": 740})
        # Where the file begins again, the room's own title may be shown for a moment, without an artist.
        shown = f"document.querySelector('room-stage h1')?.textContent === {json.dumps(MARKUP)} && document.querySelector('.stage-artist').textContent === {json.dumps(BACKWARDS)}"
        tab.until(shown, "the title and the artist as they were typed")
        texts = tab.locator(".chat-text").all_inner_texts()
        check(any("<script>" in text for text in texts), f"the chat is not what was typed: {texts}")
        tab.click("[data-tab=queue]")
        tab.locator("room-queue .entry-title", has_text="<b>bold</b>").wait_for()
        tab.click("[data-tab=history]")
        tab.locator("room-history .entry-title", has_text="<b>bold</b>").wait_for()
        tab.click("[data-tab=people]")
        tab.locator("room-people .entry", has_text=owner["user"]["username"]).wait_for()
        # On a phone the people lie over the page.
        tab.click(".room-fold")
        tab.click("text=Share")
        check(MARKUP in tab.locator("dialog h2").inner_text(), "the dialog's title is not what was typed")
        for part in ("main img[src=x]", "main b", "main script", "dialog img[src=x]", "dialog b"):
            check(tab.locator(part).count() == 0, f"markup was made of text: {part}")
        check("owned" not in tab.title().replace(MARKUP, ""), "a script of somebody's has run")
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0, f"the page is {wide} pixels wider than the window")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
        tab.page.close()


def talking(browser, server, folder):
    """Somebody writes in one tab and is read in another; votes and reactions arrive; what is refused is said."""
    low = tones.tone(folder / "low.opus", PITCH)
    with Host(server, "--loop", low) as host:
        host.call("queue.set_rules", {"rules": {"suggesters": "everybody", "needs_approval": False, "dwell_s": 0}})
        one, other = (Page(browser.new_context(), f"{server.url}/r/{host.room}") for _ in range(2))
        one.locator("room-chat textarea").fill("Which recording is this?")
        one.keyboard.press("Enter")
        other.locator(".chat-text", has_text="Which recording is this?").wait_for()
        other.locator(".reaction").first.click()
        one.locator(".sky span").first.wait_for(state="attached")
        for tab in (one, other):
            tab.click("[data-tab=queue]")
        one.click("room-queue summary")
        one.locator("[name=title]").fill("Prelude")
        one.locator("[name=artist]").fill("Ada")
        one.click("room-queue button[type=submit]")
        other.locator("room-queue .entry-title", has_text="Ada – Prelude").wait_for()
        other.locator("room-queue .vote").first.click()
        other.locator("room-queue .vote[aria-pressed=true]").wait_for()
        one.locator("room-queue .vote >> text=1").wait_for()
        counted(one, other, host)
        one.locator("[name=title]").fill("prelude!")
        one.locator("[name=artist]").fill("ADA")
        one.click("room-queue button[type=submit]")
        refusal = one.locator("room-queue .chat-error")
        one.locator("room-queue .chat-error:not(:empty)").wait_for()
        check("queue.duplicate" not in refusal.inner_text() and len(refusal.inner_text()) > 20, f"a code is shown: {refusal.inner_text()!r}")
        host.call("room.update", {"chat": "off"})
        one.click("[data-tab=chat]")
        one.locator("room-chat", has_text="is off").wait_for()
        check(not one.locator("room-chat form").is_visible(), "the chat is off, and one can write")
        for tab in (one, other):
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
            tab.page.context.close()


def counted(one, other, host):
    """Who is about to press a button, or has come to it by the keyboard, has it still when somebody votes, comes or goes."""
    one.evaluate("window.row = document.querySelector('room-queue .entry')")
    box = one.locator("room-queue .entry .vote").first.bounding_box()
    one.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    one.mouse.down()
    other.locator("room-queue .vote").nth(1).click()
    one.locator("room-queue .vote:nth-child(2) >> text=1").wait_for()
    guest = Page(one.page.context.browser.new_context(), f"{host.server.url}/r/{host.room}")
    guest.locator("room-chat textarea").wait_for()
    guest.page.context.close()
    one.mouse.up()
    one.locator("room-queue .vote[aria-pressed=true] >> text=1").wait_for()
    host.call("queue.add", {"tracks": [{"track": {"title": "Fugue"}}]})
    one.locator("room-queue .entry", has_text="Fugue").wait_for()
    check(one.evaluate("row.isConnected && row.contains(document.activeElement)"), "a row is made anew, and the focus in it lost")


# Notes each title with the server's time at which it is shown, and each announcement.
WATCH = """() => {
    window.seen = {titles: [], streams: []};
    const heading = document.querySelector('room-stage h1');
    new MutationObserver(() => seen.titles.push([heading.textContent, session.serverNow])).observe(heading, {childList: true});
    session.on('stream.started', ({stream, track}) => seen.streams.push([track?.title, stream.start_us, session.serverNow]));
}"""


def titles(browser, server, folder, lead=1500, late_max=400):
    """A title changes when the sound does: not when it is announced, which is a lead earlier, ms. Returns by how many ms late."""
    files = [tones.tone(folder / f"title{number}.opus", PITCH, seconds=3, title=f"Track {number}") for number in (1, 2, 3)]
    with Host(server, "--loop", "--lead-ms", lead, *files) as host:
        tab = Page(browser.new_context(), f"{server.url}/r/{host.room}").store()
        tab.locator("room-stage h1", has_text="Track").wait_for()
        tab.evaluate(WATCH)
        # Those that change first were announced before anybody noted it.
        tab.until(f"seen.titles.length >= {3 + lead // 3000}", "titles that change", 60)
        seen = tab.evaluate("seen")
        late = []
        for title, shown in seen["titles"]:
            # A file that comes round again is the one that was announced last for a time before.
            started = [start for name, start, told in seen["streams"] if name == title and start < shown + 500_000]
            if started:
                late.append((shown - started[-1]) / 1000)
        check(len(late) >= 2, f"titles that were not announced: {seen}")
        check(all(-1 <= one < late_max for one in late), f"titles are late by {late} ms")
        check(all(start - told > lead * 330 for _, start, told in seen["streams"]), "they are announced no earlier")
        tab.page.context.close()
        return late


def told(late):
    return f"titles change {', '.join(f'{one:.0f}' for one in late)} ms after the sound"


# Notes each colour that the page takes with the server's time, and when the sound of each broadcast begins.
WATCH_TINT = """() => {
    window.seen = {tints: [], starts: []};
    const root = document.documentElement, tint = () => root.style.getPropertyValue('--tint');
    new MutationObserver(() => { if (tint() !== seen.tints.at(-1)?.[0]) seen.tints.push([tint(), session.serverNow]); })
        .observe(root, {attributes: true, attributeFilter: ['style']});
    session.on('stream.started', ({stream}) => seen.starts.push(stream.start_us));
}"""
SHOWN = "[...document.querySelectorAll('.stage-cover .cover:not(.aura) img')].map(one => one.naturalWidth > 0 && new URL(one.src).pathname)[0]"


def covers(browser, server, folder):
    """The cover and the colour of the page are those of what is heard, and change with it; no picture of elsewhere is asked for."""
    owner, colors = server.person()["access_token"], ((200, 40, 30), (30, 60, 200))
    pictures = [f"/v1/photos/{server.send('/v1/photo', png(color), server.person()['access_token'])['profile']['photo']['id']}/full" for color in colors]
    room = server.call("room.create", {"title": "Sleeves", "visibility": "public", "lead_ms": 1500}, owner)["room"]["id"]
    tab = Page(browser.new_context(), f"{server.url}/r/{room}").store()
    tab.locator("room-stage h1", has_text="Sleeves").wait_for()
    plain = tab.evaluate("document.documentElement.style.getPropertyValue('--tint')")
    tab.evaluate(WATCH_TINT)
    for number, picture in enumerate([*pictures, "https://pictures.example/of/elsewhere.jpg"]):
        sound = tones.tone(folder / f"sleeve{number}.opus", PITCH, seconds=4, title=f"Sleeve {number}")
        with Host(server, "--room", room, "--artwork", picture, sound, token=owner):
            tab.locator("room-stage h1", has_text=f"Sleeve {number}").wait_for()
            if number < len(colors):
                tab.until(f"{SHOWN} === '{picture}'", "the cover of what is heard")
            else:
                tab.until(f"document.documentElement.style.getPropertyValue('--tint') === '{plain}'", "the room's own colour")
                check(tab.evaluate(SHOWN) is None, "a picture of elsewhere is shown")
    seen = tab.evaluate("seen")
    # Between two broadcasts, where nothing is heard, it may be the room's own again.
    painted = [one for one in seen["tints"] if one[0] != plain]
    check(len(painted) == len(colors) and not tab.complaints, f"{seen} {tab.complaints[:3]}")
    for color, start, (tint, at) in zip(colors, seen["starts"], painted):
        found = tuple(bytes.fromhex(tint[1:]))
        check(all(abs(one - other) < 12 for one, other in zip(color, found)), f"a picture of {color} makes the page {found}")
        check(-1 <= (at - start) / 1000 < 1000, f"the colour changes {(at - start) / 1000:.0f} ms after the sound: {seen}")
    tab.page.context.close()


def doors(browser, server):
    """Private rooms, invites, a waiting room, being put out, and a room that ends."""
    owner = server.person()
    token = owner["access_token"]
    room = server.call("room.create", {"title": "Behind the door", "visibility": "private"}, token)["room"]["id"]
    stranger = Page(browser.new_context(), f"{server.url}/r/{room}")
    alert = stranger.locator("room-page [role=alert]")
    alert.wait_for()
    check("room.not_found" not in alert.inner_text() and len(alert.inner_text()) > 20, f"a code is shown: {alert.inner_text()!r}")
    check(stranger.locator("room-page a, room-page button").count() >= 2, "there is no way on")
    wrong = Page(stranger.page.context, f"{server.url}/r/{room}#nonsense")
    wrong.locator("room-page [role=alert]").wait_for()
    invite = server.call("invite.create", {"room": room}, token)["path"]
    guest = Page(browser.new_context(), server.url + invite)
    guest.locator("room-stage h1", has_text="Behind the door").wait_for()
    guest.locator("room-stage[data-state=waiting]").wait_for()
    server.call("room.update", {"room": room, "waiting_room": True}, token)
    wrong.page.close()
    knocking = Page(browser.new_context(), f"{server.url}/r/{room}")
    knocking.locator("room-page h1", has_text="at the door").wait_for()
    waiting = eventually(lambda: server.call("room.waiting", {"room": room}, token)["users"], "somebody knocks")
    server.call("room.admit", {"room": room, "user": waiting[0]["user"]["uid"]}, token)
    knocking.locator("room-stage h1", has_text="Behind the door").wait_for()
    server.call("room.kick", {"room": room, "user": waiting[0]["user"]["uid"]}, token)
    knocking.locator("room-page [role=alert]", has_text="asked to leave").wait_for()
    server.call("room.close", {"room": room}, token)
    guest.locator("room-page [role=alert]", has_text="closed for good").wait_for()
    for tab in (stranger, guest, knocking):
        check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        tab.page.context.close()


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        hostile(browser, server, folder)
        talking(browser, server, folder)
        doors(browser, server)
        covers(browser, server, folder)
        return [told(titles(browser, server, folder))]
