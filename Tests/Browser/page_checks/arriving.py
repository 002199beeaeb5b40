"""Guests become accounts, and accounts come back: each slip is named where it was made."""
from support import Page, check, chromium


def slip(tab, name):
    return tab.evaluate(f"document.querySelector('input[name={name}]').closest('.field').querySelector('.error').textContent")


def run(playwright, server, folder):
    server.person("paul")
    with chromium(playwright) as browser:
        context = browser.new_context()
        tab = Page(context, server.url + "/sign-up?from=%2Fsettings").store()
        tab.until("session.user", "a guest")
        guest = tab.evaluate("session.user.uid")
        tab.click("form button[type=submit]")
        tab.until("document.querySelector('[aria-invalid=true]')?.name === 'username'", "an empty form names its first field")
        check(tab.evaluate("document.activeElement.name") == "username", "the focus is not where the slip is")
        tab.fill("input[name=username]", "pau1")
        tab.until("document.querySelector('.availability .bad')", "a look-alike is said to be taken")
        tab.until("document.querySelectorAll('.availability .chip').length > 0", "free ones are offered")
        tab.fill("input[name=username]", "_")
        tab.fill("input[name=email]", "ada@example.org")
        tab.fill("input[name=password]", "long enough")
        tab.keyboard.press("Enter")
        check("3 to 24" in slip(tab, "username"), slip(tab, "username"))
        tab.fill("input[name=username]", "Paul")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('input[name=username]').getAttribute('aria-invalid')", "the server's refusal is shown")
        check("Choose another" in slip(tab, "username"), slip(tab, "username"))
        tab.fill("input[name=username]", "ada")
        tab.until("document.querySelector('.availability .good')", "it is free")
        for email in ("nobody", "paul@example.org"):
            tab.fill("input[name=email]", email)
            tab.focus("input[name=email]")
            tab.keyboard.press("Enter")
            tab.until("document.querySelector('input[name=email]').getAttribute('aria-invalid')", f"{email} is refused")
            check(slip(tab, "email"), "no words for it")
        tab.fill("input[name=email]", "ada@example.org")
        tab.fill("input[name=password]", "short")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('input[name=password]').getAttribute('aria-invalid')", "a short password is refused")
        tab.fill("input[name=password]", "long enough")
        tab.keyboard.press("Enter")
        tab.until("location.pathname === '/settings' && document.querySelector('settings-page')", "back to where one came from")
        check(tab.evaluate("session.user.uid") == guest, "the guest is somebody else now")
        check(tab.evaluate("session.user.username") == "ada", "no username")

        # Another tab of the same browser knows, and after the end of this one nobody does.
        other = Page(context, server.url + "/people")
        other.until("document.querySelector('people-page')", "signed in there, too")
        tab.goto(server.url + "/account")
        tab.get_by_role("button", name="Sign out", exact=True).click()
        tab.until("location.pathname === '/' && document.querySelector('a[href^=\"/sign-in\"]')", "signed out")
        other.until("document.querySelector('a[href^=\"/sign-in\"]')", "signed out there, too")
        tab.goto(server.url + "/profile")
        tab.until("location.pathname === '/sign-in' && document.querySelector('sign-in-page form')", "asked to sign in")
        for password, words in (("wrong one", "address or the password"), ("long enough", None)):
            tab.fill("input[name=email]", "ada@example.org")
            tab.fill("input[name=password]", password)
            tab.keyboard.press("Enter")
            if words:
                tab.until(f"document.querySelector('[role=alert]')?.textContent.includes('{words}')", "wrong is said to be wrong")
        tab.until("location.pathname === '/profile' && document.querySelector('profile-page form')", "signed in, where it was wanted")

        # By an invite, of which the address has the code behind `#`: in another tab as in the same one.
        owner = server.person()["access_token"]
        room = server.call("room.create", {"title": "Behind the door", "visibility": "private"}, owner)["room"]["id"]
        path = server.call("invite.create", {"room": room}, owner)["path"]
        for button in ("middle", "left"):
            guest = Page(browser.new_context(), server.url + path)
            guest.wait_for_selector("room-stage h1")
            asked = []
            guest.page.context.on("request", lambda request: asked.append(request.url))
            link = ".who a[href^='/sign-in']"
            if button == "middle":
                with guest.page.context.expect_page() as opened:
                    guest.click(link, button=button)
                elsewhere = opened.value
            else:
                guest.click(link)
                elsewhere = guest.page
            elsewhere.fill("input[name=email]", "ada@example.org")
            elsewhere.fill("input[name=password]", "long enough")
            elsewhere.keyboard.press("Enter")
            elsewhere.wait_for_selector("room-stage h1")
            check(elsewhere.url == server.url + path, f"signed in by a {button} click, one is at {elsewhere.url}")
            check(not any(path.split("#")[1] in url.split("#")[0] for url in asked), f"the code is sent to the server: {asked}")
            check(not guest.complaints, f"{guest.complaints}")
            guest.page.context.close()
        check(not tab.complaints and not other.complaints, f"{tab.complaints} {other.complaints}")
