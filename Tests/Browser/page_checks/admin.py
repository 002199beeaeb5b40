"""An administrator decides reports, bans and lifts, gives roles, takes down, reads the journal; whoever is none is refused, and asks for nothing."""
import subprocess

from support import Fault, Page, check, chromium, eventually
from .belonging import sign_in


def operator(server, *arguments):
    """The operator's `sona`, on the server's own data."""
    done = subprocess.run([server.programs / "sona", *arguments, "--data", server.folder / "data"], capture_output=True, text=True)
    check(done.returncode == 0, f"sona {arguments}: {done.stderr}")


def asked(tab):
    """The types of the requests that a tab sends from now on."""
    types = []
    tab.page.on("websocket", lambda line: line.on("framesent", lambda text: types.append(text) if isinstance(text, str) else None))
    return types


def refused(browser, server):
    """An account without the role sees that the pages are not for it, and its tab asks for nothing of them."""
    tab = sign_in(browser, server, "ned@example.org", "/people")
    types = asked(tab)
    check(tab.evaluate("!document.querySelector('.nav a[href=\"/admin\"]')"), "an account without the role has the link")
    for path in ("/admin", "/admin/reports", "/admin/users", "/admin/journal"):
        found = tab.goto(server.url + path)
        check(found.status == 200, f"{path}: {found.status}")
        tab.until("document.querySelector('admin-page [role=alert]')", f"{path} is refused")
        check(tab.evaluate("!document.querySelector('admin-page nav, admin-page .admin-part')"), f"{path} shows something")
    check(types and not any(word in text for text in types for word in ('"reports.', '"users.', '"addresses.', '"journal.')), f"{types}")
    check(not tab.complaints, f"{tab.complaints}")
    stranger = Page(browser.new_context(), server.url + "/admin/users")
    stranger.until("location.pathname === '/sign-in'", "a guest has to sign in")


def go(tab, part):
    tab.click(f".admin-nav a[href='/admin/{part}']")
    tab.until(f"document.querySelector('admin-{part}') && !document.querySelector('admin-{part} [role=status]')?.textContent.includes('moment')", part)


def reports(tab, server, admin, room, message):
    tab.until("document.querySelectorAll('.admin-report').length === 3", "three reports are open")
    tab.until("document.querySelector('.nav .count')?.textContent === '3'", "their number is at the link")
    first = tab.locator(".admin-report", has_text="Buy cheap watches")
    check("The same all evening." in first.inner_text() and "Spam" in first.inner_text(), first.inner_text())
    first.get_by_role("button", name="Take down", exact=True).click()
    tab.get_by_role("dialog").get_by_role("button", name="Take down", exact=True).click()
    tab.until("!document.querySelector('dialog')", "taken down")
    said = server.call("chat.history", {"room": room}, admin["access_token"])["messages"]
    check(said[-1]["id"] == message and said[-1]["deleted"], f"{said}")
    first.get_by_role("button", name="Mark as decided", exact=True).click()
    tab.until("document.querySelector('dialog input[name=note]').value.includes('The message')", "the note says what was done")
    tab.fill("dialog input[name=note]", "Taken down: advertising")
    tab.keyboard.press("Enter")
    tab.until("document.querySelectorAll('.admin-report').length === 2", "it is open no more")
    tab.until("document.querySelector('.nav .count')?.textContent === '2'", "the number follows")
    tab.click(".pick:has-text('Decided')")
    tab.until("document.querySelector('.admin-report')?.textContent.includes('Taken down: advertising')", "it is among the decided, with its note")
    check(tab.evaluate("!document.querySelector('.admin-report button')"), "what is decided can be decided again")
    # Somebody else was faster.
    tab.click(".pick:has-text('Open')")
    tab.until("document.querySelectorAll('.admin-report').length === 2", "the open ones")
    tab.locator(".admin-report", has_text="Rude.").get_by_role("button", name="Mark as decided", exact=True).click()
    rude = next(one for one in server.call("reports.list", {"open": True}, admin["access_token"])["reports"] if one["text"] == "Rude.")
    server.call("reports.resolve", {"id": rude["id"]}, admin["access_token"])
    tab.get_by_role("dialog").get_by_role("button", name="Mark as decided", exact=True).click()
    tab.until("document.querySelector('dialog [role=alert]').textContent.includes('already')", "it is said that it was decided before")
    tab.keyboard.press("Escape")


