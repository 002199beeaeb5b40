"""Tokens that nobody gave out."""
import pathlib, tempfile, time

from protocol_checks.helpers import HELLO, Client, Failure, check, connect, equal, rpc, some_name, true
from protocol_checks.websocket import Closed

from account_checks.names import at_once
from account_checks.stage import curl, issuer, main_server, ok, outsider, person, record, refused
from account_checks.tokens import b64, openssl, stripped, unb64, with_flipped_bits, with_other_algorithms

SPKI = bytes.fromhex("302a300506032b6570032100")  # RFC 8410: what stands before an Ed25519 key


def shown_everywhere(tokens):
    """Shows each (why, token, code) in hello and as a bearer token of a request and of a photo; how many refusals."""
    count, c = 0, None
    for number, (why, token, code) in enumerate(tokens):
        if number % 15 == 0:  # the twentieth that fails closes a connection
            c = connect()
        if token:
            c.refused(code, "hello", HELLO | {"auth": {"token": token}})
            count += 1
        if token == token.strip():
            status, body, headers = rpc("user.me", token=token)
            if token:
                equal((status, body["error"]["code"]), (401, code), f"as a bearer token: {why}")
                true("www-authenticate" in headers, "no WWW-Authenticate")
                status, _ = curl("/v1/photo", "--data-binary", "x", token=token)
                equal(status, 401, f"with a photo: {why}")
                count += 2
    true(count > 0, "no token was shown")
    return count


def refused_more(code, count, before):
    now = main_server().refusals()
    equal(now.get(code, 0) - before.get(code, 0), count, f"sona_auth_refusals_total{{code={code}}}")


@check("the issuer's tokens, forged: auth.exchange takes none, over HTTP and WebSocket, and counts them")
def _():
    before, codes = main_server().refusals(), []
    for number, (why, token, code) in enumerate(issuer.forgeries(some_name())):
        if number % 50 == 0:  # 60 requests a second
            c = Client(None)
        given = {"provider": "firebase", "token": token}
        status, body, _ = rpc("auth.exchange", given)
        equal((status, body.get("error", {}).get("code")), (401, code), why)
        c.refused(code, "auth.exchange", given)
        codes += [code, code]
    true(len(codes) > 150, f"{len(codes)} tries")
    for code in set(codes):
        refused_more(code, codes.count(code), before)
    c.data("auth.exchange", {"provider": "firebase", "token": issuer.token(some_name())})


@check("the issuer's tokens for somebody with an account do not prove it, and theirs of another kind open nothing")
def _():
    mine, other = outsider(), outsider()
    token, refresh = mine["access_token"], mine["refresh_token"]
    shown_everywhere([("the issuer's own", mine["token"], "auth.token_invalid"),
                      ("a refresh token", refresh, "auth.token_invalid")])
    refused("auth.token_invalid", "auth.exchange", {"provider": "firebase", "token": token}, status=401)
    refused("auth.token_invalid", "auth.exchange", {"provider": "firebase", "token": refresh}, status=401)
    for wrong in (token, mine["token"], "x", refresh[:-1], refresh + "A", refresh.swapcase(), "é" * 100):
        refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": wrong[:512]}, status=401)
    refused("auth.credentials_invalid", "auth.reauthenticate", {"provider": "firebase", "token": other["token"]}, token)
    ok("auth.refresh", {"refresh_token": refresh})


@check("our own tokens, forged: refused in hello, as bearer tokens and with photos, and counted")
def _():
    before, good = main_server().refusals(), person()["access_token"]
    key = main_server().keys()[0]
    equal((key["kty"], key["crv"], "d" in key), ("OKP", "Ed25519", False), "the public key")
    raw, claims = unb64(key["x"]), good.split(".")[1]
    pem = openssl("pkey", "-pubin", "-inform", "DER", "-pubout", data=SPKI + raw)
    secrets = {"the key": raw, "the key as in the document": key["x"].encode(), "its PEM": pem,
               "its PEM without the last line end": pem.strip(), "its DER": SPKI + raw}
    forged = [*stripped(good), *with_flipped_bits(good), *with_other_algorithms(claims, key["kid"], secrets)]
    true(len(forged) > 50, f"{len(forged)} tokens")
    refused_more("auth.token_invalid", shown_everywhere(forged), before)
    equal(ok("user.me", token=good)["role"], "user", "role")


class Signer:
    """Signs with the server's own key, as only a thief of its data folder could."""
    def __init__(self, server):
        self.key, self.name = next((server.data / "keys").glob("*.pem")), server.keys()[0]["kid"]

    def token(self, claims, head=None):
        signed = f"{b64(head or {'alg': 'EdDSA', 'typ': 'JWT', 'kid': self.name})}.{b64(claims)}"
        with tempfile.NamedTemporaryFile() as file:
            pathlib.Path(file.name).write_text(signed)
            return f"{signed}.{b64(openssl('pkeyutl', '-sign', '-rawin', '-inkey', str(self.key), '-in', file.name))}"


