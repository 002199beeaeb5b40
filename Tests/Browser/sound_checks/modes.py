"""What a browser lets a page do: a click that is wanted first, an address that is not secure."""
from support import PATIENCE, Host, Page, check, chromium
from . import tones
from .two_tabs import LEVEL, PITCH, apart, hear, listen

NAME = "sona.home.arpa"
TELL = """
    try { sessionStorage.setItem('sona.listening', '%s'); } catch { /* A page that has no storage yet. */ }
    const look = setInterval(() => {
        if (!document.querySelector('room-stage[data-state=blocked]')) return;
        clearInterval(look);
        console.log('it is blocked');
    }, 100);
"""


def blocked(playwright, host):
    """Who was listening when the tab was closed is let in again; the browser wants a click, and the page says so."""
    with chromium(playwright, clicks_needed=True) as browser:
        context = browser.new_context()
        context.add_init_script(TELL % host.room)
        # Nothing is evaluated or looked for before the click: to a browser that would be one. The page tells by itself.
        with context.expect_event("console", lambda message: message.text == "it is blocked", timeout=PATIENCE * 1000):
            tab = Page(context, f"{host.server.url}/r/{host.room}")
        said = tab.locator("room-stage .notice").inner_text()
        check("browser" in said and "Play" in said, f"what the page says is: {said!r}")
        tab.click(".big-play")
        tab.locator("room-stage[data-state=live]").wait_for()
        tab.store()
        check(tab.evaluate("player.playing && player.engine.context.state === 'running'"), "one click does not do")


def insecure(playwright, server, host):
    """By a name that is not this machine's own the address is not secure: small files, on the same clock."""
    with chromium(playwright, f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as browser:
        tab = Page(browser, f"http://{NAME}:{server.port}/r/{host.room}").store()
        check(not tab.evaluate("isSecureContext") and tab.evaluate("typeof AudioDecoder") == "undefined", "the address is secure")
        tab.evaluate("player.volume = 1")
        tab.click(".big-play")
        tab.until("player.state === 'live'", "the room is heard without a secure address")
        check(tab.evaluate("player.mode") == "buffers", "the page does not say which mode it is in")
        check("not secure" in tab.locator("sync-meter .meter-note").inner_text(), "one has to look for the mode the page is in")
        tab.click("sync-meter summary")
        tab.until("document.querySelector('sync-meter dl').innerText.includes('not secure')", "the meter says which mode it is in")
        secure = listen(browser, host)
        check(not secure.locator("sync-meter .meter-note").is_visible(), "the usual mode is worth a note")
        secure.wait_for_timeout(3000)
        taken = hear([tab, secure])
        sound = tones.samples(taken[0]["samples"])
        check(abs(tones.pitch(sound) - PITCH) < 1, f"the pitch is {tones.pitch(sound):.1f} Hz")
        check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"the level is {tones.level(sound):.4f}")
        check(tones.share_at(sound, PITCH) > 0.95, f"the tone is {tones.share_at(sound, PITCH):.3f} of the sound: it is not whole")
        late, _ = apart([tab, secure])
        total = tab.evaluate("player.meter.total")
        check(abs(late) < 2, f"the modes are {late:.2f} ms apart")
        check(total["undecodable"] == 0, f"faults: {total}")
        return f"without a secure address: {late:+.3f} ms from a tab with one, {total['underruns']} gaps, {total['resyncs']} jumps"


def undecoded(playwright, host):
    """Small files where the address is secure, but the browser decodes no packets: the page does not blame the address."""
    with chromium(playwright) as browser:
        context = browser.new_context()
        context.add_init_script("Object.defineProperty(globalThis, 'AudioDecoder', {value: undefined})")
        tab = listen(context, host)
        said = tab.locator("sync-meter .meter-note").inner_text()
        check("decoder" in said and "secure" not in said, f"of the mode the page says {said!r}")


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    with Host(server, "--loop", low) as host:
        blocked(playwright, host)
        undecoded(playwright, host)
        return ["a browser that wants a click: said, and one Play", insecure(playwright, server, host)]
