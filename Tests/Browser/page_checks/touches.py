"""Small things: titles say where one is, links are mended, what the line says moves nothing, and messages cover no button of a dialog."""
from support import Page, check, chromium, eventually
from .belonging import sign_in

#: Buttons of the open dialog that a message covers.
COVERED = """() => {
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom, toasts = [...document.querySelectorAll('.toast')];
    const seen = document.querySelector('dialog .dialog-body').parentElement.getBoundingClientRect();
    return [...document.querySelectorAll('dialog .dialog-body button, dialog .dialog-body label')].filter(one => {
        const box = one.getBoundingClientRect();
        return box.bottom > seen.top && box.top < seen.bottom && toasts.some(toast => over(toast.getBoundingClientRect(), {left: box.left, right: box.right, top: Math.max(box.top, seen.top), bottom: Math.min(box.bottom, seen.bottom)}));
    }).map(one => one.textContent);
}"""


def titles(browser, server):
    tab = Page(browser.new_context(), server.url + "/sign-in")
    tab.get_by_role("button", name="Forgot password?", exact=True).click()
    tab.until("document.title.startsWith('A new password') && document.querySelector('h1').textContent === 'A new password'", "the title says what is asked for")
    tab.get_by_role("button", name="Back", exact=True).click()
    tab.until("document.title.startsWith('Sign in')", "the title of before")


def mended(tab, server, person):
    tab.goto(server.url + "/profile")
    tab.get_by_role("button", name="Add a link", exact=True).click()
    tab.fill(".link-url", "example.org:8080/me")
    tab.get_by_role("button", name="Save", exact=True).click()
    eventually(lambda: server.call("user.me", {}, person["access_token"])["profile"].get("links") == [{"url": "https://example.org:8080/me"}], "a link gets its scheme")
    tab.until("document.querySelector('.link-url').value === 'https://example.org:8080/me'", "the form shows it")
    for wrong in ("javascript:alert(1)", "mailto:me@example.org"):
        tab.fill(".link-url", wrong)
        tab.get_by_role("button", name="Save", exact=True).click()
        tab.until("document.querySelector('profile-page [role=alert]').textContent.includes('http')", f"{wrong} is refused")


def unmoved(tab, server):
    """The line to the server is cut: the page says so, and nothing of it moves."""
    tab.goto(server.url + "/settings")
    tab.until("document.querySelector('settings-page section')", "a page")
    tab.store()
    before = tab.evaluate("document.querySelector('main').getBoundingClientRect().top")
    tab.context.set_offline(True)
    tab.evaluate("dispatchEvent(new Event('offline'))")
    tab.until("document.querySelector('.line-state p')", "it says that there is no connection")
    after = tab.evaluate("document.querySelector('main').getBoundingClientRect().top")
    tab.context.set_offline(False)
    check(before == after, f"the page moved by {after - before} px")


def uncovered(tab, server, room):
    """A message that comes while a dialog is open, on a phone."""
    tab.set_viewport_size({"width": 360, "height": 640})
    tab.goto(f"{server.url}/r/{room}")
    tab.until("document.querySelector('room-page .big-play')", "the room")
    tab.evaluate("async () => { window.toasts = await import(new URL('shell/toasts.js', document.querySelector('script[type=module]').src)); }")
    for opener in ("Share", "Room settings", "Report"):
        button = tab.locator(".room-actions").get_by_role("button", name=opener, exact=True)
        if not button.is_visible():
            continue
        button.click()
        tab.until("document.querySelector('dialog[open]')", opener)
        tab.evaluate("void toasts.toast('A message of two lines, as they are told when something did not work out as one wanted.', {kind: 'error'})")
        tab.until("document.querySelector('dialog .toast')", "the message")
        for place in (0, 100_000):
            tab.evaluate(f"document.querySelector('dialog').scrollTop = {place}")
            covered = tab.evaluate(COVERED)
            check(not covered, f"{opener}: the message covers {covered}")
        tab.keyboard.press("Escape")
        tab.until("!document.querySelector('dialog[open]')", f"{opener} is closed")
    tab.set_viewport_size({"width": 1280, "height": 800})


def run(playwright, server, folder):
    person = server.person("toni")
    room = server.call("room.create", {"title": "Small things"}, person["access_token"])["room"]["id"]
    with chromium(playwright) as browser:
        titles(browser, server)
        tab = sign_in(browser, server, "toni@example.org", "/people")
        mended(tab, server, person)
        uncovered(tab, server, room)
        complaints = list(tab.complaints)
        unmoved(tab, server)
        check(not complaints, f"{complaints}")
        # Where the ground's light ends before the edge there is no other colour beside it.
        check(tab.evaluate("getComputedStyle(document.body, '::before').content === 'none' && getComputedStyle(document.documentElement).backgroundImage.startsWith('radial-gradient')"),
              "the light of the page is not on the root")
        check("emoji" in tab.evaluate("getComputedStyle(document.body).fontFamily").lower(), "no family for emoji")
    return ["titles, links, the line's words, messages and dialogs"]
