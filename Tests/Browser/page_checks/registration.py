"""Signing up by invite and after approval: the link fills the code in, who waits is told so, and an administrator decides in the page."""
import signal, subprocess

from support import Page, Server, check, chromium, eventually

SIGN_UP = (("username", "{0}"), ("email", "{0}@example.org"), ("password", "a long password"))


def sign_up(browser, own, name, path="/sign-up", **more):
    tab = Page(browser.new_context(permissions=["clipboard-read", "clipboard-write"]), own.url + path)
    tab.until("document.querySelector('sign-up-page input[name=invite]')", "the form asks for an invite")
    for field, value in [*SIGN_UP, *more.items()]:
        tab.fill(f"sign-up-page [name={field}]", value.format(name))
    return tab


def submit(tab):
    tab.click("sign-up-page form button[type=submit]")


def sign_in(tab, own, name):
    tab.goto(own.url + "/sign-in")
    tab.fill("input[name=email]", f"{name}@example.org")
    tab.fill("input[name=password]", "a long password")
    tab.keyboard.press("Enter")


def by_invite(browser, own, boss):
    tab = sign_up(browser, own, "ines")
    submit(tab)
    tab.until("document.querySelector('sign-up-page .field:has([name=invite]) .error').textContent", "the code is asked for")
    tab.fill("sign-up-page input[name=invite]", "not a code")
    submit(tab)
    tab.until("document.querySelector('sign-up-page .field:has([name=invite]) .error').textContent.includes('not valid')", "a wrong code is refused at its field")

    boss.click(".admin-nav a[href='/admin/registration']")
    boss.get_by_role("button", name="Make an invite", exact=True).click()
    boss.fill("dialog input[name=note]", "For Ines")
    boss.get_by_role("dialog").get_by_role("button", name="Make an invite", exact=True).click()
    boss.until("document.querySelector('[data-invite]')?.textContent.includes('For Ines')", "the invite is listed")
    code = boss.evaluate("document.querySelector('[data-invite] strong').textContent")
    check(boss.evaluate("navigator.clipboard.readText()") == f"{own.url}/sign-up?invite={code}", "the link is not copied")
    tab = sign_up(browser, own, "ines", f"/sign-up?invite={code}")
    check(tab.evaluate("document.querySelector('[name=invite]').value") == code, "the link does not fill the code in")
    submit(tab)
    tab.until("location.pathname === '/' && document.querySelector('.who-link')?.textContent.includes('@ines')", "signed up")
    other = sign_up(browser, own, "ivan", f"/sign-up?invite={code}")
    submit(other)
    other.until("document.querySelector('sign-up-page .field:has([name=invite]) .error').textContent.includes('as often')", "it was for one account")
    boss.click(".admin-nav a[href='/admin/users']")
    boss.click(".admin-nav a[href='/admin/registration']")
    boss.until("document.querySelector('[data-invite] .badge')?.textContent === 'Used up' && !document.querySelector('[data-invite] button')", "the list says so")


def by_approval(browser, own, boss):
    tab = sign_up(browser, own, "olek", introduction="Ola’s brother.")
    submit(tab)
    tab.until("document.title.startsWith('Your account waits') && !document.querySelector('sign-up-page form')", "who waits is told so")
    check(tab.evaluate("document.activeElement.tagName") == "H1", "the focus is not at the news")
    sign_in(tab, own, "olek")
    tab.until("document.querySelector('[role=alert]')?.textContent.includes('waiting')", "signing in tells it, too")
    second = sign_up(browser, own, "spam")
    submit(second)
    second.until("document.title.startsWith('Your account waits')", "the second waits")
    boss.evaluate("dispatchEvent(new Event('sona-reports'))")
    boss.until("document.querySelector('.nav .count')?.textContent === '2'", "how many wait is at the link")
    boss.click(".admin-nav a[href='/admin/users']")
    boss.click(".admin-nav a[href='/admin/registration']")
    boss.until("document.querySelectorAll('admin-registration [data-user]').length === 2", "both wait")
    check("Ola’s brother." in boss.locator("admin-registration [data-user]", has_text="@olek").inner_text(), "what they wrote is not there")
    # A second press does nothing while the first is under way.
    boss.get_by_role("button", name="Approve: @olek", exact=True).dblclick()
    boss.until("document.querySelectorAll('admin-registration [data-user]').length === 1", "approved")
    boss.get_by_role("button", name="Reject: @spam", exact=True).click()
    boss.fill("dialog input[name=reason]", "We do not know you.")
    boss.get_by_role("dialog").get_by_role("button", name="Reject", exact=True).click()
    boss.until("!document.querySelector('admin-registration [data-user]') && !document.querySelector('.nav .count')", "nobody waits")
    sign_in(tab, own, "olek")
    tab.until("location.pathname === '/' && document.querySelector('.who-link')?.textContent.includes('@olek')", "approved, one comes in")
    sign_in(second, own, "spam")
    second.until("document.querySelector('[role=alert]')?.textContent.includes('We do not know you.')", "rejected, one is told why")
    third = sign_up(browser, own, "late", introduction="Hello")
    check(third.locator("[name=introduction]").is_visible(), "no place to say who one is")
    third.fill("[name=invite]", "abc")
    third.locator("[name=introduction]").wait_for(state="hidden")
    for one in (tab, second, third):
        check(not one.complaints, f"{one.complaints}")


def run(playwright, server, folder):
    file = folder / "sona.conf"
    file.write_text("registration = open\n")
    with Server(server.programs, "--config", file) as own, chromium(playwright) as browser:
        def say(text):
            file.write_text(text)
            own.process.send_signal(signal.SIGHUP)

        own.person("boss")
        subprocess.run([own.programs / "sona", "user", "set-role", "@boss", "admin", "--data", own.folder / "data"], check=True, capture_output=True)
        boss = Page(browser.new_context(permissions=["clipboard-read", "clipboard-write"]), own.url + "/sign-in?from=%2Fadmin")
        boss.fill("input[name=email]", "boss@example.org")
        boss.fill("input[name=password]", "a long password")
        boss.keyboard.press("Enter")
        boss.until("document.querySelector('.admin-nav')", "the administrator")
        say("registration = invite\n")
        eventually(lambda: own.call("server.info")["registration"] == "invite", "by invite")
        by_invite(browser, own, boss)
        say("registration = approval\n")
        eventually(lambda: own.call("server.info")["registration"] == "approval", "after approval")
        by_approval(browser, own, boss)
        boss.click(".admin-nav a[href='/admin/server']")
        boss.until("document.querySelector('[data-fact=registration]')?.textContent.includes('approves')", "the server's page says it")
        check(not boss.complaints, f"{boss.complaints}")
    return ["invites: made, copied, used, used up, wrong; approval: waiting, approved, rejected with a reason"]
