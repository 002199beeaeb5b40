"""A member reports a room. Its owner keeps order in the page: mutes, gives a role, kicks, bans and lifts the ban, sets the room up, and closes it."""
from support import Page, check, chromium

ROW = "[...document.querySelectorAll('room-people .entry')].find(entry => entry.textContent.includes('%s'))"


def run(playwright, server, folder):
    owner, member = server.person("orla"), server.person("milo")
    room = server.call("room.create", {"title": "Order"}, owner["access_token"])["room"]["id"]
    with chromium(playwright) as browser:
        host = Page(browser.new_context(), f"{server.url}/sign-in")
        host.fill("input[name=email]", "orla@example.org")
        host.fill("input[name=password]", "a long password")
        host.keyboard.press("Enter")
        host.until("location.pathname === '/'", "the owner is signed in")
        host.goto(f"{server.url}/r/{room}")
        host.store().until("player.room?.isJoined", "the owner is in the room")
        other = Page(browser.new_context(), f"{server.url}/sign-in")
        other.fill("input[name=email]", "milo@example.org")
        other.fill("input[name=password]", "a long password")
        other.keyboard.press("Enter")
        other.until("location.pathname === '/'", "the member is signed in")
        other.goto(f"{server.url}/r/{room}")
        other.store().until("player.room?.isJoined", "the member is in the room")
        check(other.evaluate("document.querySelector('.room-actions button:nth-of-type(3)')?.hidden !== false"), "a listener sees the room's settings")

        host.click("[data-tab=people]")
        host.until(ROW % "milo", "the member is in the list")
        check(host.evaluate(f"!({ROW % 'orla'}).querySelector('button')"), "the owner may manage themself")
        other.click("[data-tab=people]")
        other.until(ROW % "orla", "the owner is in the list")
        check(other.evaluate("!document.querySelector('room-people [data-act^=manage], room-people [data-act$=bans], room-people [data-act$=invites]')"), "a listener may manage somebody")

        check(host.evaluate("[...document.querySelectorAll('.room-actions button')].find(button => button.textContent === 'Report').hidden"), "the owner may report their own room")
        other.click(".room-actions button:has-text('Report')")
        other.click("dialog label:has-text('rights')")
        # Six hundred letters of two bytes each are more than the server takes.
        other.fill("dialog textarea[name=text]", "ż" * 600)
        other.click("dialog button[type=submit]")
        other.locator("dialog .field .error", has_text="too long").wait_for()
        other.fill("dialog textarea[name=text]", "My song.")
        other.click("dialog button[type=submit]")
        other.until("!document.querySelector('dialog[open]')", "the report is sent")

        def act(words, sure=False):
            host.click("room-people button[data-act^=manage]")
            host.until("document.querySelector('dialog[open]')", "the dialog about the member")
            host.click(f"dialog button:has-text('{words}')")
            if sure:
                host.click("dialog .dialog-actions button.danger")
            host.until("!document.querySelector('dialog[open]')", f"{words} is done")

        act("Mute in chat")
        other.click("[data-tab=chat]")
        other.until("document.querySelector('room-chat').textContent.includes('muted')", "the member is told that they are muted")
        act("Unmute")
        other.until("!document.querySelector('room-chat').textContent.includes('muted')", "the mute is lifted")
        host.click("room-people button[data-act^=manage]")
        host.click("dialog label:has-text('Moderator')")
        host.until(f"({ROW % 'milo'})?.querySelector('.badge')", "the member is a moderator")
        host.keyboard.press("Escape")
        other.until("player.room.may('moderate')", "the moderator may moderate")
        act("Kick", sure=True)
        other.until("player.state === 'gone'", "the member is out")
        other.click("button:has-text('Try again')")
        other.until("player.room?.isJoined", "the member is back")
        host.until(ROW % "milo", "the member is in the list again")
        act("Ban", sure=True)
        other.until("player.state === 'gone'", "the member is banned")

        host.click(".room-actions button:has-text('Room settings')")
        host.click("dialog summary:has-text('Banned people')")
        host.until("[...document.querySelectorAll('dialog .entry')].some(entry => entry.textContent.includes('milo'))", "the ban is listed")
        host.click("dialog .entry button")
        host.until("document.querySelector('dialog').textContent.includes('Nobody is banned.')", "the ban is lifted")
        host.fill("dialog input[name=title]", "Good order")
        host.fill("dialog textarea[name=description]", "Be kind.")
        host.fill("dialog input[name=tags]", "quiet, late")
        host.click("dialog input[name=public]")
        host.click("dialog label:has-text('Members')")
        host.click("dialog button[type=submit]")
        host.until("!document.querySelector('dialog[open]')", "the settings are saved")
        now = server.call("room.get", {"room": room}, owner["access_token"])["room"]
        found = [now[key] for key in ("title", "description", "tags", "visibility", "chat")]
        check(found == ["Good order", "Be kind.", ["quiet", "late"], "private", "members"], f"{found}")
        host.click(".room-actions button:has-text('Room settings')")
        host.click("dialog button:has-text('Close the room for good')")
        host.click("dialog .dialog-actions button.danger")
        host.until("location.pathname === '/'", "the room is closed, and the owner is at home")
        check(not host.complaints and not other.complaints, f"{host.complaints} {other.complaints}")
        return ["report; mute, role, kick, ban, unban, settings and end, as the owner; none of it as a listener"]
