"""The host's line breaks: what listeners have in hand lasts, and the host goes on in the same epoch; a server that starts anew is played to again."""
from sound_checks.proxy import Proxy
from support import check, chromium, eventually
from .desk import Desk, Listen, listener, microphone, wav

OWN_SERVER = "it stops the server"

#: What is done to the line, ms.
CUT = 400


#: Reading a file takes until `goOn()`.
SLOW = """() => {
    const read = Blob.prototype.arrayBuffer;
    window.isReading = false;
    Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read;
        isReading = true;
        await new Promise(resolve => { window.goOn = resolve; });
        return read.call(this);
    };
}"""


def begin(desk, proxy, music):
    """Begins with a file that is slow: ended meanwhile, it has ended; the line may break and come back."""
    desk.add(music)
    desk.evaluate(SLOW)
    desk.click(".host-go")
    desk.until("isReading", "the file is read")
    desk.evaluate("() => { window.ticks = 0; host.encoder.addEventListener('tick', () => { ticks += 1; }); return host.end().then(goOn); }")
    desk.wait_for_timeout(500)
    check(desk.evaluate("[host.state, host.reason, ticks]") == ["ended", "finished", 0], "ended before it begins, it goes on")
    # What was read is known: the same again is another.
    desk.evaluate("host.playlist.remove(host.playlist.songs[0])")
    desk.add(music)
    desk.evaluate(SLOW)
    desk.until("!document.querySelector('.host-go').disabled", "one may begin again")
    desk.click(".host-go")
    desk.until("isReading", "the file is read")
    proxy.cut()
    desk.until("host.session.status === 'offline'", "the line is lost")
    proxy.mend()
    desk.until("host.session.status === 'online'", "the line is back")
    desk.evaluate("goOn()")
    desk.until("host.state !== 'starting'", "it begins")
    check(desk.evaluate("host.state") == "live", f"it does not begin: {desk.evaluate('[host.state, host.reason, String(host.failure)]')}")


def cut(desk, tab, proxy):
    """Cuts the host's line while a tab listens: how long before its time the latest packet came, ms."""
    desk.evaluate("""() => {
        window.seen = {resumed: 0, fresh: 0, states: [], epoch: null};
        host.session.addEventListener('resumed', () => { seen.resumed += 1; });
        host.session.addEventListener('fresh', () => { seen.fresh += 1; });
        host.addEventListener('change', () => { if (seen.states.at(-1) !== host.state) seen.states.push(host.state); });
    }""")
    epoch = tab.evaluate("player.room.stream.epoch")
    tab.evaluate("packets.splice(0)")
    tab.wait_for_timeout(300)
    proxy.cut()
    tab.wait_for_timeout(CUT)
    proxy.mend()
    desk.until("seen.states.includes('away') && host.state === 'live'", "the host is away, and back")
    tab.wait_for_timeout(1500)
    seen, packets = desk.evaluate("seen"), tab.evaluate("packets")
    check(seen["resumed"] == 1 and seen["fresh"] == 0, f"the session did not go on: {seen}")
    check(tab.evaluate("player.room.stream.epoch") == epoch, "another epoch began")
    # Each packet begins where the one before ends, and comes before its time: whatever the listener's device does, it has all.
    apart = [round(abs(after[1] - before[1] - before[2] * 1e6 / 48000)) for before, after in zip(packets, packets[1:])]
    check(max(apart) < 100, f"packets are up to {max(apart)} µs apart")
    return min(packet[3] for packet in packets) / 1000


def cut_between(desk, proxy, song, seconds):
    """Cuts the host's line when the end of a song and the beginning of the next are on their way: nothing of either is missing."""
    desk.evaluate("""number => {
        const request = host.session.request.bind(host.session);
        window.asked = 0;
        window.begun = [];
        host.session.request = async (type, ...rest) => {
            // What comes next is asked of the queue first.
            if (type === 'host.start' || type === 'queue.finished') asked += 1;
            const reply = await request(type, ...rest);
            if (type === 'host.start') begun.push(reply.start_us);
            return reply;
        };
        return host.play(host.playlist.songs[number]);
    }""", song)
    desk.until(f"host.heard === host.playlist.songs[{song}] && host.position > {(seconds - 4.6) * 1e6}", "the song nears its end")
    check(desk.evaluate("asked") == 1, "the next song is begun before the line is cut")
    proxy.stall()
    desk.until("asked === 2", "the next song is asked for")
    proxy.cut()
    desk.wait_for_timeout(CUT)
    proxy.mend()
    desk.until("begun.length === 2 && host.state === 'live'", "the next song begins")
    begun = desk.evaluate("begun")
    missing = seconds - (begun[1] - begun[0]) / 1e6
    check(abs(missing) < 0.001, f"the next song begins {missing:.3f} s before the end of the one before")


