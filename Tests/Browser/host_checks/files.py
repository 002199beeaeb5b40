"""Files from the browser: one that is Opus already goes out as it is, one that is not is encoded; nothing is lost, and nothing between them."""
from sound_checks import tones
from support import check, chromium, eventually
from .desk import Desk, Listen, hear, listener, wav

FIRST, SECOND, LEVEL = 523.25, 880.0, 0.25 / 2 ** 0.5
HOSTILE = "<img src=x onerror=alert(1)>"


def seam_of(packets, stream):
    """By how many samples a stream begins later than the one before it ends."""
    before = [(at, samples) for epoch, at, samples, _ in packets if epoch == stream["epoch"] - 1]
    check(before, "nothing is known of the stream before")
    at, samples = before[-1]
    return round((stream["start_us"] - at) * 0.048 - samples)


def run(playwright, server, folder):
    one = tones.tone(folder / "one.opus", FIRST, seconds=7, title=HOSTILE, artist="<b>Ada</b>")
    two = wav(folder / "two.wav", SECOND, seconds=60)
    three = tones.tone(folder / "three.opus", FIRST, seconds=8, title="Third")
    with chromium(playwright) as browser:
        desk = Desk(browser, server).open()
        desk.fill("input[name=title]", "Records <script>")
        # Further ahead than by itself: a busy machine is to be heard, too.
        desk.click("host-setup summary")
        desk.choose("4000")
        desk.add(one)
        desk.add(two, three)
        check(desk.locator(".host-song .entry-title").first.inner_text() == HOSTILE, "the title is not the text it is")
        check(desk.locator(".host-song img[src='x'], .host-song b").count() == 0, "a title became markup")
        # In their order, however they were added: by their names, where several come at once.
        check(desk.evaluate("host.playlist.songs.map(song => song.title)") == [HOSTILE, "Third", "two"], "the order of the list")
        desk.locator(".host-song").nth(2).locator("[data-does=up]").click()
        room = desk.go()
        heard = Listen(server, room, folder / "heard.opus")
        tab = listener(browser, server, room)
        eventually(lambda: tab.inner_text("room-stage h1") == HOSTILE, "listeners read the title")
        check(tab.locator("room-stage b, room-stage img[src='x']").count() == 0, "a title became markup for listeners")
        desk.until("host.heard?.title === 'two'", "the second file is heard")
        seam = seam_of(tab.evaluate("packets"), tab.evaluate("player.room.stream"))
        check(abs(seam) <= 3, f"between the files there are {seam} samples")
        tab.wait_for_timeout(1500)
        sound = hear(tab, 1.5)
        check(abs(tones.pitch(sound) - SECOND) < 1, f"the pitch is {tones.pitch(sound):.1f} Hz instead of {SECOND}")
        check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"the level is {tones.level(sound):.4f} instead of {LEVEL:.4f}")
        desk.until("Math.abs(Number(document.querySelector('host-stage level-meter').getAttribute('aria-valuenow')) + 15) <= 1",
                   "the meter reads −15 dB")
        # To another place, by the bar; then the next file by its button.
        desk.evaluate("""() => {
            const bar = document.querySelector('.host-time input');
            bar.value = '50';
            bar.dispatchEvent(new Event('input'));
            bar.dispatchEvent(new Event('change'));
        }""")
        tab.until("player.position > 49e6 && player.position < 59e6", "listeners are where the host went")
        desk.click("host-stage [aria-label='Next']")
        desk.until("host.heard?.title === 'Third'", "the third file is heard")
        tab.until("player.room.track?.title === 'Third'", "listeners are told of the third")
        # For everybody: nothing sounds, and it goes on where it stopped.
        desk.click("host-stage .big-play")
        tab.until("player.state === 'paused'", "listeners see the pause")
        place = tab.evaluate("player.position")
        desk.click("host-stage .big-play")
        tab.until("player.state === 'live'", "it goes on")
        check(tab.evaluate("player.position") >= place, "it does not go on where it stopped")
        # At the end of the list the room waits; the host ends it.
        desk.until("host.state === 'waiting'", "the list is over")
        desk.click("host-room .danger")
        desk.click("dialog .danger")
        desk.until("host.state === 'ended'", "the broadcast is over")
        figures = heard.ended()
        check(figures["lost"] == 0, f"sonactl did not hear everything: {figures}")
        check(not desk.evaluate("trouble"), f"trouble: {desk.evaluate('trouble')}")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"{figures['packets']} packets by sonactl, none lost; the second file {seam / 48:+.2f} ms from the end of the first"]