def paged(tab, server, teller):
    """The last report of a page is decided: the next page comes."""
    for text in ("Older", "Newer"):
        server.call("report.send", {"kind": "other", "user": "@ned", "text": text} if text == "Older" else {"kind": "other", "user": "@boss", "text": text}, teller["access_token"])
    tab.store()
    tab.evaluate("""() => {
        const {request} = session;
        session.request = (type, data, ...rest) => request.call(session, type, type === 'reports.list' ? {...data, limit: 1} : data, ...rest);
    }""")
    go(tab, "users")
    go(tab, "reports")
    tab.until("document.querySelectorAll('.admin-report').length === 1 && document.querySelector('.admin-report').textContent.includes('Newer')", "one report is a page")
    tab.get_by_role("button", name="Mark as decided", exact=True).click()
    tab.get_by_role("dialog").get_by_role("button", name="Mark as decided", exact=True).click()
    tab.until("document.querySelector('.admin-report')?.textContent.includes('Older')", "the next page comes")
    check("no such" not in tab.inner_text("admin-reports"), "the list is said to be empty")
    tab.reload()
    tab.until("document.querySelector('.admin-report')", "the reports")


def users(tab, server, admin):
    go(tab, "users")
    tab.fill("admin-users input[type=search]", "@spa")
    tab.until("document.querySelectorAll('admin-users .entry').length === 1", "found by the beginning of a name")
    manage = tab.locator("admin-users .entry button")

    def found():
        return server.call("users.list", {"query": "spammy"}, admin["access_token"])["users"][0]
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Ban account", exact=True).click()
    tab.click("dialog .pick:has-text('A day')")
    tab.fill("dialog input[name=reason]", "Advertising")
    tab.get_by_role("dialog").get_by_role("button", name="Ban account", exact=True).click()
    tab.until("document.querySelector('admin-users .admin-banned')", "the row says it")
    ban = found()["ban"]
    check(ban["reason"] == "Advertising" and ban["until_ms"], f"{ban}")
    try:
        server.call("auth.sign_in", {"email": "spammy@example.org", "password": "a long password"})
        raise AssertionError("a banned account signs in")
    except Fault as fault:
        check("auth.banned" in str(fault), f"{fault}")
    tab.click("admin-users .pick:has-text('Banned')")
    tab.until("document.querySelectorAll('admin-users .entry').length === 1", "among the banned")
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Lift the ban", exact=True).click()
    tab.until("!document.querySelector('admin-users .admin-banned')", "lifted")
    check(found()["ban"] is None, f"{found()}")
    tab.click("admin-users .pick:has-text('Everyone')")
    tab.until("document.querySelectorAll('admin-users .entry').length === 1", "everybody again")
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Make administrator", exact=True).click()
    tab.until("document.querySelector('admin-users .entry .badge')?.textContent === 'Administrator'", "an administrator")
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Remove as administrator", exact=True).click()
    tab.until("!document.querySelector('admin-users .entry .badge')", "no administrator any more")
    check(found()["role"] == "user", f"{found()}")
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Make curator", exact=True).click()
    tab.until("document.querySelector('admin-users .entry .badge')?.textContent === 'Curator'", "a curator")
    check(found()["role"] == "curator", f"{found()}")
    manage.click()
    tab.get_by_role("dialog").get_by_role("button", name="Remove as curator", exact=True).click()
    tab.until("!document.querySelector('admin-users .entry .badge')", "no curator any more")
    check(found()["role"] == "user", f"{found()}")
    # Nobody can act on their own account.
    tab.fill("admin-users input[type=search]", "boss")
    tab.until("document.querySelector('admin-users .entry')?.textContent.includes('@boss')", "oneself")
    manage.click()
    check(tab.get_by_role("dialog").get_by_role("button", name="Ban account", exact=True).count() == 0, "one may ban oneself")
    tab.keyboard.press("Escape")


