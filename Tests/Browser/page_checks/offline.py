"""Without a network the page opens all the same, says so, and goes on when it is back."""
from support import Page, check, chromium

KEPT = """async () => { const urls = []; for (const name of await caches.keys())
    for (const {url} of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname); return urls; }"""


def run(playwright, server, folder):
    ada = server.person("ada")["access_token"]
    server.call("room.create", {"title": "Late night", "visibility": "public"}, ada)
    with chromium(playwright) as browser:
        context = browser.new_context(locale="pl-PL")
        tab = Page(context, server.url + "/")
        tab.until("document.querySelector('.room-link')", "a room is shown")
        check(tab.evaluate("document.documentElement.lang") == "pl", "not in the browser's language")
        tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
        tab.until("navigator.serviceWorker.controller !== null", "the worker has taken over")
        tab.goto(server.url + "/settings")
        tab.until("document.querySelector('settings-page h1')", "settings")
        # What was used is kept, whether the worker was there already or not; nothing else, so nothing else was fetched.
        tab.until(f"({KEPT})().then(kept => kept.some(path => path.endsWith('/settings-page.js')))", "what was used is kept")
        kept = tab.evaluate(KEPT)
        used = [path for path in kept if path.endswith(("/home-page.js", "/main.js", "/tokens.css", "/pl.json"))]
        check(len(kept) > 40 and len(used) == 4, f"kept are {kept}")
        others = [path for path in kept if "/hosting/" in path or path.endswith(("/es.json", "/room-page.js")) or path.startswith("/v1")]
        check(not others, f"nobody used {others}")
        # The server itself goes: browsers' own switch leaves sockets open.
        port = server.port
        server.stop()
        tab.goto(server.url + "/settings")
        tab.until("document.querySelector('settings-page h1')?.textContent === 'Ustawienia'", "the page opens without a server")
        tab.until("document.querySelector('.line-state p')", "it says that there is no line")
        tab.goto(server.url + "/")
        tab.until("document.querySelector('home-page')", "so does the first page")
        server.start(port)
        tab.until("document.querySelector('.room-link')", "it goes on by itself", seconds=40)
        tab.until("!document.querySelector('.line-state p')", "and no longer says so")
        context.set_offline(True)
        tab.until("document.querySelector('.line-state p')?.textContent.includes('sieci')", "it says that the device is offline")
        context.set_offline(False)
        tab.until("!document.querySelector('.line-state p')", "and is back")
