"""Connecting services, what is kept of them, and addresses that the server does not go to."""
import json

from protocol_checks.helpers import account, check, equal, rpc, true

from room_checks.server import MortalServer
from scrobble_checks import stage
from scrobble_checks.services import ListenBrainz, Service
from scrobble_checks.stage import ask, code, sonactl


@check("ListenBrainz: a token that the service takes is kept and never told; another is refused, and so is what is no such service")
def _():
    ada, bob = account(), account()
    token, service = ada["access_token"], ListenBrainz({"good-token": "ada at home"})
    try:
        equal(ask(token, "scrobble.list"), {"connections": [], "services": ["listenbrainz", "lastfm"]}, "at first")
        equal(code(token, "scrobble.connect", service="listenbrainz", address=service.url, token="bad"), "service.refused", "a bad token")
        equal(code(token, "scrobble.connect", service="listenbrainz", address=service.url.removesuffix("/apis/listenbrainz"), token="good-token"),
              "service.unreachable", "without the path")
        for form in (service.url, service.url + "/", service.url + "/1", service.url + "/1/"):
            made = ask(token, "scrobble.connect", service="listenbrainz", address=form, token="good-token")["connection"]
            equal((made["service"], made["address"], made["name"], made["state"], made["waiting"], made["sent"], made["error"]),
                  ("listenbrainz", service.url, "ada at home", "active", 0, 0, None), form)
        listed = ask(token, "scrobble.list")["connections"]
        equal([one["id"] for one in listed], [made["id"]], "one connection for each service and address")
        equal(ask(bob["access_token"], "scrobble.list")["connections"], [], "nobody else's")
        equal(code(bob["access_token"], "scrobble.disconnect", id=made["id"]), "scrobble.not_found", "of somebody else")
        exported = ask(token, "account.export")
        true("good-token" not in json.dumps(exported), "the export has the token")
        equal([one["address"] for one in exported["export"]["scrobbling"]], [service.url], "in the export")
        for file in stage.SERVER.data.rglob("*"):
            true(not file.is_file() or b"good-token" not in file.read_bytes(), f"the token is in {file}")
        for number in range(4):
            other = ListenBrainz({"t": "x"}, path=f"/p{number}")
            ask(token, "scrobble.connect", service="listenbrainz", address=other.url, token="t")
            other.stop()
        equal(code(token, "scrobble.connect", service="listenbrainz", address="http://127.0.0.1:9/x", token="t"), "service.unreachable", "nobody there")
        sixth = ListenBrainz({"t": "x"})
        equal(code(token, "scrobble.connect", service="listenbrainz", address=sixth.url, token="t"), "scrobble.limit_reached", "a sixth")
        sixth.stop()
        ask(token, "scrobble.disconnect", id=made["id"])
        equal(code(token, "scrobble.disconnect", id=made["id"]), "scrobble.not_found", "twice")
        guest = rpc("auth.guest", {})[1]
        if guest.get("type") == "ok":
            equal(code(guest["data"]["access_token"], "scrobble.list"), "auth.account_required", "a guest")
        for given in ({"service": "listenbrainz"}, {"service": "cassette", "token": "t"}, {"service": "listenbrainz", "token": ""},
                      {"service": "listenbrainz", "token": "t", "address": "ftp://example.org"},
                      {"service": "listenbrainz", "token": "t", "address": "http://ada:secret@127.0.0.1/"},
                      {"service": "listenbrainz", "token": "t", "address": "http://127.0.0.1/?x=1"}):
            equal(code(token, "scrobble.connect", **given), "request.invalid", f"{given}")
    finally:
        service.stop()


@check("Last.fm: the person allows it there, then the token becomes a session; requests are signed")
def _():
    token = account()["access_token"]
    begun = ask(token, "scrobble.authorize", service="lastfm")
    true(begun["url"].startswith("https://www.last.fm/api/auth/?api_key=") and begun["token"] in begun["url"], f"{begun}")
    equal(code(token, "scrobble.connect", service="lastfm", token=begun["token"]), "service.refused", "before it is allowed")
    stage.LASTFM.allowed.add(begun["token"])
    made = ask(token, "scrobble.connect", service="lastfm", token=begun["token"])["connection"]
    equal((made["service"], made["address"], made["name"]), ("lastfm", None, "Ada"), "the connection")
    equal(code(token, "scrobble.connect", service="lastfm", token="t", address="http://127.0.0.1/"), "request.invalid", "an address")
    equal(code(token, "scrobble.authorize", service="listenbrainz"), "service.unavailable", "ListenBrainz needs no such step")


@check("addresses of this machine and of private networks are refused unless the operator allows them, whatever name they have; redirects are not followed")
def _():
    strict = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    service, lure = ListenBrainz({"t": "ada"}), Service()
    try:
        with strict:
            token = account()["access_token"]
            equal(ask(token, "scrobble.list")["services"], ["listenbrainz"], "without a key of Last.fm's")
            equal(code(token, "scrobble.authorize", service="lastfm"), "service.unavailable", "Last.fm")
            for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0.0.0.0"):
                equal(code(token, "scrobble.connect", service="listenbrainz", address=f"http://{host}:{service.port}{service.path}", token="t"),
                      "service.address_forbidden", host)
            for host in ("10.0.0.1", "192.168.1.1", "172.31.255.255", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]"):
                equal(code(token, "scrobble.connect", service="listenbrainz", address=f"http://{host}/", token="t"), "service.address_forbidden", host)
            equal(service.asked, [], "what the service was asked")
    finally:
        strict.stop()
    token = account()["access_token"]
    lure.answers = [(302, {"Location": f"{service.url}/1/validate-token"}, {})]
    equal(code(token, "scrobble.connect", service="listenbrainz", address=f"http://127.0.0.1:{lure.port}", token="t"), "service.unreachable", "a redirect")
    equal(service.asked, [], "what was asked after a redirect")
    service.stop(), lure.stop()


@check("sonactl connects, lists and disconnects; the token is typed, and in no list of processes")
def _():
    token, service = account()["access_token"], ListenBrainz({"typed-token": "ada"})
    try:
        equal(sonactl(token, "scrobbling", "list"), (0, "", "sonactl: Nothing is connected.\n"), "at first")
        status, out, err = sonactl(token, "scrobbling", "connect", "listenbrainz", "--address", service.url, "--token-file", "-", typed="typed-token\n")
        equal((status, out.split()[:1]), (0, ["Connected"]), f"connect: {out} {err}")
        status, out, _ = sonactl(token, "scrobbling", "list", "--json")
        found = json.loads(out)["connections"]
        equal((status, [one["name"] for one in found]), (0, ["ada"]), "list --json")
        equal(sonactl(token, "scrobbling", "list")[1].split()[:4], [str(found[0]["id"]), "listenbrainz", "active", "ada"], "list")
        status, out, err = sonactl(token, "scrobbling", "connect", "listenbrainz", "--address", service.url, "--token-file", "-", typed="other\n")
        true(status == 77 or status == 69 or status == 1, f"{status} {err}")
        equal(sonactl(token, "scrobbling", "disconnect", str(found[0]["id"]))[0], 0, "disconnect")
        equal(ask(token, "scrobble.list")["connections"], [], "after it")
    finally:
        service.stop()
