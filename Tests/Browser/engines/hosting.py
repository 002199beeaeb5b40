"""Playing to a room: a file from the picker is encoded in the page and heard by `sonactl listen`."""
from host_checks.desk import Listen, wav
from sound_checks import tones
from sound_checks.other_client import recorded
from support import check

PITCH, LEVEL = 880.0, 0.25 / 2 ** 0.5


def desk(engine, server):
    """The page one plays from, of somebody who has an account."""
    person = server.person()
    tab = engine.tab(server.url + "/").store()
    tab.until("localStorage.getItem('sona.credentials')", "somebody is known")
    tab.evaluate("""grant => localStorage.setItem('sona.credentials', JSON.stringify({
        user: grant.user, access_token: grant.access_token,
        expires_ms: Date.now() + 1000 * grant.expires_in_s}))""", person)
    tab.goto(server.url + "/host")
    tab.store("host")
    tab.evaluate("""() => {
        window.trouble = [];
        host.addEventListener('trouble', ({detail}) => trouble.push(String(detail)));
    }""")
    return tab


def run(engine, server, folder):
    file = wav(folder / "two.wav", PITCH, seconds=12)
    opus = tones.tone(folder / "opus.opus", 523.25, seconds=6, title="Nocturne", artist="Ada")
    tab = desk(engine, server)
    # Both engines can; one that cannot is told so by the page, which host_checks has a story of.
    check(tab.evaluate("typeof AudioEncoder") != "undefined", "an engine without an encoder")
    tab.until("document.querySelector('host-setup input[name=title]')?.offsetParent", "a room can be made")
    tab.click("host-setup input[name=title]")
    tab.type("Records")
    tab.click("host-setup summary")
    tab.evaluate("document.querySelector(\"input[value='4000']\").click();")
    tab.set_files("host-list input[type=file]", [file, opus])
    tab.until("host.playlist.songs.length === 2", "the files are in the list")
    tab.evaluate("host.playlist.songs[0].title === 'two' || document.querySelectorAll('.host-song')[1].querySelector('[data-does=up]').click()")
    check(tab.evaluate("host.playlist.songs.map(song => song.title)") == ["two", "Nocturne"], "the titles of the list")
    tab.click(".host-go")
    tab.until("host.state === 'live' || document.querySelector('[role=alert] .notice')", "on air")
    check(tab.evaluate("host.state") == "live", "not on air")
    heard = Listen(server, tab.evaluate("host.room.id"), folder / "hosted.wav")
    tab.until("host.heard?.title === 'two'", "the file is heard")
    tab.until("Math.abs(Number(document.querySelector('host-stage level-meter').getAttribute('aria-valuenow')) + 15) <= 1", "the meter reads −15 dB")
    tab.until("host.heard?.title === 'Nocturne'", "the next file is heard")
    tab.until("host.state === 'waiting'", "the list is over")
    tab.evaluate("host.end()")
    tab.until("host.state === 'ended'", "the broadcast is over")
    figures = heard.ended()
    check(figures["lost"] == 0, f"sonactl did not hear everything: {figures}")
    whole = recorded(folder / "hosted.wav")
    begin = int((abs(whole) > 0.1).argmax())
    sound = whole[begin + tones.RATE:begin + 9 * tones.RATE]
    check(abs(tones.pitch(sound) - PITCH) < 1, f"the pitch is {tones.pitch(sound):.1f} Hz instead of {PITCH}")
    check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"the level is {tones.level(sound):.4f} instead of {LEVEL:.4f}")
    check(tones.share_at(sound, PITCH) > 0.99, f"the tone is {tones.share_at(sound, PITCH):.3f} of the sound: it is not whole")
    check(not tab.evaluate("trouble"), f"trouble: {tab.evaluate('trouble')}")
    check(not tab.complaints, f"the console was told: {tab.complaints[:3]}")
    lookahead = tab.evaluate("host.encoder.lookahead")
    tab.close()
    return [f"{figures['packets']} packets by sonactl, none lost: {tones.pitch(sound):.2f} Hz at {tones.level(sound):.4f}, {lookahead} samples looked ahead"]
