"""From the first page to a message in a room's chat, with the keyboard alone."""
from support import Page, check, chromium

TABS_MAX = 60


def tab_to(tab, selector):
    """Presses Tab until the focus is on what the selector names; each stop has to be seen."""
    for _ in range(TABS_MAX):
        tab.keyboard.press("Tab")
        if tab.evaluate("selector => document.activeElement.matches(selector)", selector):
            box = tab.evaluate("""() => { const focused = document.activeElement;
                const visible = [focused, focused.closest('.pick, .room-card')].filter(Boolean);
                const outlined = visible.some(element => [element, ...element.querySelectorAll('*')].some(part =>
                    ['', '::after'].some(pseudo => parseFloat(getComputedStyle(part, pseudo || null).outlineWidth) >= 2
                        && getComputedStyle(part, pseudo || null).outlineStyle !== 'none')));
                const {width, height} = focused.getBoundingClientRect(); return {outlined, width, height}; }""")
            check(box["outlined"], f"the focus on {selector} is not seen")
            check(box["width"] >= 24 and box["height"] >= 24 or selector.startswith(".room-link"), f"{selector} is {box}")
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def coming_and_going(browser, tab, server):
    """The focus stays on somebody while others come and go; and the chat can be read back to where it was cut off."""
    tab.click("player-bar a.about")
    tab.click("[data-tab=people]")
    tab.until("document.querySelector('room-people a[data-act]')", "oneself among the people")
    tab.focus("room-people a[data-act]")
    before = tab.evaluate("document.activeElement.dataset.act")
    Page(browser.new_context(), f"{server.url}/r/{tab.evaluate('player.room.id')}")
    tab.until("document.querySelectorAll('room-people .list li').length > 1", "somebody comes")
    check(tab.evaluate("document.activeElement.dataset.act") == before, "the focus is lost when somebody comes")

    tab.evaluate("""() => {
        const {room} = player, first = room.chat.at(-1);
        for (let id = first.id + 1; id <= first.id + 600; id += 1) {
            const message = {...first, id};
            session.dispatchEvent(new CustomEvent('message', {detail: {type: 'chat.message', room: room.id, data: {message}}}));
        }
    }""")
    check(tab.evaluate("player.room.chat.length < 600 && player.room.chatBefore === player.room.chat[0].id"), "what is gone cannot be asked for")


def run(playwright, server, folder):
    host = server.person("kora")["access_token"]
    server.call("room.create", {"title": "Late night", "visibility": "public"}, host)
    with chromium(playwright) as browser:
        tab = Page(browser, server.url + "/").store()
        tab.until("document.querySelector('.room-link')", "a room is shown")
        tab.keyboard.press("Tab")
        check(tab.evaluate("document.activeElement.classList.contains('skip')"), "the first stop is not the way past navigation")
        tab.keyboard.press("Enter")
        check(tab.evaluate("document.activeElement.id") == "main", "the skip link leads nowhere")
        tab.keyboard.press("?")
        tab.until("document.querySelector('dialog[open] kbd')", "the keys are shown")
        tab.keyboard.press("Escape")
        tab.until("!document.querySelector('dialog')", "Escape closes it")
        check(tab.evaluate("document.activeElement.id") == "main", "the focus is not given back")
        tab.evaluate("document.activeElement.blur()")
        tab_to(tab, ".who a[href^='/sign-up']")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('sign-up-page form')", "the page for signing up")
        check(tab.evaluate("document.activeElement.tagName") == "H1", "the new page's heading does not have the focus")
        for name, text in (("username", "kurt"), ("email", "kurt@example.org"), ("password", "long enough")):
            tab_to(tab, f"input[name={name}]")
            tab.keyboard.type(text)
        tab.keyboard.press("Enter")
        tab.until("session.user?.username === 'kurt' && location.pathname === '/'", "signed up")
        tab.until("document.querySelector('.room-link')", "the rooms")
        tab_to(tab, ".room-link")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('room-page .big-play')", "the room's page")
        tab_to(tab, "room-chat textarea")
        tab.keyboard.type("hello, everybody")
        tab.keyboard.press("Enter")
        tab.until("[...document.querySelectorAll('room-chat .chat-log li')].some(row => row.textContent.includes('hello, everybody'))", "the message is in the room")
        check(tab.evaluate("document.activeElement.matches('room-chat textarea')"), "the focus has left what one writes in")
        tab.keyboard.press("Escape")
        tab.keyboard.press("/")
        tab.until("document.activeElement.matches('search-page input[type=search]')", "/ leads to the search")
        tab.until("!document.querySelector('.player-bar').hidden", "the room goes along")
        # Messages are within reach while a dialog is open.
        tab.evaluate("document.activeElement.blur()")
        tab.keyboard.press("?")
        tab.until("document.querySelector('dialog:modal')", "a dialog")
        tab.evaluate("""async () => (await import(new URL('shell/toasts.js', document.querySelector('script[type=module]').src))).toast('Saved')""")
        tab.click(".toast button")
        tab.until("!document.querySelector('.toast')", "the message goes")
        tab.keyboard.press("Escape")
        tab.until("!document.querySelector('dialog') && document.querySelector('body > .toasts')", "the place for messages is left over")

        # Keys of one character can be switched off.
        tab.click(".nav a[href='/settings']")
        tab.uncheck("input[name=keys]")
        tab.evaluate("document.activeElement.blur()")
        tab.keyboard.press("?")
        tab.keyboard.press("/")
        check(not tab.evaluate("Boolean(document.querySelector('dialog')) || location.pathname !== '/settings'"), "a key that is off does something")
        tab.check("input[name=keys]")
        tab.evaluate("document.activeElement.blur()")
        tab.keyboard.press("?")
        tab.until("document.querySelector('dialog:modal')", "switched on again")
        tab.keyboard.press("Escape")
        coming_and_going(browser, tab, server)
        check(not tab.complaints, f"{tab.complaints}")
