"""Staying signed in: the refresh token is in a cookie that no script reads, and gone after signing out."""
from support import Fault, Page, check, chromium, eventually

STORED = "localStorage.getItem('sona.credentials')"
# The access token counts as expired: the next look at it has to renew it.
EXPIRE = f"""() => localStorage.setItem('sona.credentials', JSON.stringify({{...JSON.parse({STORED}), expires_ms: 0}}))"""


def cookie(context):
    """The one cookie of the page; None where there is none."""
    found = context.cookies()
    check(len(found) < 2, f"cookies: {found}")
    return found[0] if found else None


def is_good(server, token):
    """Whether a refresh token still buys another."""
    try:
        return bool(server.call("auth.refresh", {"refresh_token": token}))
    except Fault:
        return False


def signed_up(context, server, name):
    tab = Page(context, server.url + "/sign-up").store()
    tab.until("session.user?.guest", "a guest")
    for field, text in (("username", name), ("email", f"{name}@example.org"), ("password", "a long password")):
        tab.fill(f"input[name={field}]", text)
    tab.keyboard.press("Enter")
    tab.until(f"session.user?.username === '{name}' && location.pathname === '/'", "signed up")
    return tab


def run(playwright, server, folder):
    with chromium(playwright) as browser:
        context = browser.new_context()
        tab = signed_up(context, server, "mira")
        first = eventually(lambda: tab.wait_for_timeout(50) or cookie(context), "the token is in a cookie")
        check((first["httpOnly"], first["sameSite"], first["path"], first["secure"]) == (True, "Strict", "/v1/cookie", False), f"{first}")
        check(first["name"] == f"sona_refresh_{server.port}", f"two servers of one machine share {first['name']}")
        check(tab.evaluate("document.cookie") == "", "a script sees the cookie")
        check("refresh" not in tab.evaluate(STORED), "the token is in the browser's storage")
        sent = []
        tab.on("request", lambda request: sent.append(request) if "cookie" in request.all_headers() else None)

        tab.evaluate(EXPIRE)
        tab.reload()
        tab.store()
        tab.until("session.status === 'online'", "connected")
        check(tab.evaluate("session.user.username") == "mira", "an expired access token is not renewed")
        second = cookie(context)
        check(second["value"] != first["value"], "the refresh token was not changed")
        check({request.url for request in sent} == {f"{server.url}/v1/cookie/refresh"}, f"the cookie goes to {[r.url for r in sent]}")

        # Another tab, at the same time.
        other = Page(context, server.url + "/").store()
        other.until("session.status === 'online'", "another tab")
        tab.evaluate(EXPIRE)
        other.until(f"JSON.parse({STORED}).expires_ms === 0", "the other tab sees what this one keeps")
        for one in (tab, other):
            one.evaluate("() => { window.renewed = session.freshToken(); }")
        for one in (tab, other):
            check(server.call("user.me", token=one.evaluate("renewed"))["user"]["username"] == "mira", "one of two tabs has no token")

        # Signing out ends the sign-in, here and in the other tab.
        last = cookie(context)["value"]
        tab.goto(server.url + "/account")
        tab.get_by_role("button", name="Sign out", exact=True).click()
        tab.store()
        tab.until("session.status === 'online' && session.user.guest", "signed out")
        other.until("session.status === 'online' && session.user.guest", "the other tab, too")
        check(cookie(context) is None, "the cookie is still there")
        check(not is_good(server, last), "the token is still good")
        check(tab.evaluate("document.querySelector('.toast') === null") or "signed out" not in tab.locator(".toast").first.inner_text().lower(),
              "it says that somebody else signed us out")

        # What an earlier version of the page has kept in storage goes into the cookie.
        other.close()
        person = server.person("noor")
        tab.evaluate("""grant => localStorage.setItem('sona.credentials', JSON.stringify({
            user: grant.user, access_token: grant.access_token, refresh_token: grant.refresh_token, expires_ms: 0}))""", person)
        tab.reload()
        tab.store()
        tab.until("session.status === 'online' && session.user.username === 'noor'", "still signed in")
        check("refresh" not in tab.evaluate(STORED), "the token stays in storage")
        check(cookie(context) is not None, "the token is not in a cookie")

        # A server that cannot be reached signs nobody out; it is done as soon as it can.
        context.set_offline(True)
        check(tab.evaluate("session.signOut().then(() => 'out', error => error.name)") != "out", "signed out without the server")
        check(tab.evaluate("session.credentials.kept.user.username") == "noor", "half signed out")
        context.set_offline(False)
        tab.until("session.status === 'online' && session.user.username === 'noor'", "back")
        return ["an HttpOnly, SameSite=Strict cookie for /v1/cookie, renewed there and nowhere else"]
