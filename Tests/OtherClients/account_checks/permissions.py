"""permissions.md: its table, asked line by line."""
import json, pathlib, re, time

from protocol_checks.helpers import Client, Failure, check, equal, rpc, some_name, true

from account_checks.stage import admin, main_server, ok, outsider, refused

PROTOCOL = pathlib.Path(__file__).resolve().parents[3] / "Protocol"
NOBODY = {"user": "@nobody-at-all"}
ADMIN_ONLY = (("users.list", {}), ("users.ban", NOBODY), ("users.unban", NOBODY),
              ("content.take_down", {"kind": "profile"} | NOBODY), ("addresses.list", {}),
              ("addresses.ban", {"range": "203.0.113.7"}), ("addresses.unban", {"range": "203.0.113.7"}),
              ("reports.list", {}), ("reports.resolve", {"id": 1}), ("words.list", {}),
              ("words.add", {"word": "spam", "action": "mask"}), ("words.remove", {"word": "spam"}),
              ("registration.invite", {}), ("registration.invites", {}), ("registration.revoke", {"id": 1}),
              ("registration.waiting", {}), ("registration.approve", NOBODY), ("registration.reject", NOBODY),
              ("rooms.move", NOBODY | {"room": "@nobody-at-all"}),
              ("library.folders", {}), ("library.folder_update", {"folder": "None", "audience": "admins"}),
              ("library.scan", {}), ("library.scan_cancel", {}), ("library.problems", {}),
              ("users.set_role", NOBODY | {"role": "admin"}), ("journal.list", {}), ("journal.verify", {}))


def table():
    """(permission, {"guest": …, "user": …, "curator": …, "admin": …}, requests) of each line."""
    prose = (PROTOCOL / "spec" / "permissions.md").read_text()
    lines = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| (yes|no) \| (yes|no) \| (yes|no) \| (yes|no) \| (.*) \|$", prose, re.M)
    return [(name, {"guest": guest == "yes", "user": user == "yes", "curator": curator == "yes", "admin": boss == "yes"},
             re.findall(r"`([a-z_]+(?:\.[a-z_]+)?)`", requests)) for name, guest, user, curator, boss, requests in lines]


#: What the first vector asks for is of an account's own.
FOR_ANYBODY = {"playlist.list": {"scope": "public"}}


def usual(kind):
    """The data of a request as it usually is: the first valid one of the vectors."""
    if kind in FOR_ANYBODY:
        return FOR_ANYBODY[kind]
    for path in sorted((PROTOCOL / "vectors").glob("*.json")):
        for test in json.loads(path.read_text())["tests"]:
            if test["message"] == f"requests/{kind}" and test["result"] == "valid":
                return json.loads(test["text"]).get("data") or {}
    raise Failure(f"no vector for {kind}")


def walk(who, code, token):
    """Every request of the table, over HTTP and WebSocket, each from somebody new: refused if the table says no."""
    count = 0
    for permission, allowed, requests in table():
        for kind in requests:
            data, somebody = usual(kind), token()
            with Client(somebody) as c:
                replies = [c.ask(kind, data, 20)]
            if kind not in ("room.join", "player.announce") and not kind.startswith("host."):  # not over HTTP
                replies.append(rpc(kind, data, somebody)[1])
            for reply in replies:
                error = reply.get("error", {})
                if allowed[who]:
                    true(error.get("code") not in ("auth.forbidden", "auth.account_required"), f"{kind}: {error}")
                else:
                    equal((error.get("code"), error.get("permission")), (code, permission), f"{kind} of a {who}")
                count += 1
    true(count > 60, f"{count} requests: is the table read?")


@check("the table of permissions, for guests: auth.account_required with the permission's name")
def _():
    walk("guest", "auth.account_required", lambda: ok("auth.guest")["access_token"])


@check("the table of permissions, for users: auth.forbidden with the permission's name")
def _():
    walk("user", "auth.forbidden", lambda: outsider(name=True)["access_token"])


def curator():
    made = outsider(name=True)
    ok("users.set_role", {"user": made["user"]["uid"], "role": "curator"}, admin()["access_token"])
    return made["access_token"]


@check("the table of permissions, for curators: auth.forbidden with the permission's name")
def _():
    walk("curator", "auth.forbidden", curator)


