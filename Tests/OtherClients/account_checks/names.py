"""Usernames: one of two hundred has it, and nobody one that looks like it."""
import threading
from concurrent.futures import ThreadPoolExecutor

from protocol_checks.helpers import PASSWORD, Client, check, equal, rpc, some_name, true

from account_checks.stage import ok, outsider, refused


def at_once(attempts):
    """Runs all of them, none before all are ready; their results."""
    barrier = threading.Barrier(len(attempts))

    def run(attempt):
        barrier.wait(30)
        return attempt()
    with ThreadPoolExecutor(len(attempts)) as pool:
        return list(pool.map(run, attempts))


def claims_at_once(names):
    """Everybody claims theirs, half over WebSocket and half over HTTP: (accounts, codes)."""
    with ThreadPoolExecutor(8) as pool:
        accounts = list(pool.map(lambda _: outsider(), names))
    clients = [Client(a["access_token"]) for a in accounts[::2]]

    def by_socket(client, name):
        return lambda: client.ask("username.claim", {"username": name}, 30)

    def by_http(account, name):
        return lambda: rpc("username.claim", {"username": name}, account["access_token"])[1]
    attempts = [by_http(account, name) if k % 2 else by_socket(clients[k // 2], name)
                for k, (account, name) in enumerate(zip(accounts, names))]
    replies = at_once(attempts)
    for client in clients:
        client.ws.close()
    return accounts, [reply.get("error", {}).get("code", "ok") for reply in replies]


@check("200 claims of one username at the same time: one has it, 199 get username.taken")
def _():
    name = some_name()
    accounts, codes = claims_at_once([name] * 200)
    equal(sorted(codes), ["ok"] + ["username.taken"] * 199, "codes")
    winner = accounts[codes.index("ok")]
    found = ok("user.get", {"user": "@" + name}, ok("auth.guest")["access_token"])["user"]
    equal(found, {"uid": winner["user"]["uid"], "username": name, "guest": False}, "who is found")
    for account, code in zip(accounts[:20], codes):
        mine = ok("user.me", token=account["access_token"])["user"]["username"]
        equal(mine, name if code == "ok" else None, "user.me")


@check("60 claims of usernames that look alike at the same time: one has its")
def _():
    end = some_name()
    _, codes = claims_at_once([f"{head}{end}" for head in ("pau1", "pauI", "PAUL", "paul", "Paul", "paui")] * 10)
    equal(sorted(codes), ["ok"] + ["username.taken"] * 59, "codes")


@check("8 sign-ups with one address, and 8 with one username, at the same time: one succeeds")
def _():
    for field, code in (("email", "auth.email_taken"), ("username", "username.taken")):
        same, attempts = some_name(), []
        for _ in range(8):
            name = some_name()
            given = {"email": f"{name}@example.org", "username": name, "password": PASSWORD}
            given[field] = f"{same}@example.org" if field == "email" else same
            attempts.append(lambda given=given: rpc("auth.sign_up", given)[1])
        replies = at_once(attempts)
        codes = sorted(reply.get("error", {}).get("code", "ok") for reply in replies)
        equal(codes, sorted(["ok"] + [code] * 7), f"the same {field}")


@check("what looks like alice is refused once alice is taken: by the form, or as taken")
def _():
    owner = outsider(name="alice")
    with Client(outsider()["access_token"]) as c, Client(outsider(name=True)["access_token"]) as named:
        old = named.data("user.me")["user"]["username"]
        for name, code, reason in (("ALICE", "username.taken", "taken"), ("a1ice", "username.taken", "taken"),
                                   ("aIice", "username.taken", "taken"), ("alice", "username.taken", "taken"),
                                   ("Ａlice", "username.invalid", "invalid"),
                                   ("\u0430lice", "username.invalid", "invalid"),
                                   ("alice\u200b", "username.invalid", "invalid"),
                                   ("ali\u00adce", "username.invalid", "invalid")):
            c.refused(code, "username.claim", {"username": name})
            named.refused(code, "username.change", {"old_username": old, "username": name})
            refused(code, "auth.sign_up", {"email": some_name() + "@example.org", "password": PASSWORD,
                                           "username": name})
            told = c.data("username.check", {"username": name})
            equal((told["available"], told["reason"]), (False, reason), f"username.check of {name!r}")
            true(1 <= len(told["message"].encode()) <= 512, "message")
        for name in ("a1ice", "aIice"):  # lookalikes find nobody
            named.refused("user.not_found", "user.get", {"user": "@" + name})
        equal(named.data("user.get", {"user": "@ALICE"})["user"]["uid"], owner["user"]["uid"], "@ALICE")
    equal(ok("username.check", {"username": "alice"}, owner["access_token"])["available"], True, "one's own")
    changed = ok("username.change", {"old_username": "alice", "username": "A1ice"}, owner["access_token"])
    equal(changed["user"]["username"], "A1ice", "one that looks like one's own")
    ok("username.change", {"old_username": "A1ICE", "username": "alice"}, owner["access_token"])


@check("suggestions are free, and reserved names are nobody's")
def _():
    name = some_name()
    outsider(name=name)
    told = ok("username.check", {"username": name})
    true(1 <= len(told["suggestions"]) <= 5, f"suggestions: {told['suggestions']}")
    for suggestion in told["suggestions"]:
        equal(outsider(name=suggestion)["user"]["username"], suggestion, "a suggestion")
    for name in ("admin", "Sona", "r00t", "support"):
        equal(ok("username.check", {"username": name})["reason"], "reserved", name)
        refused("username.invalid", "username.claim", {"username": name}, outsider()["access_token"], 422)
    equal(ok("username.check", {"username": some_name()}), {"available": True, "suggestions": []}, "a free one")


@check("a changed username: the old one is held for who had it, and open connections and rooms show the new one")
def _():
    made = outsider(name=True)
    room = ok("room.create", {}, made["access_token"])["room"]["id"]
    with Client(made["access_token"]) as c, Client() as guest:
        guest.data("room.join", {"room": room})
        c.data("room.join", {"room": room})
        name = some_name()
        refused("username.mismatch", "username.change", {"old_username": some_name(), "username": name},
                made["access_token"], 409)
        ok("username.change", {"old_username": made["username"].upper(), "username": name}, made["access_token"])
        refused("username.mismatch", "username.change", {"old_username": made["username"], "username": some_name()},
                made["access_token"], 409)
        equal(c.data("user.me")["user"]["username"], name, "user.me")
        equal(guest.data("room.get", {"room": room})["room"]["owner"]["username"], name, "the room's owner")
        guest.refused("user.not_found", "user.get", {"user": "@" + made["username"]})
        refused("username.taken", "username.claim", {"username": made["username"]},
                outsider(name=False)["access_token"], 409)
        ok("username.change", {"old_username": name, "username": made["username"]}, made["access_token"])
