"""Beside the controls: what listeners say and feel, who would like to play until they have an answer, and an offer that goes once it was taken."""
from support import check, chromium, eventually
from .desk import Desk, listener, wav


def run(playwright, server, folder):
    music = wav(folder / "music.wav", 440, 120)
    with chromium(playwright) as browser:
        desk = Desk(browser, server, viewport={"width": 1366, "height": 900})
        room = desk.room(server, lead_ms=600)
        desk.open(room)
        desk.add(music)
        desk.go()
        other = Desk(browser, server)
        other.goto(f"{server.url}/r/{room}")
        other.wait_for_selector("room-stage")
        name = other.person["user"]["username"]

        def say(page, text):
            page.fill("room-chat textarea", text)
            page.keyboard.press("Enter")
        # Both ways.
        say(other, "What is this?")
        desk.locator("host-talk .chat-text", has_text="What is this?").wait_for()
        say(desk, "A tone.")
        other.locator(".chat-text", has_text="A tone.").wait_for()
        other.locator(".reaction").first.click()
        desk.locator("host-stage .sky span").first.wait_for(state="attached")
        desk.locator("host-talk .reaction").nth(1).click()
        other.locator(".sky span", has_text="👏").first.wait_for(state="attached")
        check(not desk.locator("host-parts").is_visible(), "parts are offered where all have room")
        # On a phone: one part at a time, and what nobody has looked at is counted.
        desk.set_viewport_size({"width": 360, "height": 740})
        desk.locator("host-parts").wait_for()
        check(desk.locator("host-stage").is_visible() and not desk.locator("host-talk").is_visible(), "more than the player is shown")
        for text in ("First", "Second"):
            say(other, text)
            other.locator(".chat-text", has_text=text).wait_for()
        desk.locator("host-parts .count", has_text="2").wait_for()
        check(desk.get_by_role("button", name="Chat, unread: 2", exact=True).count() == 1, "the count is not read out")
        desk.click("host-parts [data-part=chat]")
        desk.locator("host-talk .chat-text", has_text="Second").wait_for()
        check(not desk.locator("host-stage").is_visible(), "the player is still shown")
        desk.until("document.querySelector('host-parts .count').hidden", "what was looked at is not counted")
        say(other, "Third")
        desk.locator("host-talk .chat-text", has_text="Third").wait_for()
        check(not desk.locator("host-parts .count").is_visible(), "what is seen is counted")
        desk.click("host-parts [data-part=room]")
        desk.locator("host-room").wait_for()
        # Somebody asks for the seat: it stays until it is answered, on every part of the page, however many messages come.
        other.get_by_role("button", name="Ask to play", exact=True).click()
        asks = desk.locator("host-requests [data-asks]")
        asks.wait_for()
        check(f"{name} wants to host" in asks.inner_text(), asks.inner_text())
        desk.wait_for_timeout(13_000)
        check(asks.is_visible(), "it is gone without an answer")
        desk.get_by_role("button", name=f"Not now: {name}", exact=True).click()
        asks.wait_for(state="detached")
        # On another page a message says it, and goes when the list has it answered.
        desk.evaluate("history.pushState({}, '', '/settings'); dispatchEvent(new PopStateEvent('popstate', {state: {}}))")
        desk.wait_for_selector("settings-page")
        message = desk.locator(".toast", has_text="wants to host")
        eventually(lambda: (other.wait_for_timeout(500), other.get_by_role("button", name="Ask to play", exact=True).click(),
                            other.wait_for_timeout(500), message.count() == 1)[-1], "a message says it elsewhere")
        desk.evaluate("history.back()")
        asks.wait_for()
        desk.get_by_role("button", name=f"Not now: {name}", exact=True).click()
        message.wait_for(state="detached")
        # Asked again, and handed over; the notice of the offer goes once it was taken, however that is done.
        eventually(lambda: (other.wait_for_timeout(500), other.get_by_role("button", name="Ask to play", exact=True).click(),
                            other.wait_for_timeout(500), asks.count() == 1)[-1], "it can be asked again")
        desk.get_by_role("button", name=f"Hand over to {name}", exact=True).click()
        asks.wait_for(state="detached")
        check(desk.locator(".toast", has_text="wants to host").count() == 0, "the message stays though it was answered")
        offer = other.locator(".toast", has_text="asks you to take over as host")
        offer.wait_for()
        other.evaluate("history.pushState({}, '', '/host?room=' + arguments)".replace("arguments", f"'{room}'"))
        other.evaluate("dispatchEvent(new PopStateEvent('popstate', {state: {}}))")
        other.wait_for_selector("host-setup select[name=room]")
        other.evaluate("""async () => {
            const root = document.querySelector('script[type=module]').src;
            window.host = (await import(new URL('store/host.js', root))).host;
            window.trouble = [];
        }""")
        other.add(music)
        check(offer.count() == 1, "the offer is not shown any more")
        other.go()
        offer.wait_for(state="detached")
        desk.until("host.state === 'ended' && host.reason === 'handed_over'", "the seat was handed over")
        check(not other.evaluate("host.followsQueue"), "who may not control the queue follows it")
        check("Votes and suggestions don’t change what plays" in other.inner_text("host-page"), "the page does not say that the queue is not played")
        tab = listener(browser, server, room)
        tab.click("[data-tab=queue]")
        tab.locator("room-queue > .notice", has_text="play from the queue").wait_for()
        for page in (desk, other, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return []
