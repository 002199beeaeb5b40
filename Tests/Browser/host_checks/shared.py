"""The sound of another tab: shared, heard, ended by the browser and shared again; and what is said where there is none."""
from sound_checks import tones
from support import check, chromium
from .desk import Desk, hear, listener

TITLE, FIRST, SECOND, LEVEL = "Sounding", 659.26, 783.99, 0.25 / 2 ** 0.5
#: How often a second of the tab's sound is listened to until it is right.
GOES = 20
#: What Chromium says of itself when a tab is shared: nobody has asked for a camera.
ITS_OWN = "camera is not allowed"

#: What asking for a tab comes to, where it does not come to its sound.
WITHOUT_SOUND = """() => {
    const devices = navigator.mediaDevices, ask = devices.getDisplayMedia.bind(devices);
    devices.getDisplayMedia = options => ask({...options, audio: false});
}"""
REFUSED = "() => { navigator.mediaDevices.getDisplayMedia = async () => { throw new DOMException('', 'NotAllowedError'); }; }"


def sounding(desk, pitch):
    """Another tab of the same browser, which sounds."""
    other = desk.page.context.new_page()
    other.set_content(f"<title>{TITLE}</title>")
    other.evaluate("""frequency => {
        const context = window.context = new AudioContext(), tone = new OscillatorNode(context, {frequency});
        tone.connect(new GainNode(context, {gain: 0.25})).connect(context.destination);
        tone.start();
    }""", pitch)
    desk.page.bring_to_front()
    return other


def is_heard(tab, pitch):
    # Chromium itself drops pieces of a tab's sound where the machine is busy, and makes the delay up by playing it some
    # seconds long up to 2% faster: what it leaves is judged, after a while.
    for _ in range(GOES):
        sound = hear(tab, 1)
        found = tones.pitch_of_pieces(sound), tones.level(sound)
        if abs(found[0] - pitch) < 1.5 and abs(found[1] / LEVEL - 1) < 0.1:
            return found[0]
    return check(False, f"{found[0]:.1f} Hz at {found[1]:.3f} instead of {pitch} at {LEVEL:.3f}")


def run(playwright, server, folder):
    with chromium(playwright, f"--auto-select-tab-capture-source-by-title={TITLE}", is_muted=False) as browser:
        desk = Desk(browser, server)
        room = desk.room(server, lead_ms=1500)
        desk.open(room)
        other = sounding(desk, FIRST)
        desk.choose("tab")
        for fault, words in ((WITHOUT_SOUND, "sound was not shared"), (REFUSED, "was not allowed")):
            desk.evaluate(fault)
            desk.click(".host-go")
            desk.wait_for_selector(".host-begin [role=alert] .notice")
            check(words in desk.inner_text(".host-begin"), f"it does not say {words!r}: {desk.inner_text('.host-begin')}")
            desk.evaluate("() => { delete navigator.mediaDevices.getDisplayMedia; }")
        desk.fill("input[name=playing]", "A film")
        desk.go()
        tab = listener(browser, server, room)
        tab.wait_for_timeout(2500)
        pitches = [is_heard(tab, FIRST)]
        check(tab.locator("room-stage h1").inner_text() == "A film", "it is not called what it was called")
        # The browser ends it, as by its own button: the room is paused.
        other.close()
        tab.until("player.state === 'paused'", "listeners see the pause")
        check(desk.evaluate("[host.state, host.inputs.music]") == ["paused", None], "what is not shared any more is kept")
        # Whoever goes on is asked for a tab again.
        sounding(desk, SECOND)
        desk.click("host-stage .big-play")
        tab.until("player.state === 'live'", "it goes on")
        tab.wait_for_timeout(2500)
        pitches.append(is_heard(tab, SECOND))
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        # Where a browser has no such thing, it is not offered.
        without = Desk(browser, server)
        without.page.add_init_script("delete MediaDevices.prototype.getDisplayMedia;")
        without.open()
        check([without.locator(f"input[value={mode}]").count() for mode in ("files", "microphone", "tab")] == [1, 1, 0], "a tab can be chosen")
        for page in (desk, tab, without):
            complaints = [text for text in page.complaints if ITS_OWN not in text]
            check(not complaints, f"a page complains: {complaints[:3]}")
        return [f"heard at {' and '.join(f'{pitch:.2f}' for pitch in pitches)} Hz"]
