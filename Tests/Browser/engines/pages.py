"""The first page, a room, a profile's door and what is not there: their words, no complaint, and a policy that holds."""
from support import Host, check
from sound_checks import tones


def run(engine, server, folder):
    low = tones.tone(folder / "low.opus", 523.25)
    with Host(server, "--loop", "--title", "<b>Late</b> night", low) as host:
        tab = engine.tab(server.url + "/").store()
        tab.until("document.querySelector('.room-link')", "a room is shown")
        check("The same music, at the same moment." in tab.text("main"), f"the first page says {tab.text('main')!r}")
        check("<b>Late</b> night" in tab.text("main"), "a room's title is not the text it is")
        seen = tab.evaluate("[isSecureContext, crossOriginIsolated, typeof trustedTypes, document.querySelector('.room-card b') === null]")
        check(seen == [True, True, "object", True], f"secure, isolated, with Trusted Types, and no markup: {seen}")
        for path, words in (("/people", None), ("/sign-in", "password"), ("/settings", "Equaliser"), ("/nothing/here", None)):
            tab.goto(server.url + path)
            tab.until("document.querySelector('main h1')?.textContent", f"{path} has a heading")
            check(not words or words.lower() in tab.text("main").lower(), f"{path} says {tab.text('main')!r}")
        tab.goto(f"{server.url}/r/{host.room}")
        tab.store()
        tab.until("document.querySelector('room-stage .badge')?.textContent && player.room?.isJoined", "the room")
        for words in ("Tone", "<b>Late</b> night"):
            check(words in tab.text("room-stage"), f"the room says {tab.text('room-stage')!r}")
        icons = tab.evaluate("[...document.querySelectorAll('svg')].every(icon => icon.getBoundingClientRect().width > 0 || !icon.checkVisibility())")
        check(icons, "an icon is not drawn")
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0, f"the room is {wide} pixels too wide")
        check(not tab.complaints, f"the console was told: {tab.complaints[:3]}")
        # What the policy forbids is not done, and is complained of: so no complaint before means something.
        tab.evaluate("""() => {
            const script = document.createElement('script');
            try { script.textContent = 'window.bad = 1'; } catch { /* Refused already. */ }
            document.body.append(script, Object.assign(new Image(), {src: 'http://example.org/picture.png'}));
        }""")
        tab.wait_for_timeout(500)
        check(tab.evaluate("window.bad ?? null") is None, "an inline script runs")
        check(tab.complaints, "what the policy forbids is not complained of")
