"""A voice over the music: held, the music steps back and the voice is heard; let go, the music is back. By key, too."""
from sound_checks import tones
from support import check, chromium
from .desk import Desk, Listen, hear, listener, microphone

MUSIC, VOICE, LEVEL = 523.25, 330, 0.25 / 2 ** 0.5
#: How long it takes until what is done is heard, ms.
LEAD = 4000
#: What `DUCKED` in audio/hosting/mixing.js makes of the music.
DUCKED = 0.2


def part(sound, pitch):
    """How strong a tone of a pitch is in a sound: its root mean square."""
    return tones.level(sound) * tones.share_at(sound, pitch, 20) ** 0.5


def run(playwright, server, folder):
    music = tones.tone(folder / "music.opus", MUSIC, seconds=90, noise=0.001)
    with chromium(playwright, *microphone(VOICE)) as browser:
        desk = Desk(browser, server)
        desk.open(desk.room(server))
        desk.add(music)
        room = desk.go()
        tab = listener(browser, server, room)
        heard = Listen(server, room, folder / "heard.opus")
        desk.click("host-voice button:has-text('Open the microphone')")
        desk.wait_for_selector(".host-talk")
        # One that is closed says nothing any more, silence neither.
        desk.click("text=Close the microphone")
        desk.click("host-voice button:has-text('Open the microphone')")
        desk.wait_for_selector(".host-talk")
        # From here on the file is encoded anew: what is heard is the same.
        tab.wait_for_timeout(LEAD + 1500)
        before = hear(tab, 1)
        check(abs(part(before, MUSIC) / LEVEL - 1) < 0.06, f"the music is {part(before, MUSIC):.3f} before, not {LEVEL:.3f}")
        check(part(before, VOICE) < 0.003, f"the voice is heard before it may be: {part(before, VOICE):.4f}")
        desk.keyboard.down("t")
        desk.until("host.inputs.isTalking", "the key talks")
        check(desk.get_attribute(".host-talk", "aria-pressed") == "true", "the button does not say that one is heard")
        tab.wait_for_timeout(LEAD + 1500)
        during = hear(tab, 1)
        check(tones.share_at(during, VOICE, 20) + tones.share_at(during, MUSIC, 20) > 0.99, "the voice is in pieces")
        desk.keyboard.up("t")
        desk.until("!host.inputs.isTalking", "the key lets go")
        tab.wait_for_timeout(LEAD + 3000)
        after = hear(tab, 1)
        check(abs(part(during, MUSIC) / (LEVEL * DUCKED) - 1) < 0.15, f"the music under the voice is {part(during, MUSIC):.3f}, not {LEVEL * DUCKED:.3f}")
        check(0.15 < part(during, VOICE) < 0.3, f"the voice is {part(during, VOICE):.3f}")
        check(abs(part(after, MUSIC) / LEVEL - 1) < 0.06 and part(after, VOICE) < 0.003,
              f"after: music {part(after, MUSIC):.3f}, voice {part(after, VOICE):.4f}")
        # The same by the button, for as long as it is pressed.
        box = desk.locator(".host-talk").bounding_box()
        desk.mouse.move(box["x"] + 20, box["y"] + 20)
        desk.mouse.down()
        desk.until("host.inputs.isTalking", "the button talks")
        desk.mouse.up()
        desk.until("!host.inputs.isTalking", "the button lets go")
        # Where keys of one character are switched off, this one is, too (WCAG 2.2, 2.1.4).
        desk.evaluate("""async on => (await import(new URL('store/settings.js', document.querySelector('script[type=module]').src))).settings.set('keys', on)""", False)
        desk.evaluate("document.activeElement.blur()")
        desk.keyboard.down("t")
        desk.wait_for_timeout(300)
        check(not desk.evaluate("host.inputs.isTalking"), "the key talks although keys are switched off")
        desk.keyboard.up("t")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        figures = heard.ended()
        check(figures["lost"] == 0, f"sonactl did not hear everything: {figures}")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"music {part(before, MUSIC):.3f} → {part(during, MUSIC):.3f} → {part(after, MUSIC):.3f}, voice {part(during, VOICE):.3f}"]
