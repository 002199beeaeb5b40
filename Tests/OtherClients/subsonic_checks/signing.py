"""App passwords: made, used, listed, revoked."""
import hashlib, json, os, pathlib, subprocess, tempfile

from protocol_checks import helpers
from protocol_checks.helpers import PASSWORD, account, check, equal, rpc, true
from subsonic_checks import stage


def code(fields, name="ping"):
    """0 or the number of the error."""
    status, body, _ = stage.ask(name, {"f": "json", "c": "checks", "v": "1.16.1", **fields})
    answer = json.loads(body)["subsonic-response"]
    return answer["error"]["code"] if answer["status"] == "failed" else "ok"


@check("an app password signs in by token, as it is, in hexadecimal, and as a key")
def _():
    app = stage.App()
    for how in ("token", "plain", "hex", "key"):
        equal(code(app.sign(how)), "ok", how)
    equal(app.ok("tokenInfo")["tokenInfo"]["username"], app.user, "whose it is")
    equal(code({**app.sign("plain"), "u": app.user.upper()}), "ok", "names in capitals")


@check("whatever is wrong with signing in has its number")
def _():
    app, other = stage.App(), stage.App()
    salt = "abcdef"
    equal(code({}), 10, "nothing")
    equal(code({"u": app.user}), 10, "a name alone")
    equal(code({"u": app.user, "t": "0" * 32}), 10, "a token without a salt")
    equal(code({"u": app.user, "p": "wrong"}), 40, "a wrong password")
    equal(code({"u": app.user, "p": "enc:zz"}), 40, "no hexadecimal")
    equal(code({"u": app.user, "p": PASSWORD}), 40, "the account's own password")
    equal(code({"u": app.user, "t": hashlib.md5((PASSWORD + salt).encode()).hexdigest(), "s": salt}), 40, "its token")
    equal(code({"u": app.user, "t": hashlib.md5((app.secret + salt).encode()).hexdigest(), "s": salt + "x"}), 40, "another salt")
    equal(code({"u": other.user, "p": app.secret}), 40, "another's password")
    equal(code({"u": "nobody-of-that-name", "p": app.secret}), 40, "nobody")
    equal(code({"apiKey": "wrong"}), 44, "a wrong key")
    equal(code({"apiKey": app.secret, "u": app.user}), 43, "a key and a name")
    equal(code({**app.sign("token"), "p": app.secret}), 43, "a token and a password")


@check("an app password is told once, and used where and by what is told after")
def _():
    app = stage.App(name="Phone")
    true(len(app.secret) == 23 and app.secret.count("-") == 3 and app.secret == app.secret.lower(), app.secret)
    equal(app.password["used_ms"], None, "before")
    app.raw("ping", c="Amperfy")
    import time
    for _ in range(50):
        (listed,) = stage.data("app_password.list", token=app.token)["app_passwords"]
        if listed["used_ms"]:
            break
        time.sleep(0.1)
    equal((listed["name"], listed["client"], listed["used_from"]), ("Phone", "Amperfy", "127.0.0.0/24"), "after")
    true("secret" not in listed, str(listed))


@check("a revoked password signs in no more, and the others do")
def _():
    app = stage.App()
    more = stage.data("app_password.create", {"name": "Car"}, app.token)
    status, body, _ = rpc("app_password.revoke", {"id": more["app_password"]["id"]}, stage.App().token)
    equal(body["error"]["code"], "app_password.not_found", "another's")
    stage.data("app_password.revoke", {"id": more["app_password"]["id"]}, app.token)
    equal(code({"u": app.user, "p": more["secret"]}), 40, "revoked")
    equal(code({"apiKey": more["secret"]}), 44, "revoked, as a key")
    equal(code(app.sign()), "ok", "the other")


@check("whatever ends every sign-in revokes app passwords")
def _():
    app = stage.App()
    stage.data("auth.change_password", {"new_password": PASSWORD + "!"}, app.token)
    equal(code(app.sign()), 40, "after another password")
    app = stage.App()
    stage.data("auth.sign_out_everywhere", token=app.token)
    equal(code(app.sign()), 40, "after signing out everywhere")


@check("a banned account is refused, and comes back with its ban's end")
def _():
    app = stage.App()
    stage.SERVER.operator("user", "ban", app.account["user"]["uid"])
    equal(code(app.sign()), 50, "banned")
    stage.SERVER.operator("user", "unban", app.account["user"]["uid"])
    equal(code(app.sign()), "ok", "unbanned")


@check("fifty app passwords are enough, and an export names them without what they say")
def _():
    app = stage.App()
    for number in range(49):
        stage.data("app_password.create", {"name": f"App {number}"}, app.token)
    status, body, _ = rpc("app_password.create", {"name": "one more"}, app.token)
    equal((status, body["error"]["code"]), (409, "app_password.limit_reached"))
    export = stage.data("account.export", token=app.token)["export"]
    equal(len(export["app_passwords"]), 50, "in the export")
    true(app.secret not in json.dumps(export), "the export has a secret")


@check("a password needs a recent proof to be made")
def _():
    made = account()
    fresh = stage.data("auth.refresh", {"refresh_token": made["refresh_token"]})
    status, body, _ = rpc("app_password.create", {"name": "x"}, fresh["access_token"])
    equal(body["error"]["code"], "auth.reauth_required")
    status, body, _ = rpc("app_password.create", {"name": " "}, made["access_token"])
    equal(body["error"]["code"], "request.invalid", "nothing to see")


@check("sonactl makes, lists and revokes app passwords")
def _():
    made = account()
    environment = {**os.environ, "SONA_SERVER": helpers.URL, "SONA_TOKEN": made["access_token"]}

    def ctl(*arguments, status=0):
        done = subprocess.run([stage.SERVER.programs / "sonactl", "app-passwords", *arguments], env=environment, text=True,
                              capture_output=True, timeout=30)
        equal(done.returncode, status, f"sonactl app-passwords {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    secret = ctl("create", "Phone of Łucja").strip()
    equal(code({"u": made["user"]["username"], "p": secret}), "ok", "what it printed")
    listed = json.loads(ctl("list", "--json"))["app_passwords"]
    equal([one["name"] for one in listed], ["Phone of Łucja"])
    true("Phone of Łucja" in ctl(), "the list is what it shows")
    ctl("revoke", str(listed[0]["id"]))
    equal(code({"u": made["user"]["username"], "p": secret}), 40, "revoked")
    ctl("revoke", str(listed[0]["id"]), status=66)
    ctl("create", "", status=64)


@check("a server that is being worked on, or that has it turned off, says so")
def _():
    from account_checks.server import Server
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data"
        for option, wanted in (((), "ok"), (("--maintenance",), 0), (("--no-subsonic",), None)):
            server = Server("--exempt", "127.0.0.1", *option, data=data)
            try:
                with server:
                    if not option:
                        app = stage.App()
                    if wanted is None:
                        equal(stage.ask("ping", app.sign())[0], 404, "turned off")
                    else:
                        equal(code(app.sign()), wanted, f"{option}")
            finally:
                server.stop()
