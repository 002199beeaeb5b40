"""The site is served as browsers should have it: compressed, cached, isolated, within its size, and nothing beside it."""
import gzip, http.client, json, re
from urllib.parse import quote, urlsplit

from support import Page, check, chromium

SIZE_MAX = 100_000
#: Of a first visit, with the document, the icon, and the worker that decodes.
FILES_MAX = 16


class Client:
    def __init__(self, url):
        parts = urlsplit(url)
        self.host, self.port = parts.hostname, parts.port

    def get(self, path, method="GET", **headers):
        """Status, headers, and body of a request that is sent just as it stands."""
        line = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            line.putrequest(method, path, skip_accept_encoding=True)
            for name, value in headers.items():
                line.putheader(name.replace("_", "-"), value)
            line.endheaders()
            answer = line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            line.close()


def page_and_policy(client):
    status, headers, plain = client.get("/")
    check(status == 200 and headers["content-type"] == "text/html; charset=utf-8", f"/: {status} {headers}")
    check("content-encoding" not in headers, "compressed for who did not ask for it")
    check(headers["cache-control"] == "no-cache" and headers["etag"], f"the page is kept: {headers}")
    policy = headers["content-security-policy"]
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
                 f"ws://{client.host}:{client.port}", "require-trusted-types-for 'script'"):
        check(part in policy, f"the policy lacks {part}: {policy}")
    check("unsafe" not in policy and "*" not in policy, policy)
    for name, value in (("x-content-type-options", "nosniff"), ("cross-origin-opener-policy", "same-origin"),
                        ("cross-origin-embedder-policy", "require-corp"), ("referrer-policy", "same-origin")):
        check(headers[name] == value, f"{name}: {headers.get(name)}")
    check("camera=()" in headers["permissions-policy"], headers["permissions-policy"])
    check(b"<style" not in plain and b" style=" not in plain and b"<script>" not in plain, "inline code in the page")
    return plain.decode()


def cards(client, server):
    """What messengers show of a link: of a room that everybody may see, and of nothing else."""
    owner = server.person("card_owner")["access_token"]
    public = server.call("room.create", {"title": "Late <i>night</i>"}, owner)["room"]["id"]
    private = server.call("room.create", {"title": "A secret", "visibility": "private"}, owner)["room"]["id"]
    page = client.get(f"/r/{public}")[2].decode()
    check('<meta property="og:title" content="Late &lt;i&gt;night&lt;/i&gt;">' in page, page[:900])
    check(f'<meta property="og:url" content="http://{client.host}:{client.port}/r/{public}">' in page, page[:900])
    check("A room of @card_owner." in page, page[:900])
    for hidden in (private, "A" * 20, "@nobody", "not a room"):
        page = client.get(f"/r/{quote(hidden)}")[2].decode()
        check("secret" not in page and "<title>Sona</title>" in page, f"{hidden}: {page[:900]}")
    server.call("room.close", {"room": public}, owner)
    check("<title>Sona</title>" in client.get(f"/r/{public}")[2].decode(), "the card of a room that is closed")


def negotiation(client, asset):
    status, headers, plain = client.get(asset)
    check(status == 200 and "immutable" in headers["cache-control"] and "max-age=31536000" in headers["cache-control"], f"{headers}")
    status, packed_headers, packed = client.get(asset, accept_encoding="gzip, br")
    check(packed_headers["content-encoding"] == "gzip" and packed_headers["vary"] == "accept-encoding", f"{packed_headers}")
    check(gzip.decompress(packed) == plain and int(packed_headers["content-length"]) == len(packed), "gzip is not the file")
    check(packed_headers["etag"] != headers["etag"], "two representations of one tag")
    for refused in ("gzip;q=0", "identity", "br", "gzip;q=0.2, identity", ""):
        check("content-encoding" not in client.get(asset, accept_encoding=refused)[1], f"gzip for {refused!r}")
    for wanted in ("*", "GZIP", "br;q=1.0, gzip;q=0.8, *;q=0.1", "x-gzip"):
        check(client.get(asset, accept_encoding=wanted)[1].get("content-encoding") == "gzip", f"no gzip for {wanted!r}")
    status, head, body = client.get(asset, method="HEAD", accept_encoding="gzip")
    check((status, body, head["content-length"]) == (200, b"", packed_headers["content-length"]), f"HEAD: {status} {head}")
    for known in (packed_headers["etag"], "W/" + packed_headers["etag"], f'"x", {packed_headers["etag"]}', "*"):
        status, again, body = client.get(asset, accept_encoding="gzip", if_none_match=known)
        check((status, body) == (304, b"") and again["etag"] == packed_headers["etag"], f"{known}: {status}")
    check(client.get(asset, accept_encoding="gzip", if_none_match=headers["etag"])[0] == 200, "the other coding's tag")
    check(client.get(asset, method="POST", content_length="0")[0] == 405, "POST to a file")


