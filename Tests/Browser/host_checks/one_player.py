"""Who plays has one player: from listening to playing and back; and from "Start a room" by signing up to the host's page."""
from support import Page, check, chromium, eventually
from .desk import Desk, listener, wav

PLAYS = "[...document.querySelectorAll('.big-play, player-bar:not([hidden]) .primary')].filter(button => button.offsetParent).length"


def walk(browser, server):
    """A guest presses "Start a room", makes an account, and is where they wanted to be."""
    tab = Page(browser.new_context(), server.url)
    tab.get_by_role("link", name="Start a room").first.click()
    tab.until("location.pathname.startsWith('/sign-')", "asked who one is")
    if tab.evaluate("location.pathname") == "/sign-in":
        tab.locator("sign-in-page a[href^='/sign-up']").click()
    tab.wait_for_selector("sign-up-page form")
    tab.fill("input[name=username]", "walker")
    tab.fill("input[name=email]", "walker@example.org")
    tab.fill("input[name=password]", "a long password")
    tab.keyboard.press("Enter")
    tab.until("location.pathname === '/host'", "on the host's page")
    tab.wait_for_selector("host-setup .host-go")
    check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")


def run(playwright, server, folder):
    music = wav(folder / "music.wav", 440, 90)
    with chromium(playwright) as browser:
        walk(browser, server)
        desk = Desk(browser, server)
        room = desk.room(server, lead_ms=600)

        def listeners():
            return server.call("room.get", {"room": room}, desk.person["access_token"])["room"]["listeners"]

        def visit(path):
            desk.evaluate(f"history.pushState({{}}, '', '{path}'); dispatchEvent(new PopStateEvent('popstate', {{state: {{}}}}))")
        # Listening in the room first, as whoever wants to play there does.
        desk.goto(f"{server.url}/r/{room}")
        desk.store().until("player.room?.isJoined", "in the room")
        desk.click("room-stage .big-play")
        desk.get_by_role("link", name="Host here", exact=True).click()
        desk.evaluate("""async () => {
            const root = document.querySelector('script[type=module]').src;
            window.host = (await import(new URL('store/host.js', root))).host;
            window.trouble = [];
        }""")
        desk.until("document.querySelector('host-setup select[name=room]')", "the room is chosen")
        desk.add(music)
        check(desk.go() == room, "it goes live elsewhere")
        desk.until("player.room === null && document.querySelector('player-bar').hidden", "there is no player beside the host's")
        eventually(lambda: desk.wait_for_timeout(50) or listeners() == 0, "the host is no listener of their own")
        # The room's own page leads to the controls, by whatever name.
        for path in (f"/r/{room}", f"/r/@{desk.person['user']['username']}"):
            visit("/settings")
            desk.wait_for_selector("settings-page")
            visit(path)
            desk.wait_for_selector("host-stage .big-play")
            check(desk.evaluate("location.pathname") == "/host", f"{path} is at {desk.evaluate('location.pathname')}")
            check(desk.evaluate(PLAYS) == 1, f"there are {desk.evaluate(PLAYS)} buttons that play")
        check(desk.evaluate("player.room") is None and listeners() == 0, "the visit made a listener")
        tab = listener(browser, server, room)
        eventually(lambda: listeners() == 1, "a listener is counted")
        desk.locator(".host-listeners", has_text="1 listener").wait_for()
        # Its one meaning: for everybody.
        desk.click(".big-play")
        tab.until("player.state === 'paused'", "it pauses for everybody")
        desk.click(".big-play")
        tab.until("player.state === 'live'", "it goes on for everybody")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        visit(f"/r/{room}")
        desk.wait_for_selector("room-stage .big-play")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return []