@check("our own tokens, signed with the right key: expired, from the future, of another key or form")
def _():
    made, signer, now = person(), Signer(main_server()), int(time.time())
    good = {"sub": made["user"]["uid"], "iat": now, "exp": now + 60, "jti": "x" * 22}
    shown_everywhere([(why, signer.token(claims, head), code) for why, claims, head, code in (
        ("expired", good | {"iat": now - 61, "exp": now - 1}, None, "auth.token_expired"),
        ("expired this second", good | {"exp": now}, None, "auth.token_expired"),
        ("from the future", good | {"iat": now + 3600, "exp": now + 7200}, None, "auth.token_invalid"),
        ("a claim that is none", good | {"admin": True}, None, "auth.token_invalid"),
        ("no subject", {k: v for k, v in good.items() if k != "sub"}, None, "auth.token_invalid"),
        ("a time in quotation marks", good | {"exp": str(now + 60)}, None, "auth.token_invalid"),
        ("another key's name", good, {"alg": "EdDSA", "typ": "JWT", "kid": "other"}, "auth.token_invalid"),
        ("alg none, but signed", good, {"alg": "none", "typ": "JWT", "kid": signer.name}, "auth.token_invalid"),
        ("another order in the header", good, {"typ": "JWT", "alg": "EdDSA", "kid": signer.name},
         "auth.token_invalid"))])
    equal(ok("user.me", token=signer.token(good))["user"]["uid"], made["user"]["uid"], "with all of it right")


@check("tokens at their limits: 8192 bytes are a wrong token, 8193 and 9000 a wrong field, 100 kB no request")
def _():
    with connect() as c:
        for size in (8192, 8193, 9000):
            code, field = ("auth.token_invalid", None) if size == 8192 else ("request.invalid", "data.auth.token")
            c.refused(code, "hello", HELLO | {"auth": {"token": "x" * size}}, field)
    for kind, more in (("auth.exchange", {"provider": "firebase"}), ("auth.refresh", {})):
        limit = 8192 if more else 512
        field = "token" if more else "refresh_token"
        code = "auth.token_invalid" if more else "auth.refresh_invalid"
        refused(code, kind, more | {field: "x" * limit}, status=401)
        for size in (limit + 1, 9000):
            equal(refused("request.invalid", kind, more | {field: "x" * size}, status=400)["field"], f"data.{field}",
                  "field")
        equal(rpc(kind, more | {field: "x" * 100_000})[0], 413, "100 kB in a body")
        with connect() as c:
            c.data("hello", HELLO)
            try:
                c.ask(kind, more | {field: "x" * 100_000})
                raise OSError("a message of 100 kB was answered")
            except Closed as closed:
                equal(closed.code, 1009, "a message of 100 kB")


@check("bearer tokens of 1 to 16 kB are wrong tokens; at 100 kB the connection is closed; the server goes on")
def _():
    json_type = ("-H", "Content-Type: application/json")
    for path in ("/v1/rpc/user.me", "/v1/photo"):
        for size in (1_000, 4_000, 8_192, 9_000, 16_000):
            equal(curl(path, *json_type, "-H", "Expect:", "--data-binary", "{}", token="x" * size)[0], 401, f"{size} bytes")
        try:
            status, _ = curl(path, *json_type, "-H", "Expect:", "--data-binary", "{}", token="x" * 100_000)
            true(status in (400, 431), f"100 kB: status {status}")
        except Failure as closed:
            true("Empty reply" in str(closed) or "reset" in str(closed), str(closed))
    ok("user.me", token=ok("auth.guest")["access_token"])


@check("a refresh token shown again: its sign-in ends on every connection with 4401, another one goes on")
def _():
    made = person()
    others = ok("auth.sign_in", {"email": made["email"], "password": made["password"]})
    tokens = [made]
    for _ in range(3):
        tokens.append(ok("auth.refresh", {"refresh_token": tokens[-1]["refresh_token"]}))
    holders, beside = [Client(t["access_token"]) for t in tokens], Client(others["access_token"])
    refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": tokens[0]["refresh_token"]}, status=401)
    for holder in holders:
        holder.closes(4401)
    shown_everywhere([(f"token {k}", t["access_token"], "auth.token_invalid") for k, t in enumerate(tokens)])
    for token in tokens:
        refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": token["refresh_token"]}, status=401)
    beside.data("user.me")
    ok("auth.refresh", {"refresh_token": others["refresh_token"]})


@check("one refresh token shown twenty times at once: one successor, and then the sign-in goes on")
def _():
    for way in ("http", "websocket"):
        made = person()
        clients = [Client(None) for _ in range(20)] if way == "websocket" else []
        ask = {"refresh_token": made["refresh_token"]}

        def by_socket(client):
            try:
                return client.ask("auth.refresh", ask)
            except Closed as closed:  # the one that got the pair: its sign-in ended before it was told
                equal(closed.code, 4401, "close code")
                return {"type": "closed"}
        replies = at_once([lambda c=c: by_socket(c) for c in clients] or [lambda: rpc("auth.refresh", ask)[1]] * 20)
        good = [r["data"] for r in replies if r["type"] == "ok"]
        codes = [r["error"]["code"] for r in replies if r["type"] == "error"]
        true(good, way)
        equal(len({grant["refresh_token"] for grant in good}), 1, f"{way}: successors")
        record.repeated.add(good[0]["refresh_token"])
        equal(set(codes), {"request.rate_limited"} if codes else set(), way)
        for grant in good:
            ok("user.me", token=grant["access_token"])
