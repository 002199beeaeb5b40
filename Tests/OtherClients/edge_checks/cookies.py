"""accounts.md, "The refresh token in a cookie": set, renewed and taken away, for pages of this server alone."""
import http.cookies, json

from protocol_checks.helpers import account, check, equal, rpc_refused, true
from edge_checks.stage import EdgeServer, ask, certificate, code
import ssl


def call(server, what, data=None, cookie=None, origin=None, host=None, headers=None, context=None):
    """(status, body, the cookie that is set as a Morsel or None) of a request of the server's own page."""
    own = f"127.0.0.1:{server.port}"
    given = {"Content-Type": "application/json", "Host": host or own,
             "Origin": f"http{'s' if context else ''}://{own}" if origin is None else origin}
    given |= {"Cookie": cookie} if cookie else {}
    status, body, answered = ask(server.port, "POST", f"/v1/cookie/{what}",
                                 {name: text for name, text in (given | (headers or {})).items() if text},
                                 json.dumps(data or {}), context=context)
    jar = http.cookies.SimpleCookie(answered.get("set-cookie", ""))
    true(len(jar) < 2, "more than one cookie")
    return status, json.loads(body), next(iter(jar.values()), None)


def shown(morsel):
    return f"{morsel.key}={morsel.value}"


@check("a refresh token in a cookie: kept, renewed, a lost answer repeated, shown again too late, signed out")
def _():
    with EdgeServer() as server:
        made = account()
        status, body, first = call(server, "keep", {"refresh_token": made["refresh_token"]})
        equal((status, body), (200, {"type": "ok", "data": {}}), "keep")
        equal((first.key, first.value, first["path"], first["max-age"], first["httponly"], first["samesite"],
               bool(first["secure"]), first["domain"]),
              (f"sona_refresh_{server.port}", made["refresh_token"], "/v1/cookie", str(60 * 86400), True, "Strict",
               False, ""), "the cookie")
        status, body, second = call(server, "refresh", cookie=f"theme=dark; {shown(first)}; x=y")
        equal((status, sorted(body["data"])), (200, ["access_token", "expires_in_s", "user"]), "refresh")
        equal(body["data"]["user"]["username"], made["username"], "who")
        true(second.value != first.value, "the token is the same")
        equal(ask(server.port, "POST", "/v1/rpc/user.me", {"Authorization": f"Bearer {body['data']['access_token']}"})[0],
              200, "the access token")
        _, _, again = call(server, "refresh", cookie=shown(first))
        equal(again.value, second.value, "an answer that was lost")
        _, _, third = call(server, "refresh", cookie=shown(second))
        status, body, gone = call(server, "refresh", cookie=shown(first))
        equal((status, body["error"]["code"], gone.value, gone["max-age"]), (401, "auth.refresh_invalid", "", "0"),
              "shown again when its successor was used")
        equal(call(server, "refresh", cookie=shown(third))[0], 401, "and all that descend from it")

        made = account()
        _, _, kept = call(server, "keep", {"refresh_token": made["refresh_token"]})
        status, body, gone = call(server, "sign_out", cookie=shown(kept))
        equal((status, body["data"], gone.key, gone.value, gone["max-age"], gone["path"]),
              (200, {}, kept.key, "", "0", "/v1/cookie"), "sign-out")
        rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": made["refresh_token"]})
        equal(call(server, "sign_out")[:2], (200, {"type": "ok", "data": {}}), "without a cookie")
        equal((status := call(server, "refresh"))[0], 401, "refresh without a cookie")


@check("a refresh token in a cookie: only for pages that say they are this server's, with JSON, by POST")
def _():
    with EdgeServer("--allow-origin", "https://friend.example", "--public-url", "https://sona.example") as server:
        made, own = account(), f"127.0.0.1:{server.port}"
        _, _, kept = call(server, "keep", {"refresh_token": made["refresh_token"]})
        for origin, allowed in ((f"http://{own}", True), ("https://sona.example", True), ("https://friend.example", False),
                                ("http://evil.example", False), ("null", False), ("", False)):
            for what in ("keep", "refresh", "sign_out"):
                status, body, cookie = call(server, what, {"refresh_token": made["refresh_token"]}, origin=origin)
                if not allowed:
                    equal((status, body["error"]["code"], cookie), (403, "request.origin_forbidden", None), f"{what} of {origin!r}")
                elif what == "keep":
                    equal((status, bool(cookie["secure"])), (200, origin.startswith("https")), f"{what} of {origin}")
        equal(call(server, "refresh", cookie=shown(kept), headers={"Content-Type": "text/plain"})[0], 415, "text")
        status, _, headers = ask(server.port, "GET", "/v1/cookie/refresh", {"Cookie": shown(kept), "Origin": f"http://{own}"})
        equal((status, headers.get("allow")), (405, "POST"), "GET")
        status, body, _ = call(server, "nothing")
        equal((status, body["error"]["code"]), (404, "request.unknown"), "another path")
        for token in ("", "a;b", "a b", 'a"b', "ä", "x" * 513, 5, None):
            status, body, cookie = call(server, "keep", {"refresh_token": token})
            equal((status, body["error"]["code"], cookie), (400, "request.invalid", None), f"token {token!r}")
        # Two of the name: one was put there by somebody else.
        for cookie in (f"{shown(kept)}; {kept.key}=other", f"{kept.key}=other; {shown(kept)}", f"{kept.key}", "=", ";;;", f"{kept.key}_9={kept.value}"):
            equal(call(server, "refresh", cookie=cookie)[0], 401, cookie)
        equal(call(server, "refresh", cookie=shown(kept))[0], 200, "it is still good")


@check("a refresh token in a cookie: Secure over TLS, and no port in its name where the address has none")
def _():
    with EdgeServer(tls=True) as server:
        context = ssl.create_default_context(cafile=certificate()[0])
        _, _, kept = call(server, "keep", {"refresh_token": "abc"}, context=context)
        equal((bool(kept["secure"]), kept.key), (True, f"sona_refresh_{server.port}"), "over TLS")
        _, _, kept = call(server, "keep", {"refresh_token": "abc"}, context=context, host="localhost", origin="https://localhost")
        equal(kept.key, "sona_refresh", "at the usual port")