def bans(tab, server, admin):
    go(tab, "bans")
    tab.get_by_role("button", name="Ban an address", exact=True).click()
    tab.fill("dialog input[name=range]", "not an address")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('dialog input[name=range]').ariaInvalid === 'true' || document.querySelector('dialog input[name=range]').getAttribute('aria-invalid') === 'true'",
              "the field is at fault")
    tab.fill("dialog input[name=range]", "203.0.113.77/24")
    tab.click("dialog .pick:has-text('Until lifted')")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('admin-bans [data-range=\"203.0.113.0/24\"]')", "listed in its one form")
    check([one["range"] for one in server.call("addresses.list", {}, admin["access_token"])["bans"]] == ["203.0.113.0/24"], "the server has it")
    tab.locator("admin-bans .entry button").click()
    tab.locator("dialog .dialog-actions button.primary").click()
    tab.until("!document.querySelector('admin-bans .entry')", "lifted")
    check(server.call("addresses.list", {}, admin["access_token"])["bans"] == [], "the server has it still")


def content(tab, server, spammer, hidden):
    """A private room, which no list has, goes by its link; a profile by its name."""
    go(tab, "content")
    tab.get_by_role("button", name="Take down", exact=True).click()
    tab.until("document.querySelector('admin-content input[name=room]').getAttribute('aria-invalid') === 'true'", "a room has to be named")
    tab.fill("admin-content input[name=room]", f"{server.url}/r/{hidden}")
    tab.get_by_role("button", name="Take down", exact=True).click()
    tab.locator("dialog .dialog-actions button.danger").click()

    def gone():
        try:
            server.call("room.get", {"room": hidden}, spammer["access_token"])
        except Fault as fault:
            return "room.closed" in str(fault)
    eventually(gone, "the private room is gone")
    tab.until("document.querySelector('admin-content input[name=room]').value === ''", "the form is empty again")
    server.call("profile.update", {"display_name": "Cheap watches", "public": True}, spammer["access_token"])
    tab.click("admin-content .pick:has-text('profile') >> nth=0")
    tab.fill("admin-content input[name=user]", "@spammy")
    tab.get_by_role("button", name="Take down", exact=True).click()
    tab.locator("dialog .dialog-actions button.danger").click()
    eventually(lambda: server.call("user.me", {}, spammer["access_token"])["profile"]["display_name"] is None, "the profile is empty")


def rooms(tab, room):
    go(tab, "rooms")
    row = tab.locator(f"admin-rooms [data-room='{room}']")
    row.get_by_role("button", name="Listening quality", exact=True).click()
    tab.until("document.querySelector('dialog')?.textContent.includes('0 devices')", "how it is heard")
    tab.keyboard.press("Escape")
    row.get_by_role("button", name="Take down", exact=True).click()
    tab.click("dialog .pick:has-text('name and description')")
    tab.locator("dialog button[type=submit]").click()
    tab.until(f"document.querySelector('admin-rooms [data-room=\"{room}\"]')?.textContent.includes('A room')", "the row has the name of now")
    row.get_by_role("button", name="Take down", exact=True).click()
    tab.locator("dialog button[type=submit]").click()
    tab.until(f"!document.querySelector('admin-rooms [data-room=\"{room}\"]')", "the room is gone")