def every_route(client, assets):
    """Each page that router.js knows, which is in the pack of all pages, is served at its address: whoever loads it anew, or has its link, gets it."""
    routes = re.findall(r"\[/\^(\S+?)\$/, '", client.get(f"{assets}/main.js")[2].decode())
    check(len(routes) > 20, f"only {len(routes)} routes")
    for route in routes:
        path = re.sub(r"\([^()]*\)", "x", re.sub(r"\(\?:.*\)\?$", "", route.replace("\\/", "/")))
        check(client.get(path)[0] == 200, f"{path} is not served")


def bare(page):
    """A document without what differs from page to page: which packs it needs, and where one is in the navigation."""
    return re.sub(r'<link rel="modulepreload"[^>]*>\n| aria-current="page"', "", page)


def preloads(client, assets):
    """What a page needs beside the script, the style and the words of all pages is named in its document, and is there."""
    for path, language, packs in (("/", None, ["home"]), ("/r/@ada", "pl,en;q=0.8", ["room"]), ("/sign-in", "es-MX", ["shared", "sign-in"]),
                                  ("/settings", "xx", ["settings", "shared"]), ("/nowhere", "EN", ["lost"])):
        status, headers, page = client.get(path, **({"accept_language": language} if language else {}))
        check(headers["vary"].split(", ")[-1] == "accept-language", f"{headers}")
        page, code = page.decode(), {"p": "pl", "e": "es"}.get((language or "x")[0], "en") if language != "EN" else "en"
        named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
        check(set(f"{assets}/packs/{pack}.js" for pack in packs) <= set(named) and len(named) <= 4, f"{path}: {named}")
        words = f"{assets}/locales/first.{code}.json"
        check(f'<html lang="{code}">' in page and f'href="{words}" as="fetch" crossorigin' in page, f"{path}: not in {code}")
        check(page.count('rel="stylesheet"') == page.count("<script") == 1, f"{path}: more than one style or script")
        for address in (*named, words, f"{assets}/styles/all.css"):
            check(client.get(address)[0] == 200, f"{address} is not there")


def nothing_beside_it(client, assets):
    for path in ("/nothing", "/r/", "/r/a/b", "/settings/x", "/u/", "/admin/a/b", "/rooms/x"):
        status, headers, body = client.get(path)
        check(status == 404 and body.startswith(b"<!doctype html>"), f"{path}: {status}")
    for path in ("/nothing.js", "/assets/", "/assets/0/main.js", f"{assets}/", f"{assets}/nothing.js", "/v1/nothing",
                 f"{assets}/index.html", f"{assets}/..%2f..%2fmain.js",
                 f"{assets}/store", "/main.js", "/.env"):
        status, headers, body = client.get(path)
        check(status == 404 and headers["content-type"].startswith("text/plain"), f"{path}: {status} {body[:80]}")

    # However it is spelt: the server takes dots out before it looks, and looks in a table.
    for path in ("/../../etc/passwd", f"{assets}/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", f"{assets}/....//etc/passwd"):
        status, headers, body = client.get(path)
        check(status == 404 and b"root:" not in body, f"{path}: {status} {body[:80]}")


