"""Rooms of a new account are private until it says otherwise; one switch makes all of them public, and the list of one's rooms leads everywhere."""
from support import Page, check, chromium, eventually


#: The second room that is to become public fails, once.
FAILS = """() => {
    const {request} = session;
    let count = 0;
    session.request = (type, data, ...rest) => {
        if (type !== 'room.update' || ++count < 2) return request.call(session, type, data, ...rest);
        session.request = request;
        return Promise.reject(Object.assign(new Error('fails'), {code: 'server.internal'}));
    };
}"""


def visibilities(server, token):
    return {room["title"]: room["visibility"] for room in server.call("room.list", {"mine": True}, token)["rooms"]}


def switch(tab, where, sure=None):
    """Presses the switch; `sure` answers the question that follows."""
    tab.click(f"{where} input[name=public]")
    if sure is not None:
        tab.locator(f"dialog .dialog-actions button.{'primary' if sure else 'quiet'}").click()
        tab.until("!document.querySelector('dialog')", "answered")


def make(tab, title):
    tab.get_by_role("button", name="New room", exact=True).click()
    tab.fill("dialog input[name=title]", title)
    tab.keyboard.press("Enter")
    tab.until(f"[...document.querySelectorAll('.own-room h2')].some(one => one.textContent === '{title}')", f"{title} is listed")


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        tab = Page(browser.new_context(), server.url + "/sign-up")
        for name, value in (("username", "rosa"), ("email", "rosa@example.org"), ("password", "a long password")):
            tab.fill(f"input[name={name}]", value)
        tab.click("main button[type=submit]")
        tab.until("location.pathname === '/' && document.querySelector('.home-mine input')", "home, with the switch")
        token = server.call("auth.sign_in", {"email": "rosa@example.org", "password": "a long password"})["access_token"]
        eventually(lambda: server.call("user.me", {}, token)["settings"]["visibility"] == "private", "rooms begin private")
        tab.until("!document.querySelector('.home-mine input').checked && document.querySelector('.home-mine').textContent.includes('Only people you invite')",
                  "the switch is off, and says what that means")
        tab.click(".home-mine a[href='/rooms']")
        tab.until("document.querySelector('rooms-page .own-rooms')?.textContent.includes('no room yet')", "no room yet")
        make(tab, "Kitchen")
        make(tab, "Attic")
        check(visibilities(server, token) == {"Kitchen": "private", "Attic": "private"}, f"{visibilities(server, token)}")
        stranger = server.call("room.search", {"query": "kitchen"}, server.person()["access_token"])
        check(stranger["rooms"] == [], "a private room is found")

        # A question whose answer is no changes nothing.
        switch(tab, "rooms-page", sure=False)
        tab.until("!document.querySelector('rooms-page input[name=public]').checked", "off again")
        check(set(visibilities(server, token).values()) == {"private"}, "no was taken for yes")
        # A room that cannot be made public: the ones before it are private again, and so is what new ones begin with.
        tab.store()
        tab.evaluate(FAILS)
        switch(tab, "rooms-page", sure=True)
        tab.until("document.querySelector('.toast') && !document.querySelector('rooms-page input[name=public]').checked", "the failure is told")
        eventually(lambda: set(visibilities(server, token).values()) == {"private"}, "the room that was changed is private again")
        tab.until("document.activeElement.name === 'public'", "the switch has the focus")
        switch(tab, "rooms-page", sure=True)
        eventually(lambda: set(visibilities(server, token).values()) == {"public"}, "both are public")
        tab.until("document.activeElement.name === 'public'", "the switch keeps the focus")
        tab.until("[...document.querySelectorAll('.own-room .badge')].filter(one => one.textContent === 'Public').length === 2", "the list says so")
        check(server.call("user.me", {}, token)["settings"]["visibility"] == "public", "new rooms are not")
        make(tab, "Garden")
        check(visibilities(server, token)["Garden"] == "public", "a room that was made after it is private")

        # One room by itself, in its settings.
        tab.locator(".own-room", has_text="Attic").get_by_role("button", name="Room settings").click()
        tab.locator("dialog input[name=public]").click()
        tab.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
        tab.until("document.querySelector('.public-switch').textContent.includes('1 of your rooms is private')", "the one that differs is told")
        check(tab.locator(".own-room", has_text="Attic").get_by_role("link", name="Go live in Attic", exact=True).get_attribute("href").startswith("/host?room="),
              "no way to going live")
        tab.click(".wordmark")
        tab.until("document.querySelector('.home-mine input')?.checked && document.querySelector('.home-mine .badge')?.textContent === '3'", "home says the same")
        switch(tab, ".home-mine", sure=True)
        eventually(lambda: set(visibilities(server, token).values()) == {"private"}, "all are private")
        tab.until("!document.querySelector('.home-mine input').checked", "off")

        # A room that is closed leaves the list.
        tab.click(".home-mine a[href='/rooms']")
        tab.locator(".own-room", has_text="Attic").get_by_role("button", name="Room settings").click()
        tab.get_by_role("dialog").get_by_role("button", name="Close the room for good", exact=True).click()
        tab.locator("dialog .dialog-actions button.danger").click()
        tab.until("document.querySelectorAll('.own-room').length === 2", "closed")
        check(not tab.complaints, f"{tab.complaints}")
        for room in server.call("room.list", {"mine": True}, token)["rooms"]:
            server.call("room.close", {"room": room["id"]}, token)
    return ["private at first; one switch for all rooms, asked before it changes any; a list with settings and the way to going live"]
