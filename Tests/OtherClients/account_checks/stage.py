"""Where the checks take place: a server, a mailbox, an issuer, and who appears."""
import http.client, pathlib, random, subprocess, tempfile
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import PASSWORD, account, equal, rpc, some_name, true

from account_checks.mailbox import Mailbox
from account_checks.record import Record
from account_checks.server import Server
from account_checks.tokens import Issuer

record = Record()
mailbox = Mailbox()
folder = tempfile.TemporaryDirectory(prefix="sona-issuer-")
issuer = Issuer(pathlib.Path(folder.name) / "keys.json")
MAIL = ("--smtp", mailbox.url, "--smtp-tls", "never", "--mail-from", "sona@example.net")
EXEMPT = ("--exempt", "127.0.0.1")
servers = []


def serve(*arguments):
    server = Server(*arguments)
    servers.append(server)
    return server


def main_server():
    """The one that most checks ask."""
    return servers[0]


def person(**more):
    """Somebody with a password."""
    made = account(**more)
    record.owns(made["email"], made["user"]["uid"])
    record.passwords.add(made["password"])
    return made


def reader(**more):
    """Somebody with a password who has had the mail that asks to confirm the address: the next is the second."""
    made = person(**more)
    mailbox.wait(made["email"])
    return made


def ok(kind, data=None, token=None):
    """The data of a reply over HTTP."""
    status, body, _ = rpc(kind, data, token)
    equal(status, 200, f"{kind}: {body}")
    return body["data"]


def outsider(subject=None, name=None, **claims):
    """Somebody from the issuer, with a username if `name` is given or true. `token` is the issuer's."""
    subject = subject or some_name() + str(random.randrange(10**9))
    token = issuer.token(subject, **claims)
    grant = ok("auth.exchange", {"provider": "firebase", "token": token}) | {"token": token}
    if claims.get("email_verified"):
        record.owns(claims["email"], grant["user"]["uid"])
    if name:
        named = ok("username.claim", {"username": some_name() if name is True else name}, grant["access_token"])
        grant |= {"user": named["user"], "access_token": named["access_token"], "username": named["user"]["username"]}
    return grant


def admin():
    """Somebody whom the operator has made an admin."""
    made = outsider(name=True)
    main_server().operator("user", "set-role", "@" + made["username"], "admin")
    return made


def refused(code, kind, data=None, token=None, status=None):
    """The error of a reply over HTTP, which must have this code."""
    found, body, headers = rpc(kind, data, token)
    equal(isinstance(body, dict) and body.get("error", {}).get("code"), code, kind)
    true(status in (None, found), f"{kind}: status {found}")
    return body["error"]


def sign_in(made, password=PASSWORD):
    return ok("auth.sign_in", {"email": made["email"], "password": password})


def curl(path, *arguments, token=None):
    """What curl makes of a path of the server: (status, body)."""
    more = ["-H", f"Authorization: Bearer {token}"] if token else []
    done = subprocess.run(["curl", "-sS", "-o", "-", "-w", "\n%{http_code}", *more, *arguments, helpers.URL + path],
                          capture_output=True, timeout=60)
    equal(done.returncode, 0, f"curl: {done.stderr.decode()[-300:]}")
    body, _, status = done.stdout.rpartition(b"\n")
    record.http(token, body)
    return int(status), body


class KeptConnection:
    """One connection over HTTP that is kept, for what is measured."""
    def __init__(self):
        self.link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=30)

    def post(self, kind, body, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.link.request("POST", f"/v1/rpc/{kind}", body, headers)
        answer = self.link.getresponse()
        raw = answer.read()
        record.http(token, raw)
        return answer.status, raw