def run(playwright, server, folder):
    client = Client(server.url)
    page = page_and_policy(client)
    assets = re.search(r'src="(/assets/[\w-]+)/main.js"', page)[1]
    negotiation(client, f"{assets}/main.js")
    cards(client, server)
    every_route(client, assets)
    nothing_beside_it(client, assets)
    for path in ("/r/k2Vb7nQx0ZrT5mLp9sWd", "/r/@ada", "/u/@ada", "/settings", "/account/recover", "/account/confirm", "/rooms", "/admin", "/admin/users"):
        status, headers, other = client.get(path)
        check(status == 200 and bare(other.decode()) == bare(page), f"{path} is another page")
    preloads(client, assets)
    for name in ("clock", "frames", "playback"):
        status, headers, module = client.get(f"/{name}.js")
        check(status == 200 and headers["content-type"].startswith("text/javascript") and headers["cache-control"] == "no-cache", name)
        check(module == client.get(f"{assets}/wire/{name}.js")[2], f"/{name}.js is not the player's")
    manifest = json.loads(client.get("/manifest.webmanifest")[2])
    for icon in manifest["icons"]:
        check(client.get(icon["src"])[1]["content-type"] == icon["type"], icon["src"])
    check(f"'{assets}'" in client.get("/sw.js")[2].decode(), "the worker is of another version")

    with chromium(playwright) as browser:
        tab = Page(browser, server.url + "/")
        others = []
        tab.page.on("request", lambda request: others.append(request.url) if not request.url.startswith(
            (server.url, server.url.replace("http", "ws"), "data:", "blob:")) else None)
        tab.until("document.querySelector('home-page .empty:not([hidden])')", "the directory is empty")
        check(tab.evaluate("crossOriginIsolated"), "the page is not isolated")
        check(tab.evaluate("""() => { try { document.createElement('p').innerHTML = '<b>x</b>'; return false; } catch { return true; } }"""),
              "text became markup")
        tab.complaints.clear()  # The browser has said so itself.
        tab.goto(server.url + "/settings")
        tab.until("document.querySelector('sound-equalizer')", "settings")
        check(not others and not tab.complaints, f"{others} {tab.complaints}")
        lines = []
        room = server.call("room.create", {"title": "Late night"}, server.person()["access_token"])["room"]["id"]
        for path, selector in (("/", ".room-link"), (f"/r/{room}", "room-page .big-play")):
            # A browser that was never here. What the worker keeps it has from the page: see `offline`.
            context = browser.new_context(locale="en", service_workers="block")
            # What waits until the page is idle, such as the shelves of Explore, is no part of the first visit.
            context.add_init_script("window.requestIdleCallback = () => 0")
            # Nor is what the page asks for once it stands.
            context.add_init_script(f"customElements.whenDefined('{selector.split()[0] if ' ' in selector else 'home-page'}').then(() => {{ window.stood = performance.now(); }})")
            fresh = Page(context, server.url + path)
            fresh.until(f"window.stood && document.querySelector('{selector}')", path)
            sizes = fresh.evaluate("""[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .filter(({startTime}) => startTime <= window.stood).map(({name, encodedBodySize}) => [name, encodedBodySize])""")
            total = sum(size for _, size in sizes)
            check(len(sizes) < FILES_MAX and total < SIZE_MAX, f"{path}: {total} bytes in {len(sizes)} files")
            kinds = [name.rsplit(".", 1)[-1] for name, _ in sizes if "/assets/" in name and "/audio/" not in name and "/wire/" not in name]
            check(kinds.count("js") <= 3 and kinds.count("css") == 1 and kinds.count("json") == 1, f"{path}: {sizes}")
            # The address of a module gives what is in its pack: the page's own session.
            check(fresh.store().evaluate("session.status === 'online' && customElements.get('player-bar') !== undefined"), "another session")
            lines.append(f"{path[:3]} is {total} bytes in {len(sizes)} files")
    return lines
