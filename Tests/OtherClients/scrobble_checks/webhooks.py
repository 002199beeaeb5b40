"""webhooks.md: rooms that go live and end, submissions; signatures, tries, and who may say whom to tell."""
import hashlib, hmac, http.client, http.server, json, threading, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import account, check, equal, true

from scrobble_checks import stage
from scrobble_checks.services import Service
from scrobble_checks.stage import ask, code, sonactl, until


class Hook(Service):
    """Takes what it is told, and checks the signatures."""

    def __init__(self):
        self.secret, self.told, self.bad = None, [], []
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}/hook?x=1"

    def handle(self, method, path, headers, body):
        said = json.loads(body)
        if self.secret is not None:
            given = dict(part.split("=", 1) for part in headers["Sona-Signature"].split(","))
            wanted = hmac.new(self.secret.encode(), given["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
            good = hmac.compare_digest(wanted, given["v1"]) and abs(time.time() - int(given["t"])) < 60
            if not good or (headers["Sona-Event"], headers["Sona-Event-Id"]) != (said["event"], said["id"]) or (method, path) != ("POST", "/hook?x=1"):
                self.bad.append((path, dict(headers)))
        self.told.append(said)
        return 204, {}, b""


def live_room(token):
    """A room with a track to play by itself."""
    room = ask(token, "room.create", title="Night *shift*", visibility="public")["room"]["id"]
    fill(token, room)
    return room


def fill(token, room):
    ask(token, "queue.add", room=room, tracks=[{"track": {"title": "x"}, "source": stage.tracks(token)["Waltz"]}])


def stop(token, room):
    """Ends the broadcast, without what is left of the track."""
    ask(token, "autoplay.set", room=room, on=False)
    ask(token, "queue.next", room=room)


def upload(token):
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    link.request("PUT", "/v1/uploads/own.opus", (stage.MUSIC / "Jingle.opus").read_bytes(), {"Authorization": f"Bearer {token}"})
    answer = link.getresponse()
    body = json.loads(answer.read())
    equal(answer.status, 201, f"upload: {body}")
    return body["data"]["track"]["id"]


@check("webhooks of a room: it goes live and ends, signed; a test; over a kill of the server while nobody answers")
def _():
    ada, bob, hook, chat = account(), account()["access_token"], Hook(), Hook()
    token = ada["access_token"]
    try:
        room = live_room(token)
        equal(ask(token, "webhook.list", room=room), {"webhooks": []}, "at first")
        equal(code(bob, "webhook.add", room=room, url=hook.url), "room.forbidden", "of somebody else")
        equal(code(token, "webhook.add", url=hook.url), "auth.forbidden", "of all rooms")
        for given in ({"url": "ftp://example.org"}, {"url": "http://a:b@example.org/"}, {"url": hook.url, "events": ["submission.created"]},
                      {"url": hook.url, "events": []}, {"url": hook.url, "form": "letter"}):
            equal(code(token, "webhook.add", room=room, **given), "request.invalid", f"{given}")
        added = ask(token, "webhook.add", room=room, url=hook.url)
        hook.secret, one = added["secret"], added["webhook"]
        equal((one["room"], one["form"], one["events"], one["on"], one["answers"]), (room, "json", ["room.live", "room.ended"], True, []), "added")
        other = ask(token, "webhook.add", room=room, url=chat.url, form="discord", events=["room.live"])
        equal((other["secret"], other["webhook"]["events"]), ("", ["room.live"]), "Discord's form")
        for kind in ("webhook.test", "webhook.remove"):
            equal(code(bob, kind, id=one["id"]), "webhook.not_found", f"{kind} by somebody else")
        equal(code(bob, "webhook.update", id=one["id"], on=False), "webhook.not_found", "webhook.update by somebody else")
        equal(ask(token, "webhook.test", id=one["id"])["answer"]["status"], 204, "a test")
        equal([said["event"] for said in hook.told], ["test"], "the test")
        # Nobody answers while the room goes live, and the server is killed meanwhile.
        hook.answers = [(500, {"Retry-After": "15"}, b"")]
        ask(token, "autoplay.set", room=room, on=True)
        until(lambda: len(chat.told) == 1, "Discord is told")
        true(chat.told[0]["content"].startswith("🔴 **Night \\*shift\\*** by @" + ada["username"]), chat.told[0]["content"])
        equal(chat.told[0]["allowed_mentions"], {"parse": []}, "nobody is called")
        [state] = until(lambda: [each for each in ask(token, "webhook.list", room=room)["webhooks"] if each["next_ms"]], "the first try fails")
        equal((state["waiting"], state["answers"][0]["status"], len(hook.told)), (1, 500, 1), "after it")
        time.sleep(6)  # a broadcast is known after a kill once it is five seconds old
        stage.SERVER.kill()
        stage.SERVER.revive()
        true(ask(token, "webhook.list", room=room)["webhooks"][0]["waiting"] == 1 or len(hook.told) == 2, "it is lost")
        until(lambda: len(hook.told) == 2, "the second try", 20)
        said = hook.told[1]
        equal((said["event"], said["room"]["id"], said["room"]["title"], said["room"]["host"]), ("room.live", room, "Night *shift*", ada["username"]), "it")
        true(abs(said["at_ms"] / 1000 - time.time()) < 60, "when")
        until(lambda: ask(token, "room.get", room=room)["room"]["live"] and ask(token, "playback.get", room=room)["playback"]["state"] == 1, "it plays again")
        stop(token, room)
        until(lambda: len(hook.told) == 3, "it ends", 20)
        equal((hook.told[2]["event"], set(hook.told[2]["audience"])), ("room.ended", {"from_ms", "until_ms", "accounts", "guests", "peak"}), "the end")
        equal((hook.bad, len({said["id"] for said in hook.told}), len(chat.told)), ([], 3, 1), "signatures, identifiers, and what the other is told")
        until(lambda: ask(token, "webhook.list", room=room)["webhooks"][0]["delivered"] == 2, "both are noted")
        state = ask(token, "webhook.list", room=room)["webhooks"][0]
        equal((state["waiting"], state["delivered"], state["dropped"], [each["status"] for each in state["answers"]]), (0, 2, 0, [204, 204, 500, 204]), "the list")
        # 410: nobody wants it any more.
        ask(token, "webhook.remove", id=other["webhook"]["id"])
        hook.answers = [(410, {}, b"")]
        fill(token, room)
        ask(token, "autoplay.set", room=room, on=True)
        until(lambda: not ask(token, "webhook.list", room=room)["webhooks"][0]["on"], "it is switched off", 10)
        equal(ask(token, "webhook.update", id=one["id"], on=True)["webhook"]["on"], True, "and on again")
        until(lambda: len(hook.told) == 4, "what waited goes")
        stop(token, room)
        for number in range(4):
            ask(token, "webhook.add", room=room, url=f"https://example.org/{number}")
        equal(code(token, "webhook.add", room=room, url="https://example.org/5"), "webhook.limit_reached", "a sixth")
    finally:
        hook.stop(), chat.stop()


@check("webhooks of the server, by sonactl: public rooms, no private ones, and submissions")
def _():
    name = helpers.some_name()
    stage.SERVER.operator("user", "create", "--role", "admin", "--email", f"{name}@example.org", "--username", name, "--password-file", "-", typed=helpers.PASSWORD + "\n")
    admin = ask(None, "auth.sign_in", email=f"{name}@example.org", password=helpers.PASSWORD)["access_token"]
    ada, hook = account()["access_token"], Hook()
    try:
        status, out, err = sonactl(admin, "webhooks", "add", hook.url)
        equal(status, 0, f"add: {err}")
        number, hook.secret = out.split()
        equal(sonactl(admin, "webhooks", "test", number)[:2], (0, "204\n"), "test")
        room = live_room(ada)
        private = ask(ada, "room.create", title="Secret", visibility="private")["room"]["id"]
        ask(ada, "queue.add", room=private, tracks=[{"track": {"title": "x"}, "source": stage.tracks(ada)["Jingle"]}])
        ask(ada, "autoplay.set", room=private, on=True)
        ask(ada, "autoplay.set", room=room, on=True)
        until(lambda: len(hook.told) == 2, "the public room")
        track = upload(ada)
        ask(ada, "track.submit", track=track)
        until(lambda: len(hook.told) == 3, "the submission")
        equal([said["event"] for said in hook.told], ["test", "room.live", "submission.created"], "what is told")
        equal((hook.told[1]["room"]["id"], hook.told[2]["submission"]["track"], hook.told[2]["submission"]["title"]), (room, track, "Jingle"), "about what")
        listed = sonactl(admin, "webhooks", "list")[1].split()
        equal(listed[:5], [number, "on", "json", "0", "waiting"], "list")
        equal(sonactl(ada, "webhooks", "list")[0], 77, "by somebody else")
        equal((sonactl(admin, "webhooks", "off", number)[0], sonactl(admin, "webhooks", "remove", number)[0], sonactl(admin, "webhooks", "list")[1]), (0, 0, ""), "off, removed")
        equal(hook.bad, [], "signatures")
    finally:
        for each in (room, private):
            ask(ada, "autoplay.set", room=each, on=False)
        hook.stop()