@check("what guests, users, curators and admins are told of their permissions is what the table says")
def _():
    for who, token in (("guest", ok("auth.guest")["access_token"]), ("user", outsider(name=True)["access_token"]),
                       ("curator", curator()), ("admin", admin()["access_token"])):
        me = ok("user.me", token=token)
        equal(sorted(me["permissions"]), sorted(name for name, allowed, _ in table() if allowed[who]), who)
        equal(me["role"], None if who == "guest" else who, "role")


@check("fields are looked at before permissions")
def _():
    with Client() as guest, Client(outsider(name=True)["access_token"]) as user:
        for c in (guest, user):
            c.refused("request.invalid", "users.ban", {"user": ""}, "data.user")
            c.refused("request.invalid", "journal.list", {"limit": 0}, "data.limit")
    refused("auth.required", "users.ban", {"user": ""}, status=401)


@check("a new role holds at once: on open connections and for tokens that were given out before")
def _():
    boss, made = admin(), outsider(name=True)
    token, ask = made["access_token"], {"user": made["user"]["uid"]}
    with Client(token) as c, Client(token) as d:
        for role, gives in (("admin", True), ("user", False), ("admin", True), ("user", False)):
            time.sleep(1)  # one connection may ask sixty times in a second
            ok("users.set_role", ask | {"role": role}, boss["access_token"])
            for kind, data in ADMIN_ONLY:
                replies = [c.ask(kind, data), d.ask(kind, data)]
                for reply in replies:
                    equal(reply.get("error", {}).get("code") == "auth.forbidden", not gives, f"{kind} of {role}")
                if not gives:
                    refused("auth.forbidden", kind, data, token, 403)
            equal(c.data("user.me")["role"], role, "role")
            equal(ok("user.me", token=token)["role"], role, "role over HTTP")
        for role in ("admin", "user"):
            main_server().operator("user", "set-role", "@" + made["username"], role)
            equal(d.ask("users.list")["type"], "ok" if role == "admin" else "error", f"after the operator's {role}")
    equal(refused("request.invalid", "users.set_role", {"user": boss["user"]["uid"], "role": "user"},
                  boss["access_token"])["field"], "data.user", "field")


@check("admins find accounts by the beginning of a name, a whole identifier, role and ban; no address is shown")
def _():
    boss, end = admin(), some_name()[:12]
    accounts = [outsider(name=f"q{k}{end}") for k in range(3)]
    token = boss["access_token"]
    ok("users.ban", {"user": "@" + accounts[1]["username"], "seconds": 60}, token)
    names = lambda data: [u["user"]["username"] for u in ok("users.list", data, token)["users"]]
    equal(names({"query": "Q2" + end}), [accounts[2]["username"]], "by name")
    for account in accounts + [boss]:
        equal(names({"query": account["user"]["uid"]}), [account["user"]["username"]], "by identifier")
    true(accounts[1]["username"] in names({"banned": True}), "who is banned")
    true(accounts[1]["username"] not in names({"banned": False, "limit": 100}), "who is not")
    true(boss["username"] in names({"role": "admin", "limit": 100}), "by role")
    equal(names({"query": "%"}) + names({"query": "_____"}), [], "by what SQL would take for anything")
    seen, cursor = [], None
    while True:
        page = ok("users.list", {"limit": 7} | ({"cursor": cursor} if cursor else {}), token)
        seen += [u["user"]["uid"] for u in page["users"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    true(len(seen) == len(set(seen)) and {a["user"]["uid"] for a in accounts} <= set(seen), "pages")
    refused("request.invalid", "users.list", {"cursor": "no such"}, token, 400)


@check("the journal: who did what to whom, without names and addresses, and intact")
def _():
    boss, made = admin(), outsider(name=True)
    ok("users.ban", {"user": made["user"]["uid"], "seconds": 60}, boss["access_token"])
    lines = ok("journal.list", {"user": made["user"]["uid"]}, boss["access_token"])["entries"]
    kinds = [line["kind"] for line in lines]
    true("banned" in kinds and "sign_in" in kinds, f"kinds: {kinds}")
    equal([line["actor"] for line in lines if line["kind"] == "banned"], [boss["user"]["uid"]], "who banned")
    true(made["username"] not in str(lines), "a username in the journal")
    found = ok("journal.verify", {}, boss["access_token"])
    equal((found["intact"], found["first_fault"]), (True, None), "journal")
    true("intact" in main_server().operator("journal"), "the operator's check")
