"""What is granted only to whoever has just proved who they are."""
from protocol_checks.helpers import PASSWORD, Client, check, equal, some_name, true

from account_checks.stage import issuer, ok, outsider, person, record, refused

WANTING = (("auth.change_password", {"new_password": "another password"}),
           ("auth.change_email", {"email": "nobody@example.org"}), ("account.export", {}),
           ("account.remove", {"code": "x" * 32}))


@check("a refreshed token carries no proof; reauthenticating brings one, for the token and for the connection")
def _():
    made = person()
    grant = ok("auth.refresh", {"refresh_token": made["refresh_token"]})
    token = grant["access_token"]
    for kind, data in WANTING:
        refused("auth.reauth_required", kind, data, token, 403)
    refused("auth.credentials_invalid", "auth.reauthenticate", {"password": "wrong password"}, token, 401)
    refused("auth.reauth_required", "account.export", {}, token, 403)
    for data in ({}, {"password": PASSWORD, "provider": "firebase", "token": "x"}, {"provider": "firebase"}):
        refused("request.invalid", "auth.reauthenticate", data, token, 400)
    with Client(token) as c:
        c.refused("auth.reauth_required", "account.export")
        proved = c.data("auth.reauthenticate", {"password": PASSWORD})
        equal((proved["user"], "refresh_token" in proved), (made["user"], False), "access grant")
        c.data("account.export")
    ok("account.export", {}, proved["access_token"])
    refused("auth.reauth_required", "account.export", {}, token, 403)
    ok("auth.refresh", {"refresh_token": grant["refresh_token"]})


@check("a refresh on a connection that had a proof")
def _():
    made = person()
    with Client(None) as c:
        grant = c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        c.data("account.export")
        again = c.data("auth.refresh", {"refresh_token": grant["refresh_token"]})
        refused("auth.reauth_required", "account.export", {}, again["access_token"], 403)


@check("the issuer's user proves it with a new token of the issuer; somebody else's is none")
def _():
    subject = some_name()
    made = outsider(subject, name=True)
    token = ok("auth.refresh", {"refresh_token": made["refresh_token"]})["access_token"]
    refused("auth.reauth_required", "account.export", {}, token, 403)
    refused("auth.credentials_invalid", "auth.reauthenticate", {"password": PASSWORD}, token, 401)
    refused("auth.credentials_invalid", "auth.reauthenticate",
            {"provider": "firebase", "token": issuer.token(some_name())}, token, 401)
    proved = ok("auth.reauthenticate", {"provider": "firebase", "token": issuer.token(subject)}, token)
    ok("account.export", {}, proved["access_token"])


@check("an issuer's token that was only renewed is no proof: what counts is when they signed in there")
def _():
    import time
    subject, now = some_name(), int(time.time())
    old = issuer.token(subject, auth_time=now - 86_400)
    made = ok("auth.exchange", {"provider": "firebase", "token": old})
    refused("auth.reauth_required", "account.export", {}, made["access_token"], 403)
    true(ok("user.me", token=made["access_token"])["user"]["uid"] == subject, "uid")


@check("an export holds what is stored about its owner, and of others no address")
def _():
    made, other = person(display_name="Dïsplay"), person()
    token = made["access_token"]
    ok("profile.update", {"bio": "About me.", "links": [{"url": "https://example.org/me"}]}, token)
    ok("people.follow", {"user": "@" + other["username"]}, token)
    ok("people.follow", {"user": "@" + made["username"]}, other["access_token"])
    room = ok("room.create", {"title": "Of mine"}, token)["room"]["id"]
    text = str(ok("account.export", {}, token)["export"])
    for what in (made["email"], made["username"], made["user"]["uid"], "Dïsplay", "About me.", "example.org/me", room):
        true(what in text, f"{what} is not in the export")
    true(other["email"] not in text and "$scrypt" not in text, "what is no matter of theirs is in the export")
    record.owns(made["email"], made["user"]["uid"])
