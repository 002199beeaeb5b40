"""An app gets a password at the account's page, signs in with it, and is signed out again."""
import json, urllib.parse, urllib.request

from axe_playwright_python.sync_playwright import Axe

from support import check, chromium
from .belonging import sign_in
from .playing import RULES


def answer(server, user, password):
    """What an app is answered: `ok`, or the number of the error."""
    query = urllib.parse.urlencode({"u": user, "p": password, "f": "json", "c": "Player", "v": "1.16.1"})
    with urllib.request.urlopen(f"{server.url}/rest/ping.view?{query}", timeout=10) as reply:
        told = json.load(reply)["subsonic-response"]
    return told["error"]["code"] if told["status"] == "failed" else "ok"


def accessible(tab):
    """A dialog is not what it will be while it fades in."""
    tab.page.wait_for_timeout(400)
    found = [fault["id"] for fault in Axe().run(tab.page, options=RULES).response["violations"]]
    check(not found, f"axe finds {found}")


def run(playwright, server, folder):
    server.person("apple")
    with chromium(playwright) as browser:
        tab = sign_in(browser, server, "apple@example.org", "/people")
        tab.goto(server.url + "/account")
        apps = tab.locator("section.card", has_text="OpenSubsonic")
        apps.get_by_text("No app has a password yet.").wait_for()
        apps.locator("input[name=app]").fill("Phone <b>")
        apps.locator("button[type=submit]").click()
        tab.locator("dialog .app-password").wait_for()
        shown = tab.evaluate("[...document.querySelectorAll('dialog .app-password input')].map(({value}) => value)")
        check(shown[:2] == [server.url, "apple"] and len(shown[2]) == 23, f"{shown}")
        accessible(tab)
        tab.keyboard.press("Escape")
        apps.locator("li", has_text="Phone <b>").get_by_text("Never used").wait_for()
        check(answer(server, "apple", shown[2]) == "ok", "the app is not let in")
        check(answer(server, "apple", "a long password") == 40, "the account's own password lets an app in")
        # Nobody waits for the note of it.
        tab.page.wait_for_timeout(300)
        tab.goto(server.url + "/account")
        tab.locator("li", has_text="Last used").get_by_text("Player").wait_for()
        accessible(tab)
        tab.locator("li", has_text="Phone <b>").get_by_role("button").click()
        tab.locator("dialog button.danger").click()
        tab.get_by_text("No app has a password yet.").wait_for()
        check(answer(server, "apple", shown[2]) == 40, "the app is let in after that")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