def press(desk, proxy):
    """Presses Play twice, also by two commands, and once while the line is away: it goes on from where it was, once."""
    desk.evaluate("host.pause()")
    desk.until("host.state === 'paused' && host.room.playback.upcoming(Math.round(host.session.serverNow)).length === 0", "it is paused")
    place = desk.evaluate("host.position")
    desk.evaluate("""() => {
        const request = host.session.request.bind(host.session), button = document.querySelector('host-stage .big-play');
        window.starts = [];
        host.session.request = async (type, data, ...rest) => {
            if (type === 'host.start') starts.push(data.position_us);
            return request(type, data, ...rest);
        };
        button.click();
        button.click();
    }""")
    desk.until(f"host.state === 'live' && host.position > {place}", "it goes on")
    desk.wait_for_timeout(300)
    starts = desk.evaluate("starts")
    check(len(starts) == 1 and abs(starts[0] - place) < 1e5, f"pressed twice at {place / 1e6:.2f} s, it is begun at {starts}")
    desk.evaluate("Promise.all([host.play(null, 1), host.play(null, 2)])")
    starts = desk.evaluate("starts")
    check(len(starts) == 3 and starts == sorted(starts), f"asked twice to go on, it is begun at {starts}")
    desk.until("host.room.playback.upcoming(Math.round(host.session.serverNow)).length === 0", "what is announced is in force")
    proxy.cut()
    desk.until("host.state === 'away'", "the host is away")
    place = desk.evaluate("host.position")
    desk.evaluate("document.activeElement.blur()")
    desk.keyboard.press(" ")
    proxy.mend()
    desk.until(f"host.state === 'live' && host.position > {place}", "the host is back")
    desk.wait_for_timeout(300)
    check(desk.evaluate("[host.state, starts.length]") == ["live", 3], "the space bar does something while the line is away")


def end_away(desk, server, proxy, room):
    """Ends the broadcast while the line is away: here at once, and on the server as soon as the line is back."""
    def host_state():
        return server.call("room.get", {"room": room}, desk.person["access_token"])["room"]["host_state"]
    proxy.cut()
    desk.until("host.state === 'away'", "the host is away")
    took = desk.evaluate("() => { const begin = performance.now(); return host.end().then(() => performance.now() - begin); }")
    check(desk.evaluate("[host.state, host.reason]") == ["ended", "finished"] and took < 500, f"ended without a line, it takes {took:.0f} ms")
    check(host_state() == "away", "the server knows already")
    proxy.mend()
    eventually(lambda: desk.wait_for_timeout(50) or host_state() == "none", "the seat is free", 15)


def run(playwright, server, folder):
    music = wav(folder / "music.wav", 523.25, 120)
    lines = []
    with Proxy(server.port) as proxy, chromium(playwright, *microphone()) as browser:
        desk = Desk(browser, server, url=proxy.url)
        room = desk.room(server)
        desk.open(room)
        begin(desk, proxy, music)
        tab = listener(browser, server, room)
        heard = Listen(server, room, folder / "heard.opus")
        tab.wait_for_timeout(3000)
        left = cut(desk, tab, proxy)
        check(left > 0, f"the cut is heard: a packet came {-left:.0f} ms too late")
        lines.append(f"a file, cut for {CUT} ms: nothing missing, every packet there {left:.0f} ms or more before its time")
        press(desk, proxy)
        desk.add(wav(folder / "next.wav", 440, 9), wav(folder / "then.wav", 523.25, 60))
        cut_between(desk, proxy, 1, 9)
        check(not desk.evaluate("trouble"), f"trouble: {desk.evaluate('trouble')}")
        # A server that starts anew knows no sessions: the host begins again, near where it was.
        place = desk.evaluate("host.position")
        server.stop()
        desk.until("host.state === 'away'", "a server that is gone")
        heard.process.kill()
        heard.process.communicate()
        server.start(server.port)
        desk.until("host.state === 'live' && host.session.status === 'online' && host.position > 0", "the host plays again")
        tab.until("player.state === 'live'", "listeners hear it again")
        again = tab.evaluate("player.position")
        check(again > place - 6e6, f"it goes on at {again / 1e6:.1f} s, having been at {place / 1e6:.1f}")
        end_away(desk, server, proxy, room)
        # The same live.
        desk.choose("microphone")
        desk.go()
        tab.until("player.state === 'live'", "the microphone is heard")
        tab.wait_for_timeout(4000)
        left = cut(desk, tab, proxy)
        check(left > 0, f"live, the cut is heard: a packet came {-left:.0f} ms too late")
        lines.append(f"a microphone, cut for {CUT} ms: nothing missing, every packet there {left:.0f} ms or more before its time")
        # Chromium reports each attempt that a server refuses while it starts anew.
        complaints = [text for text in tab.complaints if "ERR_CONNECTION_REFUSED" not in text]
        check(not complaints, f"a page complains: {complaints[:3]}")
        return lines
