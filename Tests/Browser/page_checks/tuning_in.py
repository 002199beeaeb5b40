"""Other players: the addresses of a room in the dialog, which play; its speakers; the key of its source, made, shown once, revoked."""
import http.client
from urllib.parse import urlsplit

from support import Server, check, chromium, eventually
from .asking import accessible
from .belonging import sign_in

OWN_SERVER = True


def run(playwright, server, folder):
    with Server(server.programs, "--icecast-listen", "127.0.0.1:0", "--snapcast-listen", "127.0.0.1:0") as own, chromium(playwright) as browser:
        ada = own.person("ada")["access_token"]
        room = own.call("room.create", {"title": "Night shift", "visibility": "private"}, ada)["room"]["id"]
        tab = sign_in(browser, own, "ada@example.org", "/people")
        tab.goto(f"{own.url}/r/{room}")
        tab.get_by_role("button", name="Share").first.click()
        tab.click("dialog [data-act=players]")
        tab.locator("dialog", has_text="Listen in another player").wait_for()
        address = tab.locator("dialog input[aria-label='Ogg Opus']").input_value()
        check(address.startswith(f"{own.url}/listen/{room}.opus?t="), address)
        check(tab.locator("dialog .notice").count() == 1, "that it is signed")
        at = urlsplit(address)
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
        link.request("GET", f"{at.path}?{at.query}")
        answer = link.getresponse()
        check((answer.status, answer.read(4)) == (200, b"OggS"), f"{answer.status}")
        link.close()
        accessible(tab)
        made = lambda: own.call("source.get", {"room": room}, ada)["source"]["key_made_ms"]
        check(made() is None, "no key yet")
        tab.click("dialog [data-act=make-key]")
        key = tab.locator("dialog input[aria-label='Password']")
        key.wait_for()
        check(len(key.input_value()) == 24 and made() is not None, "a key")
        check(tab.locator("dialog input[aria-label='Mount']").input_value() == f"/{room}", "the mount")
        accessible(tab)
        tab.click("dialog [data-act=revoke-key]")
        eventually(lambda: made() is None, "it is revoked")
        key.wait_for(state="detached")
        speakers = lambda: own.call("speaker.list", {"room": room}, ada)["speakers"]
        tab.fill("dialog input[name=speaker]", "kitchen")
        tab.click("dialog [data-act=assign-speaker]")
        tab.locator("dialog [data-speaker=kitchen]").wait_for()
        check([one["id"] for one in speakers()] == ["kitchen"], "the speaker")
        accessible(tab)
        tab.get_by_label("Volume of kitchen").fill("40")
        eventually(lambda: speakers()[0]["volume"] == 40, "its volume")
        tab.get_by_label("Mute kitchen").check()
        eventually(lambda: speakers()[0]["muted"], "it is silent")
        tab.get_by_label("By how many ms kitchen plays earlier").fill("35")
        tab.get_by_label("By how many ms kitchen plays earlier").press("Tab")
        eventually(lambda: speakers()[0]["latency_ms"] == 35, "its latency")
        tab.get_by_role("button", name="Forget kitchen").click()
        tab.get_by_role("button", name="Forget", exact=True).click()
        eventually(lambda: speakers() == [], "it is forgotten")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
