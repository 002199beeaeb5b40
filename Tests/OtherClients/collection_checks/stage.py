"""The server, people with a name and a role, and uploads of theirs."""
import http.client, io, json, random, urllib.parse, wave
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true

SERVER = None  # set by __main__, as the next three
PROGRAMS, IS_SLOW, SEED = None, False, 0


def data(kind, fields=None, token=None):
    """The data of a reply over HTTP."""
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def refused(code, kind, fields=None, token=None):
    status, body, _ = rpc(kind, fields or {}, token)
    equal(isinstance(body, dict) and body.get("error", {}).get("code"), code, kind)


class Person:
    """An account: its token, its identifier and its name."""

    def __init__(self, role=None):
        made = account()
        self.uid, self.name, self.token = made["user"]["uid"], made["user"]["username"], made["access_token"]
        if role:
            SERVER.operator("user", "set-role", self.uid, role)
            self.token = data("auth.sign_in", {"email": made["email"], "password": helpers.PASSWORD})["access_token"]

    def data(self, request, /, **fields):
        return data(request, fields, self.token)

    def refused(self, code, request, /, **fields):
        refused(code, request, fields, self.token)

    def notifications(self, **fields):
        return self.data("notifications.list", **{"limit": 100} | fields)["notifications"]

    def put(self, name, content):
        """(status, data or error) of an upload."""
        at = urlsplit(helpers.URL)
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
        link.request("PUT", f"/v1/uploads/{urllib.parse.quote(name)}.wav", content, {"Authorization": f"Bearer {self.token}"})
        answer = link.getresponse()
        body = json.loads(answer.read())
        link.close()
        return answer.status, body.get("data") or body.get("error")

    def upload(self, name, content=None):
        """The identifier of a new track, of noise unless `content` says otherwise."""
        status, body = self.put(name, content or noise())
        equal(status, 201, f"upload of {name}: {body}")
        return body["track"]["id"]


def noise(seconds=0.02):
    """A WAV file that is like no other."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(random.randbytes(2 * int(8_000 * seconds)))
    return out.getvalue()


def guest():
    return data("auth.guest")["access_token"]
