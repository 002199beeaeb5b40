"""Services that get what is heard, connected in the settings; and webhooks of a room, from the list of one's rooms."""
import http.server, json, threading

from axe_playwright_python.sync_playwright import Axe

from support import Server, check, chromium, eventually
from .belonging import sign_in
from .playing import RULES

OWN_SERVER = True


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """ListenBrainz for the token `good`, and a webhook."""
    told = []

    def do_GET(self):
        good = self.headers.get("Authorization") == "Token good"
        self.answer(200, {"code": 200, "valid": good} | ({"user_name": "ada at home"} if good else {}))

    def do_POST(self):
        self.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(200, {"status": "ok"})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def accessible(tab):
    tab.page.wait_for_timeout(400)
    found = [fault["id"] for fault in Axe().run(tab.page, options=RULES).response["violations"]]
    check(not found, f"axe finds {found}")


def run(playwright, server, folder):
    there = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=there.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{there.server_address[1]}/apis/listenbrainz"
    try:
        with Server(server.programs, "--private-services") as own, chromium(playwright) as browser:
            ada = own.person("ada")["access_token"]
            tab = sign_in(browser, own, "ada@example.org", "/settings")
            tab.get_by_role("button", name="Connect ListenBrainz").click()
            accessible(tab)
            tab.fill("dialog input[name=token]", "bad")
            tab.fill("dialog input[name=address]", address)
            tab.click("dialog button[type=submit]")
            tab.locator("dialog", has_text="does not accept this token").wait_for()
            tab.fill("dialog input[name=token]", "good")
            tab.click("dialog button[type=submit]")
            tab.locator("settings-page", has_text="ada at home").wait_for()
            [one] = own.call("scrobble.list", {}, ada)["connections"]
            check((one["address"], one["state"]) == (address, "active"), f"{one}")
            accessible(tab)
            tab.get_by_role("button", name="Disconnect ListenBrainz").click()
            tab.locator("dialog").get_by_role("button", name="Disconnect", exact=True).click()
            eventually(lambda: not own.call("scrobble.list", {}, ada)["connections"], "it is disconnected")

            room = own.call("room.create", {"title": "Night shift", "visibility": "public"}, ada)["room"]["id"]
            tab.goto(f"{own.url}/rooms")
            tab.click(f"[data-act='webhooks-{room}']")
            tab.locator("dialog", has_text="There are none yet").wait_for()
            tab.fill("dialog input[name=url]", address + "/hook")
            tab.click("dialog button[type=submit]")
            tab.locator("dialog code").wait_for()
            [hook] = own.call("webhook.list", {"room": room}, ada)["webhooks"]
            check((hook["url"], hook["events"]) == (address + "/hook", ["room.live", "room.ended"]), f"{hook}")
            accessible(tab)
            tab.get_by_role("button", name="Send a test").click()
            eventually(lambda: [said["event"] for said in Elsewhere.told] == ["test"], "the test")
            tab.locator("dialog", has_text="Last answer: 200").wait_for()
            tab.get_by_role("button", name="Switch off").click()
            tab.locator("dialog", has_text="Switched off").wait_for()
            check(not tab.complaints or all("422" in str(said) for said in tab.complaints), f"the page complains: {tab.complaints[:3]}")
    finally:
        there.shutdown()
        there.server_close()
