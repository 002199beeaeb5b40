"""sonactl at the operator's socket: without an account, everything that administrators do."""
import json

from operations_checks import stage
from operations_checks.stage import at_socket, run
from protocol_checks.helpers import account, check, equal, rpc, true


@check("the operator's socket takes what administrators do, without an account")
def _():
    somebody = account()
    name = "@" + somebody["username"]
    users = json.loads(at_socket("users", "list", "--json")[0])["users"]
    true(any(one["user"]["username"] == somebody["username"] for one in users), "the account is not listed")
    true(name in at_socket("users", "search", somebody["username"][:6])[0], "it is not found")
    true(name in at_socket("users", "show", name)[0], "it is not shown")
    true("until" in at_socket("users", "ban", name, "--for", "1h")[0], "no ban")
    true("no" in at_socket("users", "unban", name)[0], "no end of it")
    true("curator" in at_socket("users", "set-role", name, "curator")[0], "no role")
    true("banned" in at_socket("journal", "--kind", "banned")[0], "no journal")
    true("intact" in at_socket("journal", "verify")[0], "no check of the journal")
    at_socket("jobs", "list", "--all")
    true("free on disk" in at_socket("storage")[0], "no storage")
    true("used_bytes" in json.loads(at_socket("storage", "--json")[0]), "no JSON")
    at_socket("addresses", "list")
    at_socket("registration", "invites")
    at_socket("report", "list")
    at_socket("words", "list")
    at_socket("plans", "list")
    at_socket("takedown", "list")
    at_socket("library", "folders")
    true("version" in at_socket("server", "info")[0], "no server info")
    at_socket("server", "history")
    status, made, _ = rpc("room.create", {"title": "Harbour"}, somebody["access_token"])
    equal(status, 200, "room.create")
    room, other = made["data"]["room"]["id"], account()
    equal(json.loads(at_socket("rooms", "meter", room, "--json")[0])["listeners"], [], "listeners")
    true(other["username"] in at_socket("rooms", "move", room, "@" + other["username"])[0], "the room has no other owner")
    # The socket itself will do as well as its folder, and the variable as well as the option.
    run("sonactl", "users", "list", environment={"SONA_SERVER": f"unix:{stage.SERVER.data}/admin.sock"})


@check("the operator exports, signs out and deletes an account; the journal tells of it")
def _():
    somebody = account()
    name = "@" + somebody["username"]
    export = json.loads(at_socket("users", "export", name)[0])
    equal((export["username"], export["email"]), (somebody["username"], somebody["email"]), "export")
    file = stage.FOLDER / "export.json"
    at_socket("users", "export", name, "--output", file)
    equal(file.stat().st_mode & 0o777, 0o600, "mode of the file")
    equal(rpc("user.me", {}, somebody["access_token"])[0], 200, "signed in")
    at_socket("users", "sign-out", name)
    equal(rpc("user.me", {}, somebody["access_token"])[0], 401, "an access token after it")
    equal(rpc("auth.refresh", {"refresh_token": somebody["refresh_token"]})[0], 401, "a refresh token after it")
    equal(rpc("auth.sign_in", {"email": somebody["email"], "password": somebody["password"]})[0], 200, "the password stays")
    at_socket("users", "delete", name, status=64)  # nobody to ask, and no --yes
    at_socket("users", "delete", name, "--yes")
    at_socket("users", "show", name, status=66)
    at_socket("users", "delete", name, "--yes", status=66)
    equal(rpc("auth.sign_in", {"email": somebody["email"], "password": somebody["password"]})[0], 401, "the password of nobody")
    kinds = {line["kind"]: line for line in json.loads(at_socket("journal", "--user", somebody["user"]["uid"], "--json")[0])["entries"]}
    for kind in ("account_exported", "sign_out_everywhere", "account_removed"):
        true(kind in kinds and kinds[kind].get("actor") is None, f"{kind}: {kinds.get(kind)}")
    at_socket("journal", "verify")


@check("the last administrator is not deleted")
def _():
    chief = account()
    name = "@" + chief["username"]
    at_socket("users", "set-role", name, "admin")
    said = at_socket("users", "delete", name, "--yes", status=None)[1]
    true("auth.last_admin" in said or "last admin" in said.lower(), said)
    at_socket("users", "show", name)
    at_socket("users", "set-role", name, "user", status=None)


@check("what takes a person's sign-in says so at the socket, and the reverse")
def _():
    _, said = at_socket("whoami", status=64)
    true("operator's socket" in said, said)
    _, said = run("sonactl", "users", "delete", "@ada", "--yes", "--server", stage.SERVER.url, status=64)
    true("unix:DATA" in said, said)
    _, said = run("sonactl", "users", "list", "--server", f"unix:{stage.FOLDER}", status=69)
    true("cannot be reached" in said, said)
    _, said = run("sonactl", "users", "lst", status=64)
    true('did you mean "list"' in said, said)
    _, said = run("sonactl", "users", "list", "--banend", status=64)
    true("--banned" in said, said)


@check("stats: rates from two readings, a line each in a pipe, JSON")
def _():
    lines = at_socket("stats", "--watch", "--count", "2", "--every", "0.3")[0].splitlines()
    equal(len(lines), 2, "lines")
    true(all("listeners 0" in line and "packets 0.0/s" in line for line in lines), lines)
    figures = [json.loads(line) for line in at_socket("stats", "--watch", "--count", "2", "--every", "0.3", "--json")[0].splitlines()]
    equal(len(figures), 2, "objects")
    for name in ("at_ms", "listeners", "packets_per_second", "sent_bytes_per_second", "loop_lag_p99_seconds", "resident_bytes"):
        true(name in figures[0], f"{name}: {figures[0]}")
    true(figures[0]["resident_bytes"] > 1 << 20, "memory")
    true("lag p99" in at_socket("stats", "--every", "0.2")[0], "a table")
    run("sonactl", "stats", status=64)
