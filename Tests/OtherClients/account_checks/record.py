"""All that servers say, and whose it was to read."""
import collections, json, re, threading

from protocol_checks import helpers
from protocol_checks.websocket import WebSocket

from account_checks.tokens import unb64

ADDRESS = re.compile(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+")
RUN = re.compile(r"[A-Za-z0-9_-]{16,}")
# The code of a registration invite, which "max_uses" follows, is listed to administrators for as long as it stands.
GRANTED = re.compile(r'"(?:refresh_token|code)":"([A-Za-z0-9_-]{16,})"(?!,"max_uses")|"access_token":"[^".]*\.[^".]*\.([^".]+)"')


def subject(token):
    """Whom a token is about, if it can be read at all."""
    try:
        return json.loads(unb64(token.split(".")[1]))["sub"]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


class Record:
    def __init__(self):
        self.entries, self.owners, self.lock = [], {}, threading.Lock()  # entries: (who read it: a uid or a word, text)
        self.passwords, self.addresses = {helpers.PASSWORD}, {}  # addresses: whose, uids
        self.repeated = set()  # what was said several times to whoever it belongs to, since its answer may be lost
        WebSocket.heard = staticmethod(self.websocket)
        helpers.HEARD.append(self.http)

    def websocket(self, connection, message):
        if isinstance(message, bytes):
            return
        data = json.loads(message).get("data") or {}
        if "user" in data and ("access_token" in data or "session" in data):
            connection.owner = data["user"] and data["user"]["uid"]
        self.add(getattr(connection, "owner", None), message)

    def http(self, token, body):
        self.add(subject(token), body.decode(errors="replace"))

    def add(self, reader, text):
        with self.lock:
            self.entries.append((reader, text))

    def owns(self, address, uid):
        """Only this user may ever read this address."""
        self.addresses.setdefault(address.lower(), set()).add(uid)

    def leaks(self, codes):
        """Sentences about what came to whom it should not. `codes` are those that were mailed."""
        found, runs, granted = [], collections.Counter(), set()
        for reader, text in self.entries:
            runs.update(RUN.findall(text))
            granted.update(one or other for one, other in GRANTED.findall(text))
            for what in ("$scrypt", *self.passwords):
                if what in text:
                    found.append(f"{reader} read {what!r} in {text[:200]!r}")
            for address in ADDRESS.findall(text):
                if reader not in self.addresses.get(address.lower(), ()):
                    found.append(f"{reader} read the address {address} in {text[:200]!r}")
        found += [f"a token or code was said {runs[secret]} times" for secret in granted - self.repeated if runs[secret] != 1]
        found += [f"the mailed code {code[:4]}… was said" for code in codes if runs[code]]
        return found
