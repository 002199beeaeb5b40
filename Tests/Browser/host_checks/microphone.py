"""Live from a microphone: heard at its pitch and level, paused and gone on with, muted, and named."""
from sound_checks import tones
from support import check, chromium
from .desk import Desk, Listen, hear, listener, microphone

PITCH, LEVEL = 440, 0.3 / 2 ** 0.5
#: How long it takes until what is done is heard, ms.
LEAD = 4000


def run(playwright, server, folder):
    with chromium(playwright, *microphone(PITCH)) as browser:
        desk = Desk(browser, server)
        desk.open(desk.room(server))
        desk.choose("microphone")
        desk.fill("input[name=playing]", "Morning talk")
        room = desk.go()
        tab = listener(browser, server, room)
        heard = Listen(server, room, folder / "heard.opus")
        tab.wait_for_timeout(3000)
        sound = hear(tab, 1.5)
        check(abs(tones.pitch(sound) - PITCH) < 2, f"the pitch is {tones.pitch(sound):.1f} Hz instead of {PITCH}")
        check(abs(tones.level(sound) / LEVEL - 1) < 0.15, f"the level is {tones.level(sound):.3f} instead of {LEVEL:.3f}")
        tab.until("player.room.track?.title === 'Morning talk'", "listeners read the name")
        desk.fill("input[name=playing]", "Evening talk")
        desk.click("text=Tell everybody")
        tab.until("player.room.track?.title === 'Evening talk'", "listeners read the new name")
        desk.click("text=Mute")
        tab.wait_for_timeout(LEAD + 1500)
        silence = tones.level(hear(tab, 0.5))
        check(silence < 1e-3, f"muted, it is {silence:.4f}")
        desk.click("text=Muted: let it be heard")
        desk.click("host-stage .big-play")
        tab.until("player.state === 'paused'", "listeners see the pause")
        desk.click("host-stage .big-play")
        tab.until("player.state === 'live'", "it goes on")
        tab.wait_for_timeout(LEAD)
        sound = hear(tab, 0.5)
        check(abs(tones.pitch(sound) - PITCH) < 3 and tones.level(sound) > LEVEL / 2, "after the pause it is not heard")
        # An input that ends pauses the room, and is opened again by whoever goes on.
        desk.evaluate("host.inputs.music.onended()")
        tab.until("player.state === 'paused'", "listeners see the pause of an input that ended")
        check(desk.evaluate("host.inputs.music === null"), "an input that ended is not let go")
        desk.click("host-stage .big-play")
        desk.until("host.state === 'live' && host.inputs.music !== null", "the input is open again")
        tab.until("player.state === 'live'", "it goes on with the input that is open again")
        tab.wait_for_timeout(LEAD)
        again = hear(tab, 1)
        check(abs(tones.pitch(again) - PITCH) < 2 and abs(tones.level(again) / LEVEL - 1) < 0.15 and tones.share_at(again, PITCH, 20) > 0.98,
              f"opened again, it is heard at {tones.pitch(again):.1f} Hz and {tones.level(again):.3f}")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        figures = heard.ended()
        check(figures["lost"] == 0, f"sonactl did not hear everything: {figures}")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"{figures['packets']} packets by sonactl, none lost, {figures['underruns']} underruns"]