def plans(tab, server, admin):
    """A plan is made, changed, given to an account, and removed."""
    go(tab, "plans")
    tab.click("admin-plans [data-act=new]")
    tab.fill("dialog input[name=name]", "band")
    tab.fill("dialog input[name=rooms]", "1001")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('dialog input[name=rooms]').getAttribute('aria-invalid') === 'true'", "more rooms than the protocol has")
    tab.fill("dialog input[name=rooms]", "20")
    tab.fill("dialog input[name=storage_bytes]", "1.5")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('admin-plans [data-plan=band]')?.textContent.includes('20 rooms')", "listed with its limits")
    made = server.call("plans.list", {}, admin["access_token"])["plans"]
    check([(one["name"], one["rooms"], one["storage_bytes"], one["bit_rate"]) for one in made] == [("band", 20, 3 << 29, None)], f"{made}")
    tab.get_by_role("button", name="Change band").click()
    check(tab.input_value("dialog input[name=storage_bytes]") == "1.5", "what there is stands in the form")
    tab.fill("dialog input[name=storage_bytes]", "")
    tab.click("dialog button[type=submit]")
    tab.until("!document.querySelector('admin-plans [data-plan=band]').textContent.includes('GiB')", "a limit is taken away")
    tab.fill("admin-plans input[name=user]", "@ned")
    tab.click("admin-plans .pick:has-text('band')")
    tab.get_by_role("button", name="Give it", exact=True).click()
    tab.until("document.querySelector('admin-plans [data-plan=band]').textContent.includes('1 account')", "somebody has it")
    tab.get_by_role("button", name="Remove band").click()
    tab.locator("dialog .dialog-actions button.primary, dialog .dialog-actions button.danger").click()
    tab.until("document.querySelector('admin-plans [role=status]').textContent.includes('no plan')", "none is left")


def journal(tab):
    go(tab, "journal")
    tab.until("document.querySelectorAll('admin-journal .entry').length > 5", "lines")
    tab.fill("admin-journal input[name=kind]", "banned")
    tab.keyboard.press("Enter")
    tab.until("[...document.querySelectorAll('admin-journal .entry strong')].map(one => one.textContent).join() === 'banned'", "only bans")
    tab.get_by_role("button", name="Check the journal", exact=True).click()
    tab.until("document.querySelector('admin-journal .notice.ok')", "it is intact")


def run(playwright, server, folder):
    admin, spammer, teller = server.person("boss"), server.person("spammy"), server.person("teller")
    server.person("ned")
    operator(server, "user", "set-role", "@boss", "admin")
    # Other stories may have reported something, too.
    for report in server.call("reports.list", {"open": True, "limit": 100}, admin["access_token"])["reports"]:
        server.call("reports.resolve", {"id": report["id"]}, admin["access_token"])
    room = server.call("room.create", {"title": "Cheap room", "description": "Watches."}, spammer["access_token"])["room"]["id"]
    hidden = server.call("room.create", {"title": "Back room", "visibility": "private"}, spammer["access_token"])["room"]["id"]
    message = server.call("chat.send", {"room": room, "text": "Buy cheap watches"}, spammer["access_token"])["message"]["id"]
    for report in ({"kind": "spam", "room": room, "message": message, "text": "The same all evening."}, {"kind": "rights", "room": room},
                   {"kind": "abuse", "user": "@spammy", "text": "Rude."}):
        server.call("report.send", report, teller["access_token"])
    with chromium(playwright) as browser:
        refused(browser, server)
        tab = sign_in(browser, server, "boss@example.org", "/admin")
        tab.until("document.title.startsWith('Reports')", "the first part")
        reports(tab, server, admin, room, message)
        paged(tab, server, teller)
        users(tab, server, admin)
        bans(tab, server, admin)
        spammer = server.call("auth.sign_in", {"email": "spammy@example.org", "password": "a long password"})
        content(tab, server, spammer, hidden)
        rooms(tab, room)
        plans(tab, server, admin)
        journal(tab)
        go(tab, "server")
        tab.until("document.querySelector('[data-fact=registration]')?.textContent.includes('Everyone can sign up')", "what the server says of itself")
        # Who loses the role loses the pages, too, with the next thing they ask for.
        server.person("second")
        operator(server, "user", "set-role", "@second", "admin")
        operator(server, "user", "set-role", "@boss", "user")
        tab.click(".admin-nav a[href='/admin/users']")
        tab.until("document.querySelector('admin-page [role=alert]') && !document.querySelector('admin-page nav')", "the pages are gone")
        tab.until("!document.querySelector('.nav a[href=\"/admin\"]')", "the link is gone")
        check(not tab.complaints, f"{tab.complaints}")
    return ["reports, users, address bans, take-downs, rooms, plans, journal and server; nothing of it without the role"]
