"""Signing up and writing in a room by the keyboard alone; what is written arrives, both ways."""
import json, os, subprocess

from page_checks.staying import EXPIRE
from sound_checks import tones
from support import Host, check, eventually

#: As text it is harmless.
HOSTILE = "<img src=x onerror=alert(1)> & co."


class Chat:
    """`sonactl chat`: what it prints."""

    def __init__(self, server, room, token, folder):
        self.path = folder / "chat"
        with self.path.open("wb") as out:
            self.process = subprocess.Popen(
                [server.programs / "sonactl", "--server", server.url, "--token", token, "chat", room, "--json"],
                stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.PIPE, env=os.environ | {"XDG_CONFIG_HOME": str(folder / "other")})

    @property
    def texts(self):
        return [json.loads(line)["text"] for line in self.path.read_text().splitlines() if line.startswith("{")]

    def say(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def run(engine, server, folder):
    low = tones.tone(folder / "low.opus", 523.25)
    with Host(server, "--loop", "--title", "Late night", low) as host:
        tab = engine.tab(server.url + "/").store()
        tab.until("document.querySelector('.room-link') && session.status === 'online'", "a room is shown")
        tab.tab_to(".who a[href^='/sign-up']")
        tab.press("Enter")
        tab.until("document.querySelector('sign-up-page form')", "the page for signing up")
        for name, text in (("username", "bea"), ("email", "bea@example.org"), ("password", "long enough")):
            tab.tab_to(f"input[name={name}]")
            tab.type(text)
        tab.press("Enter")
        tab.until("session.user?.username === 'bea' && location.pathname === '/'", "signed up")
        tab.tab_to(".room-link")
        tab.press("Enter")
        tab.until("document.querySelector('room-page .big-play') && player.room?.isJoined", "the room's page")
        with Chat(server, host.room, server.person("carl")["access_token"], folder) as other:
            tab.tab_to("room-chat textarea")
            tab.type(HOSTILE)
            tab.press("Enter")
            eventually(lambda: HOSTILE in other.texts, "what the page wrote arrives")
            other.say("Good evening, " + HOSTILE)
            tab.until(f"[...document.querySelectorAll('room-chat .chat-text')].some(one => one.textContent === {json.dumps('Good evening, ' + HOSTILE)})",
                      "what somebody else wrote is in the page")
            check(not tab.evaluate("Boolean(document.querySelector('room-chat img[src=x]'))"), "a message became markup")
            check(tab.evaluate("document.activeElement.matches('room-chat textarea')"), "the focus has left what one writes in")
        tab.press("Escape")
        tab.evaluate("document.activeElement.blur();")
        tab.press(" ")
        tab.until("player.state === 'live'", "the space bar plays")
        tab.press("m")
        tab.until("player.muted", "m mutes")
        tab.press("?")
        tab.until("document.querySelector('dialog[open] kbd')", "the keys are shown")
        tab.press("Escape")
        tab.until("!document.querySelector('dialog')", "Escape closes it")
        # Whoever was signed in still is after loading anew, though the access token has expired, and goes on listening if the
        # browser lets them.
        check(not tab.evaluate("document.cookie + JSON.stringify(localStorage)").count("refresh"), "a script sees the refresh token")
        tab.evaluate(EXPIRE)
        tab.reload()
        tab.store()
        tab.until("session.user?.username === 'bea' && ['live', 'blocked'].includes(player.state)", "after loading anew")
        state = tab.evaluate("player.state")
        if state == "blocked":
            tab.until("document.querySelector('room-stage .notice').innerText.length > 20", "the page says what to do")
            tab.click(".big-play")
            tab.until("player.state === 'live'", "a click plays")
        check(not tab.complaints, f"the console was told: {tab.complaints[:3]}")
        tab.close()
        return [f"after loading anew: {'one click' if state == 'blocked' else 'it goes on by itself'}"]
