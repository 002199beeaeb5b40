"""The data saver, turned on in the settings: the same moment of the same sound, from less than half of the bytes."""
from support import Host, chromium, check
from . import tones
from .two_tabs import PITCH, apart, listen

COUNTED = """() => {
    window.counted = {packets: 0, bytes: 0};
    session.addEventListener('frame', ({detail}) => {
        const packets = detail.frame === 'AUDIO_DN' ? [detail] : detail.frame === 'BUNDLE_DN' ? detail.packets : [];
        for (const {packet} of packets) { counted.packets += 1; counted.bytes += packet.byteLength; }
    });
}"""


def sized(tab):
    """Bytes of a packet on average, of those that come in two seconds."""
    tab.evaluate(COUNTED)
    tab.wait_for_timeout(2000)
    return tab.evaluate("counted.bytes / counted.packets")


def run(playwright, server, folder):
    tone = tones.tone(folder / "saved.opus", PITCH)
    with Host(server, "--loop", tone) as host, chromium(playwright) as browser:
        host.sonactl("rooms", "update", "--data-saver", host.room)
        context = browser.new_context()
        tabs = [listen(context, host), listen(context, host)]
        whole = sized(tabs[1])
        # By the settings' page, in the tab that plays.
        tabs[1].evaluate("history.pushState({}, '', '/settings'); dispatchEvent(new PopStateEvent('popstate', {state: {}}))")
        tabs[1].page.check("settings-page [name=saver]")
        tabs[1].until("player.room.savesData === true", "it saves data", 10)
        tabs[1].until("player.state === 'live'", "it is heard", 10)
        saved = sized(tabs[1])
        check(saved * 2 < whole, f"{whole:.0f} bytes a packet, and {saved:.0f} with the data saver")
        tabs[1].wait_for_timeout(2500)
        late, _ = apart(tabs)
        check(abs(late) < 2, f"the tab that saves data is {late:.2f} ms behind")
        tabs[1].page.uncheck("settings-page [name=saver]")
        tabs[1].until("player.room.savesData === false", "it takes all again", 10)
        check(sized(tabs[1]) > 0.8 * whole, "the packets are the usual ones again")
        for tab in tabs:
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        return [f"data saver: {saved:.0f} bytes a packet instead of {whole:.0f}, {late:+.2f} ms apart"]
