"""What somebody typed is text, wherever it is shown."""
from support import Page, check, chromium

EVIL = "<img src=x onerror=\"window.owned=1\"><script>window.owned=1</script>"
SHORT = "<b onclick=alert(1)>x</b>"
TURNED = "\u202egnp.exe"


def run(playwright, server, folder):
    hilde = server.person("hilde")["access_token"]
    server.call("profile.update", {"display_name": SHORT + "&amp;", "bio": EVIL, "public": True,
                                   "links": [{"title": SHORT, "url": "https://example.org/%22%3E<script>"}]}, hilde)
    room = server.call("room.create", {"title": EVIL[:90], "visibility": "public", "description": EVIL, "tags": [SHORT[:20]]}, hilde)["room"]
    server.call("room.create", {"title": "And on", "description": TURNED, "visibility": "public"}, hilde)
    hugo = server.person("hugo")["access_token"]
    server.call("people.follow", {"user": "@hilde"}, hugo)
    with chromium(playwright) as browser:
        tab = Page(browser, server.url + "/sign-in")
        tab.fill("input[name=email]", "hugo@example.org")
        tab.fill("input[name=password]", "a long password")
        tab.keyboard.press("Enter")
        tab.until("location.pathname === '/' && document.querySelectorAll('.room-link').length === 2", "the rooms")
        check(tab.evaluate("[...document.querySelectorAll('.room-link')].some(link => link.textContent === %r)" % EVIL[:90]), "the title is not as it was typed")
        places = {"/": "home-page", "/people": "people-page .person", "/u/@hilde": "user-page .bio", f"/r/{room['id']}": "room-page .big-play"}
        for path, selector in places.items():
            tab.goto(server.url + path)
            tab.until(f"document.querySelector('{selector}')", path)
            foreign = tab.evaluate("""[...document.querySelectorAll('main img, main script, main b')]
                .filter(one => !one.getAttribute('src')?.startsWith('/v1/photos/')).map(one => one.outerHTML.slice(0, 120))""")
            check(not foreign, f"{path}: {foreign}")
            check(tab.evaluate("window.owned === undefined"), f"{path}: a script ran")
        tab.goto(server.url + "/u/@hilde")
        tab.until("document.querySelector('user-page .bio')", "her page")
        check(tab.evaluate("document.querySelector('.bio').textContent") == EVIL, "the text is not as it was typed")
        check(tab.evaluate("document.querySelector('.links a').protocol") == "https:", "another scheme")
        # In the address: a search, a user, a room and a place to return to that mean harm.
        for path in ("/?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "/u/%3Cscript%3E", "/r/%3Cimg%20src=x%3E",
                     "/sign-in?from=//example.org", "/sign-in?from=javascript:alert(1)", "/sign-in?from=/%5Cexample.org"):
            tab.goto(server.url + path)
            tab.until("document.querySelector('main > *')", path)
            check(tab.evaluate("!document.querySelector('main img[src=x], main script')"), f"{path} became markup")
            links = tab.evaluate("[...document.querySelectorAll('main a[href]')].map(link => link.href)")
            check(all(link.startswith(server.url + "/") for link in links), f"{path}: {links}")
        bad = [line for line in tab.complaints if "404" not in line]
        check(not bad, f"{bad}")
