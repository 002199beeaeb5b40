"""The player's parts that need no server, in the browser that is to run them; QR codes against qrencode's."""
import json, pathlib

from support import Page, check, chromium

HERE = pathlib.Path(__file__).parent


def run(playwright, server, folder):
    vectors = json.loads((HERE / "qr_vectors.json").read_text(encoding="utf-8"))
    with chromium(playwright) as browser:
        page = Page(browser, server.url)
        tests = (HERE / "modules.js").read_text(encoding="utf-8")
        done = page.evaluate(f"vectors => ({tests})(document.querySelector('script[type=module]').src, vectors)", vectors)
    check(not done["wrong"], "\n".join(done["wrong"]))
    return [f"{done['count']} of {done['count']} hold"]
