"""Without a network the page opens all the same, says so, and goes on when it is back."""
import os, pathlib, shutil

from support import Page, Server, check, chromium

OWN_SERVER = "it stops the server"

SITE = pathlib.Path(__file__).parents[3] / "Sources/SonaServer/Public"
KEPT = """async () => { const urls = []; for (const name of await caches.keys())
    for (const {url} of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname); return urls; }"""


def renewed(browser, programs, folder):
    """After one visit to a server that was updated, the page of the new version opens without it."""
    site, before = folder / "site", os.environ.get("SONA_SITE")
    shutil.copytree(SITE, site)
    os.environ["SONA_SITE"] = str(site)
    try:
        with Server(programs) as server:
            def kept(tab):
                assets = tab.evaluate("new URL('.', document.querySelector('script[type=module]').src).pathname")
                tab.until(f"({KEPT})().then(kept => kept.filter(path => path.startsWith('{assets}')).length > 40)", "what was used is kept")
                return assets
            tab = Page(browser.new_context(locale="en"), server.url + "/")
            tab.until("document.querySelector('home-page')", "the first page")
            first, port = kept(tab), server.port
            server.stop()
            with (site / "main.js").open("a") as file:
                file.write("// Another version.\n")
            server.start(port)
            tab.goto(server.url + "/")
            tab.until("document.querySelector('home-page')", "the first page of the new version")
            check(kept(tab) != first, "the version is the same")
            server.stop()
            tab.goto(server.url + "/")
            tab.until("document.querySelector('home-page')", "the new version opens without a server")
    finally:
        if before is None:
            del os.environ["SONA_SITE"]
        else:
            os.environ["SONA_SITE"] = before


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
        used = ["/packs/settings.js", "/packs/home.js", "/main.js", "/styles/all.css", "/locales/first.pl.json"]
        tab.until(f"({KEPT})().then(kept => {used}.every(name => kept.some(path => path.endsWith(name))))", "what was used is kept")
        kept = tab.evaluate(KEPT)
        others = [path for path in kept if "/hosting/" in path or path.endswith((".es.json", "/packs/room.js", "/packs/host.js")) or path.startswith("/v1")]
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
        renewed(browser, server.programs, folder)
