"""A room passes to another owner who accepts it; an administrator moves one without asking; words are kept out of what people write; guests are reported."""
from support import Fault, Page, check, chromium, eventually
from .admin import operator
from .belonging import sign_in


def owner_of(server, room, token):
    return server.call("room.get", {"room": room}, token)["room"]["owner"]["username"]


def settings(tab, title):
    tab.locator(".own-room", has_text=title).get_by_role("button", name="Room settings").click()
    tab.click("dialog summary:has-text('Hand the room over')")


def offered(browser, server, room, hal, ida):
    """Offered, taken back, offered again, declined, and at last accepted."""
    giver, taker = (sign_in(browser, server, f"{name}@example.org", "/rooms") for name in ("hal", "ida"))
    settings(giver, "Heirloom")
    giver.fill("dialog .hand-over input[name=user]", "nobody_at_all")
    giver.get_by_role("button", name="Offer the room", exact=True).click()
    giver.until("document.querySelector('dialog .hand-over [role=alert]').textContent", "somebody unknown is refused")

    def offer():
        giver.fill("dialog .hand-over input[name=user]", "@ida")
        giver.get_by_role("button", name="Offer the room", exact=True).click()
        giver.until("document.querySelector('dialog .hand-over').textContent.includes('Offered to @ida')", "it is offered")
    offer()
    taker.until("document.querySelector('[data-offer]')?.textContent.includes('@hal') && document.querySelector('.toast')?.textContent.includes('Heirloom')",
                "who is offered a room is told at once")
    giver.get_by_role("button", name="Take the offer back", exact=True).click()
    taker.until("!document.querySelector('[data-offer]')", "taken back")
    offer()
    taker.get_by_role("button", name="Decline", exact=True).click()
    taker.until("!document.querySelector('[data-offer]')", "declined")
    check(owner_of(server, room, hal["access_token"]) == "hal", "the room has passed all the same")
    giver.keyboard.press("Escape")
    settings(giver, "Heirloom")
    offer()
    giver.keyboard.press("Escape")
    giver.until("document.querySelector('.own-room').textContent.includes('Offered to @ida')", "the list says so")
    taker.get_by_role("button", name="Accept", exact=True).click()
    taker.until("document.querySelector('.own-room h2')?.textContent === 'Heirloom'", "it is theirs")
    giver.until("![...document.querySelectorAll('.own-room h2')].some(one => one.textContent === 'Heirloom')", "and of the giver's no more")
    check(owner_of(server, room, ida["access_token"]) == "ida", "the room has the owner of before")
    check(not giver.complaints and not taker.complaints, f"{giver.complaints} {taker.complaints}")


def moved(boss, server, room, ida):
    boss.goto(server.url + "/admin/rooms")
    boss.locator(f"admin-rooms [data-room='{room}']").get_by_role("button", name="Move", exact=True).click()
    boss.fill("dialog input[name=user]", "@hal")
    boss.get_by_role("dialog").get_by_role("button", name="Move", exact=True).click()
    boss.until(f"document.querySelector('admin-rooms [data-room=\"{room}\"]').textContent.includes('@hal')", "the list has the new owner")
    check(owner_of(server, room, ida["access_token"]) == "hal", "it was not moved")


def words(boss, server, room, hal):
    boss.click(".admin-nav a[href='/admin/words']")
    for word, action in (("watches*", "It is refused"), ("cheap", "The word is masked"), ("odd", "It is reported")):
        boss.fill("admin-words input[name=word]", word)
        boss.locator("admin-words .pick", has_text=action).click()
        boss.get_by_role("button", name="Add", exact=True).click()
        boss.until(f"document.querySelector('admin-words [data-word=\"{word}\"]')", f"{word} is listed")
    try:
        server.call("chat.send", {"room": room, "text": "Buy WATCHES"}, hal["access_token"])
        raise AssertionError("a word that is refused was taken")
    except Fault as fault:
        check("content.refused" in str(fault), f"{fault}")
    said = server.call("chat.send", {"room": room, "text": "So cheap"}, hal["access_token"])["message"]["text"]
    check(said == "So *****", said)
    server.call("chat.send", {"room": room, "text": "An odd one"}, hal["access_token"])
    boss.click(".admin-nav a[href='/admin/reports']")
    boss.until("[...document.querySelectorAll('.admin-report')].some(one => one.textContent.includes('An odd one') && one.textContent.includes('the word filter'))", "the inbox has it")
    boss.click(".admin-nav a[href='/admin/words']")
    boss.get_by_role("button", name="Remove: watches*", exact=True).click()
    boss.locator("dialog .dialog-actions button.primary").click()
    boss.until("!document.querySelector('admin-words [data-word=\"watches*\"]')", "removed")
    server.call("chat.send", {"room": room, "text": "Buy WATCHES"}, hal["access_token"])
    for word in ("cheap", "odd"):  # What comes after this story says what it likes.
        boss.get_by_role("button", name=f"Remove: {word}", exact=True).click()
        boss.locator("dialog .dialog-actions button.primary").click()
        boss.until(f"!document.querySelector('admin-words [data-word=\"{word}\"]')", "removed")


def guests(browser, boss, server, room):
    """A guest who never wrote anything is reported from the list of people, and found in the inbox."""
    guest = Page(browser.new_context(), f"{server.url}/r/{room}").store()
    guest.until("player.room?.isJoined", "a guest is in the room")
    uid = guest.evaluate("session.user.uid")
    tab = sign_in(browser, server, "ida@example.org", "/people")
    tab.goto(f"{server.url}/r/{room}")
    tab.until("document.querySelector('[data-tab=people]')", "in the room")
    tab.click("[data-tab=people]")
    tab.locator(f"room-people [data-act='report-{uid}']").click()
    tab.fill("dialog textarea[name=text]", "Listens strangely.")
    tab.locator("dialog button[type=submit]").last.click()
    tab.until("document.querySelector('.toast')", "sent")
    boss.goto(server.url + "/admin/reports")
    boss.until("[...document.querySelectorAll('.admin-report')].some(one => one.textContent.includes('Listens strangely.') && one.textContent.includes('Guest'))", "the inbox has the guest")


def run(playwright, server, folder):
    hal, ida = server.person("hal"), server.person("ida")
    server.person("chief")
    operator(server, "user", "set-role", "@chief", "admin")
    room = server.call("room.create", {"title": "Heirloom"}, hal["access_token"])["room"]["id"]
    with chromium(playwright) as browser:
        offered(browser, server, room, hal, ida)
        boss = sign_in(browser, server, "chief@example.org", "/admin")
        moved(boss, server, room, ida)
        words(boss, server, room, hal)
        guests(browser, boss, server, room)
        check(not boss.complaints, f"{boss.complaints}")
    return ["a room that is handed over and one that is moved; words refused, masked and reported; a guest reported"]
