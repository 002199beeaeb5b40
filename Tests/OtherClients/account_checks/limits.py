"""What one network address may do, on servers that nobody is exempt from."""
import contextlib, http.client, json
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import PASSWORD, Client, check, equal, rpc, some_name, true

from account_checks.stage import EXEMPT, MAIL, issuer, mailbox, ok, outsider, person, record, refused, serve


@contextlib.contextmanager
def fresh():
    """A server of its own, that has counted nothing yet."""
    server = serve(*MAIL, *issuer.arguments)
    with server:
        yield server
    record.add("outputs", server.stop())


def from_elsewhere(kind, data):
    """A request from another address of this machine."""
    link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=20, source_address=("127.0.0.77", 0))
    link.request("POST", f"/v1/rpc/{kind}", json.dumps(data), {"Content-Type": "application/json"})
    answer = link.getresponse()
    raw = answer.read()
    record.http(None, raw)
    return answer.status, json.loads(raw)


def is_told_to_wait(code, kind, data, seconds, **more):
    status, body, headers = rpc(kind, data, **more)
    equal((status, body.get("error", {}).get("code")), (429, code), kind)
    wait = body["error"]["retry_after_ms"]
    true(0 < wait <= seconds * 1000 and int(headers["retry-after"]) == -(-wait // 1000), f"{wait} ms, {headers}")


@check("twenty failed sign-ins from an address, of whatever kind, and then none, however right; not from another")
def _():
    with fresh():
        made, subject = person(), some_name()
        right = {"email": made["email"], "password": PASSWORD}
        for k in range(20):
            if k % 3 == 0:
                refused("auth.token_invalid", "auth.exchange", {"provider": "firebase", "token": "made.up.token"})
            elif k % 3 == 1:
                refused("auth.credentials_invalid", "auth.sign_in", right | {"password": "wrong password"})
            else:
                refused("auth.credentials_invalid", "auth.sign_in", right | {"email": some_name() + "@x.org"})
        is_told_to_wait("auth.rate_limited", "auth.sign_in", right, 900)
        with Client(None) as c:
            true(c.refused("auth.rate_limited", "auth.sign_in", right)["retry_after_ms"] > 0, "retry_after_ms")
        is_told_to_wait("auth.rate_limited", "auth.exchange", {"provider": "firebase", "token": issuer.token(subject)},
                        900)
        is_told_to_wait("auth.rate_limited", "auth.reauthenticate", {"password": PASSWORD}, 900,
                        token=made["access_token"])
        equal(from_elsewhere("auth.sign_in", right)[0], 200, "from another address")
        ok("user.me", token=made["access_token"])


@check("twenty requests for mail from an address in an hour, whether there is an account or not")
def _():
    with fresh():
        made = person()
        for k in range(20):
            ok("auth.request_recovery", {"email": made["email"] if k % 2 else some_name() + "@example.org"})
        for address in (made["email"], some_name() + "@example.org", ""):
            is_told_to_wait("auth.rate_limited", "auth.request_recovery", {"email": address}, 3600)
        is_told_to_wait("auth.rate_limited", "auth.request_confirmation", {}, 3600, token=made["access_token"])
        is_told_to_wait("auth.rate_limited", "auth.change_email", {"email": some_name() + "@example.org"}, 3600,
                        token=made["access_token"])
        equal(from_elsewhere("auth.request_recovery", {"email": made["email"]})[0], 200, "from another address")
        true(len(mailbox.of(made["email"])) <= 4, "more than three mails, with that for confirmation")


@check("sixty questions for usernames in a minute, then request.rate_limited")
def _():
    with fresh():
        for _ in range(60):
            ok("username.check", {"username": some_name()})
        is_told_to_wait("request.rate_limited", "username.check", {"username": some_name()}, 60)
        with Client(None) as c:
            c.refused("request.rate_limited", "username.check", {"username": "x"})
        equal(from_elsewhere("username.check", {"username": some_name()})[0], 200, "from another address")
        outsider(name=True)


@check("a server without mail and without an issuer: recovery says nothing, exchange says provider_unknown")
def _():
    server = serve(*EXEMPT)
    with server:
        made = person()
        equal(ok("auth.request_recovery", {"email": made["email"]}), {}, "data")
        refused("auth.provider_unknown", "auth.exchange", {"provider": "firebase", "token": issuer.token("x")},
                status=422)
        code = server.operator("user", "recovery-link", "@" + made["username"]).strip()
        new = "what the operator handed out"
        record.passwords.add(new)
        ok("auth.recover", {"code": code, "new_password": new})
        refused("auth.code_invalid", "auth.recover", {"code": code, "new_password": new}, status=422)
    record.add("outputs", server.stop())


@check("an issuer whose keys cannot be read: auth.provider_unavailable, and passwords go on")
def _():
    server = serve(*EXEMPT, "--firebase-project", issuer.project, "--firebase-keys", "/nonexistent/keys")
    with server:
        made = person()
        refused("auth.provider_unavailable", "auth.exchange", {"provider": "firebase", "token": issuer.token("x")},
                status=503)
        ok("auth.sign_in", {"email": made["email"], "password": PASSWORD})
    record.add("outputs", server.stop())
