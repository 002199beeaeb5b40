"""What the server writes to people."""
import json, time

from protocol_checks.helpers import PASSWORD, Client, check, equal, some_name, true

from account_checks.stage import KeptConnection, mailbox, ok, outsider, reader, record, refused, sign_in


@check("request_recovery: the same bytes for a known address, an unknown one, and what is none; mail for one")
def _():
    made, connection = reader(), KeptConnection()
    answers = {connection.post("auth.request_recovery", json.dumps({"email": address}))
               for address in (made["email"], some_name() + "@example.org", "no address", "", "a@b@c", "x" * 254)}
    equal(answers, {(200, b'{"type":"ok","data":{}}')}, "answers")
    true(mailbox.code(made["email"], 2), "no code")
    with Client(None) as c:
        equal(c.data("auth.request_recovery", {"email": made["email"]}),
              c.data("auth.request_recovery", {"email": "x" + made["email"]}), "data over WebSocket")
    mailbox.wait(made["email"], 3)
    equal(mailbox.of("x" + made["email"]), [], "mail to nobody")


@check("at most three mails for recovery in an hour, silently")
def _():
    made = reader()
    for _ in range(6):
        equal(ok("auth.request_recovery", {"email": made["email"]}), {}, "data")
    mailbox.wait(made["email"], 4)
    time.sleep(4)  # mail for recovery begins within seconds
    equal(len(mailbox.of(made["email"])), 4, "mails, with that for confirmation")


@check("a sign-up is followed by a mail whose code confirms the address, once, for whoever brings it")
def _():
    made = reader()
    code = mailbox.code(made["email"])
    equal(ok("auth.confirm_email", {"code": code}), {}, "data")
    me = ok("user.me", token=made["access_token"])
    equal((me["email"], me["email_confirmed"]), (made["email"], True), "user.me")
    refused("auth.code_invalid", "auth.confirm_email", {"code": code}, status=422)
    ok("auth.request_confirmation", {}, made["access_token"])  # confirmed already: no mail
    ok("auth.request_recovery", {"email": made["email"]})
    mail = mailbox.wait(made["email"], 2)
    true("password" in mail["Subject"], f"{mail['Subject']!r} instead of the mail for recovery")
    again = reader()
    ok("auth.request_confirmation", {}, again["access_token"])
    ok("auth.confirm_email", {"code": mailbox.code(again["email"], 2)})
    nameless = outsider()
    refused("auth.email_required", "auth.request_confirmation", {}, nameless["access_token"], 409)
    refused("auth.email_required", "auth.change_password", {"new_password": PASSWORD}, nameless["access_token"], 409)


@check("codes are for one purpose: those of one kind are none of the other")
def _():
    made = reader()
    confirmation = mailbox.code(made["email"])
    ok("auth.request_recovery", {"email": made["email"]})
    recovery = mailbox.code(made["email"], 2)
    removal = ok("account.export", {}, made["access_token"])["code"]
    for wrong in (recovery, removal):
        refused("auth.code_invalid", "auth.confirm_email", {"code": wrong}, status=422)
    for wrong in (confirmation, removal):
        refused("auth.code_invalid", "auth.recover", {"code": wrong, "new_password": PASSWORD}, status=422)
    for wrong in (confirmation, recovery):
        refused("auth.code_invalid", "account.remove", {"code": wrong}, made["access_token"], 422)
    ok("auth.confirm_email", {"code": confirmation})
    ok("auth.recover", {"code": recovery, "new_password": PASSWORD})


@check("another address: the code goes there, the account changes when it comes back, and the old address is told")
def _():
    made, new = reader(), some_name() + "@example.org"
    record.owns(new, made["user"]["uid"])
    token = made["access_token"]
    equal(ok("auth.change_email", {"email": new}, token), {}, "data")
    code = mailbox.code(new)
    equal(ok("user.me", token=token)["email"], made["email"], "before")
    ok("auth.confirm_email", {"code": code})
    me = ok("user.me", token=token)
    equal((me["email"], me["email_confirmed"]), (new, True), "after")
    told = mailbox.wait(made["email"], 2)
    true("address" in told["Subject"] and new not in told.get_content(), f"the old address: {told['Subject']!r}")
    refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": PASSWORD}, status=401)
    sign_in(made | {"email": new})


@check("an address that somebody has: not said when it is asked for, but to whoever reads its mail")
def _():
    made, owner = reader(), reader()
    equal(ok("auth.change_email", {"email": owner["email"]}, made["access_token"]), {}, "data")
    refused("auth.email_taken", "auth.confirm_email", {"code": mailbox.code(owner["email"], 2)}, status=409)
    equal(ok("user.me", token=made["access_token"])["email"], made["email"], "email")
    equal(ok("user.me", token=owner["access_token"])["email"], owner["email"], "the owner's")


@check("mails are in the language of the account, with subjects that any reader decodes")
def _():
    for locale, confirm, recover in (("en_US", "Confirm your e-mail address for Sona", "A new password for Sona"),
                                     ("pl_PL", "Potwierdź adres e-mail w Sonie", "Nowe hasło do Sony"),
                                     ("es_ES", "Confirma tu dirección de correo en Sona",
                                      "Una contraseña nueva para Sona")):
        made = reader(locale=locale)
        mail = mailbox.wait(made["email"])
        equal((mail["Subject"], mail["To"]), (confirm, made["email"]), "subject and recipient")
        true("sona@example.net" in mail["From"], f"From: {mail['From']}")
        true(all(ord(c) < 128 for c in str(mail.as_bytes()[:400])), "headers beyond ASCII")
        true(made["username"] in mail.get_content(), "the mail does not greet")
        ok("auth.request_recovery", {"email": made["email"]})
        equal(mailbox.wait(made["email"], 2)["Subject"], recover, "subject")
    made = reader(locale="en_US")
    ok("settings.update", {"locale": "pl_PL"}, made["access_token"])
    mailbox.wait(made["email"])
    ok("auth.request_recovery", {"email": made["email"]})
    equal(mailbox.wait(made["email"], 2)["Subject"], "Nowe hasło do Sony", "subject after a change of settings")


@check("a username that would be a header, and an address that would be two, come to nothing")
def _():
    for address in ("a@b.example\r\nBcc: evil@example.org", "a@b.example,evil@example.org x", "<a@b.example>",
                    "a@b.example\nX: y"):
        if "<" not in address:
            refused("auth.email_invalid", "auth.sign_up",
                    {"email": address, "password": PASSWORD, "username": some_name()})
        equal(ok("auth.request_recovery", {"email": address}), {}, "data")
    equal([to for to, _ in mailbox.mails if "evil" in to], [], "mail to others")
