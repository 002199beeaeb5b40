"""The client library on a page of another origin: its three examples run there, and hear the same moment as our own page."""
import contextlib, functools, http.server, pathlib, shutil, threading

from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from sound_checks.two_tabs import PITCH, apart, listen
from support import Host, Page, Server, check, chromium
from .playing import RULES

OWN_SERVER = True
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "Sources" / "SonaServer" / "Public" / "client" / "examples"
#: How far two pages may be apart, ms.
APART = 4


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def elsewhere(folder):
    """Somebody else's web server: its address."""
    with http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def run(playwright, server, folder):
    site = folder / "site"
    site.mkdir()
    with elsewhere(site) as origin, Server(server.programs, "--allow-origin", origin) as own, chromium(playwright) as browser:
        # As somebody would copy them: only the address of the library is another.
        for file in EXAMPLES.iterdir():
            text = file.read_text()
            (site / file.name).write_text(text.replace("'../sona.js'", f"'{own.url}/client/1/sona.js'"))
        (site / "favicon.ico").write_bytes(b"")
        tone = tones.tone(folder / "library.opus", PITCH)
        with Host(own, "--loop", "--title", "A tone", tone) as host:
            where = f"?server={own.url}&room={host.room}"
            ours = listen(browser.new_context(), host)
            theirs = Page(browser.new_context(), f"{origin}/listen.html{where}")
            theirs.until("!document.getElementById('play').disabled", "it has entered", 20)
            theirs.until("document.getElementById('title').textContent === 'Tone'", "the title")
            check(not Axe().run(theirs.page, options=RULES).response["violations"], "axe finds something in the example")
            theirs.click("#play")
            theirs.until("document.getElementById('about').textContent.endsWith('sounding')", "it sounds", 20)
            check(theirs.evaluate("location.origin") != own.url, "it is the same origin")
            theirs.click("#play")
            theirs.until("document.getElementById('about').textContent.endsWith('silent')", "it is paused")

            # The same moment: by a page that holds what the library gives.
            (site / "bare.html").write_text(f"""<!doctype html><title>Bare</title><button>Play</button><script type="module">
                import {{connect, version}} from '{own.url}/client/1/sona.js';
                const sona = await connect('{own.url}', {{name: 'bare'}});
                window.room = await sona.enter('{host.room}');
                window.sona = sona; window.version = version; room.volume = 1;
                document.querySelector('button').onclick = () => room.play();
            </script>""")
            bare = Page(browser.new_context(), f"{origin}/bare.html")
            bare.until("window.room", "it has entered", 20)
            bare.click("button")
            bare.until("room.state === 'sounding'", "it sounds", 20)
            check(bare.evaluate("[version.split('.')[0], room.info.title, room.track.title, sona.user.guest, sona.room === room]") == ["1", "A tone", "Tone", True, True], "what it says")
            check(bare.evaluate("sona.clockError < 5000 && room.position > 0"), "the clock and the position")
            check(bare.evaluate("room.send('x'.repeat(5000)).then(() => null, ({code}) => code)") == "chat.text_invalid", "a refusal has its code")

            bare.evaluate("window.player = {engine: room.engine, analyser: room.analyser, meter: {total: null}}")
            bare.wait_for_timeout(3000)  # all clocks are learnt, and what that leaves is made up for
            late, _ = apart([ours, bare])
            check(abs(late) < APART, f"the page elsewhere is {late:.2f} ms behind ours")
            lines = [f"a page of another origin hears the same {late:+.2f} ms later"]

            talk = Page(browser.new_context(), f"{origin}/chat.html{where}")
            talk.page.fill("#text", "Hello from elsewhere")
            talk.click("#form button")
            talk.until("document.getElementById('messages').textContent.includes('Hello from elsewhere')", "it is shown")
            bare.until("room.chat.some(({text}) => text === 'Hello from elsewhere')", "the others read it")
            check(not Axe().run(talk.page, options=RULES).response["violations"], "axe finds something in the chat")

            found = Page(browser.new_context(), f"{origin}/rooms.html?server={own.url}")
            found.until("document.querySelector('#rooms a')?.textContent === 'A tone'", "the room is found")
            found.page.fill("#words", "nowhere at all")
            found.click("#form button")
            found.until("document.getElementById('problem').textContent === 'No room was found.'", "and no other")

            # After the server has cut the line it comes back by itself.
            bare.evaluate("sona.request('auth.sign_out').catch(() => {})")
            bare.until("sona.status === 'online' && room.state === 'sounding'", "it is back", 20)
            for page in (theirs, bare, talk, found):
                check(not page.complaints, f"a page complains: {page.complaints[:3]}")
    # An origin that the operator has not named gets the files, and no connection.
    with elsewhere(site) as origin, Server(server.programs) as own, chromium(playwright) as browser:
        (site / "bare.html").write_text(f"""<!doctype html><title>Bare</title><script type="module">
            import {{connect}} from '{own.url}/client/1/sona.js';
            window.refused = await connect('{own.url}', {{timeout: 3000}}).then(() => 'connected', ({{code}}) => code);
        </script>""")
        stranger = Page(browser.new_context(), f"{origin}/bare.html")
        stranger.until("window.refused", "an answer", 15)
        check(stranger.evaluate("refused") == "connection.timeout", f"an origin that was not named: {stranger.evaluate('refused')}")
    shutil.rmtree(site)
    return lines
