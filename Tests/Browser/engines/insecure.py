"""An address that is not secure: the page says so, plays small files on the same clock."""
from sound_checks import tones
from sound_checks.two_tabs import LEVEL, PITCH, hear
from support import Host, Server, check
from .hearing import APART, apart, listen


def run(engine, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    with Server(server.programs, host="0.0.0.0") as server, Host(server, "--loop", "--lead-ms", 1500, low) as host:
        url = engine.insecure(server)
        tab = listen(engine, host, url)
        seen = tab.evaluate("[isSecureContext, player.mode]")
        check(seen == [False, "buffers"], f"what an address that is not secure allows: {seen}")
        tab.click("sync-meter summary")
        tab.until("document.querySelector('sync-meter dl').innerText.includes('not secure')", "the meter says which mode it is in")
        secure = listen(engine, host, f"http://127.0.0.1:{server.port}")
        tab.wait_for_timeout(3500)
        [recording] = hear([tab])
        sound = tones.samples(recording["samples"])
        check(abs(tones.pitch(sound) - PITCH) < 1, f"the pitch is {tones.pitch(sound):.1f} Hz")
        check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"the level is {tones.level(sound):.4f}")
        whole = tones.share_at(sound, PITCH)
        check(whole > 0.95, f"the tone is {whole:.3f} of the sound: it is not whole")
        # What is not secure is rendered up to a second ahead.
        late = apart([tab, secure], seconds=2.5)
        check(abs(late) < APART, f"the modes are {late:.2f} ms apart")
        total = tab.evaluate("player.meter.total")
        check(total["undecodable"] == 0, f"faults: {total}")
        check(not tab.complaints, f"the console was told: {tab.complaints[:3]}")
        tab.close()
        secure.close()
        return [f"{tones.pitch(sound):.2f} Hz at {tones.level(sound):.4f}, {late:+.3f} ms from a secure tab, "
                f"{total['underruns']} gaps, {total['resyncs']} jumps"]
