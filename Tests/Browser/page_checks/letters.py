"""Links of mails lead to where they do what they say, once, and leave no code behind in the address."""
import subprocess

from support import Fault, Page, check, chromium


def run(playwright, server, folder):
    lena = server.person("lena")
    made = subprocess.run([server.programs / "sona", "user", "recovery-link", "@lena", "--data", server.folder / "data"],
                          capture_output=True, text=True, timeout=30, check=True)
    code = made.stdout.strip().rsplit("#", 1)[-1]
    check(len(code) > 20, f"no code: {made.stdout}")
    with chromium(playwright) as browser:
        # Somebody else is signed in where the link is opened.
        server.person("leon")
        tab = Page(browser.new_context(), server.url + "/sign-in")
        tab.fill("input[name=email]", "leon@example.org")
        tab.fill("input[name=password]", "a long password")
        tab.keyboard.press("Enter")
        tab.until("location.pathname === '/'", "signed in as somebody else")
        tab.goto(f"{server.url}/account/recover#{code}")
        tab.until("document.querySelector('recover-page form')", "a new password can be chosen")
        check(tab.evaluate("location.hash") == "", "the code stays in the address")
        tab.fill("input[name=password]", "short")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('[aria-invalid=true]')", "a short password is refused, and the code is still good")
        tab.fill("input[name=password]", "a new long password")
        tab.keyboard.press("Enter")
        tab.store()
        tab.until("session.user?.username === 'lena'", "signed in with the new password")
        check(not server_knows(server, lena["access_token"]), "the sign-in of before goes on")

        for path, words in ((f"/account/recover#{code}", "used already"), ("/account/confirm#wrong", "used already")):
            tab.goto("about:blank")
            tab.goto(server.url + path)
            tab.until("document.querySelector('main form')", path)
            if "recover" in path:
                tab.fill("input[name=password]", "yet another password")
            tab.click("main form button[type=submit]")
            tab.until(f"document.querySelector('[role=alert]')?.textContent.includes('{words}')", f"{path}: it says why not, and what to do")
        for path in ("/account/recover", "/account/confirm"):
            tab.goto(server.url + path)
            tab.until("document.querySelector('main .notice.warn')", f"{path} without a code says what is missing")
        invited(browser, server, lena_again(server))
        # Browsers put every refusal over HTTP on their console.
        complaints = [line for line in tab.complaints if "422" not in line]
        check(not complaints, f"{complaints}")


def lena_again(server):
    return server.call("auth.sign_in", {"email": "lena@example.org", "password": "a new long password"})["access_token"]


def invited(browser, server, token):
    """An invite's code is not told to the server by signing in, and is still there afterwards."""
    room = server.call("room.create", {"title": "Late night"}, token)["room"]["id"]
    path = server.call("invite.create", {"room": room}, token)["path"]
    tab = Page(browser.new_context(), server.url + path).store()
    tab.until("player.room?.isJoined", "in by the invite")
    tab.click(".who a[href^='/sign-in']")
    tab.until("document.querySelector('sign-in-page form')", "the page for signing in")
    check(path.rsplit("#", 1)[-1] not in tab.evaluate("decodeURIComponent(location.pathname + location.search)"), "the code is in what the server is asked for")
    tab.fill("input[name=email]", "leon@example.org")
    tab.fill("input[name=password]", "a long password")
    tab.keyboard.press("Enter")
    tab.until(f"location.pathname + location.hash === '{path}'", "back with the code")
    check(not tab.complaints, f"{tab.complaints}")


def server_knows(server, token):
    try:
        return server.call("user.me", {}, token)
    except Fault:
        return None
