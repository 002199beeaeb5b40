"""What fails for the moment is repeated or begun anew: parts of the page, an encoder, a request that is refused."""
from support import check, chromium
from .desk import Desk, listener, microphone, wav

#: The session of the host refuses the next requests of a type, as a busy server does.
REFUSE = """([type, code, count]) => {
    const request = host.session.request.bind(host.session);
    window.refused = 0;
    host.session.request = async (asked, ...rest) => {
        if (asked !== type || refused >= count) return request(asked, ...rest);
        refused += 1;
        throw Object.assign(new Error(code), {code, retryAfter: 100});
    };
}"""


def come_late(desk):
    """The parts that work beside the page do not come at first: that is said, and they are asked for again."""
    def is_told(what):
        desk.click(".host-go")
        desk.until("document.querySelector('.host-begin [role=alert] .notice')", f"without {what}, it says what is wrong")
        said = desk.inner_text(".host-begin")
        check("could not be loaded" in said, f"without {what}, it says {said}")
    context, address = desk.page.context, "**/encoder-worker.js"
    context.route(address, lambda route: route.abort())
    is_told("the encoder")
    context.unroute(address)
    desk.choose("microphone")
    # What a worklet asks for cannot be held up on its way.
    desk.evaluate("""() => {
        const {prototype} = AudioWorklet, {addModule} = prototype;
        prototype.addModule = async () => {
            prototype.addModule = addModule;
            throw new DOMException('', 'AbortError');
        };
    }""")
    is_told("what captures")
    desk.go()
    desk.evaluate("host.end()")
    desk.until("document.querySelector('input[value=files]')", "it has ended")
    desk.choose("files")
    # What the browser itself says of it.
    desk.complaints.clear()


def run(playwright, server, folder):
    with chromium(playwright, *microphone()) as browser:
        # What the page keeps would come even so.
        desk = Desk(browser, server, service_workers="block")
        room = desk.room(server, lead_ms=1500)
        desk.open(room)
        desk.add(wav(folder / "one.wav", 440, 12), wav(folder / "two.wav", 523.25, 60))
        come_late(desk)
        desk.evaluate("""() => {
            const begin = host.encoder.begin.bind(host.encoder);
            window.takes = [];
            host.encoder.begin = about => { takes.push(begin(about)); return takes.at(-1); };
            window.fail = () => (window.failedAt = performance.now(), host.encoder.dispatchEvent(new CustomEvent('failed', {detail: {take: takes.at(-1), message: 'a fault of the encoder'}})));
        }""")
        desk.go()
        tab = listener(browser, server, room)
        desk.until("host.position > 1e6", "it is heard")
        place = desk.evaluate("host.position")
        # An encoder that fails: another goes on where it stopped, and nobody hears it.
        desk.evaluate("fail()")
        desk.until("takes.length === 2 && host.position > 4e6", "another encoder goes on")
        check(desk.evaluate("host.state") == "live" and not desk.evaluate("trouble"), f"it is told: {desk.evaluate('trouble')}")
        check(tab.evaluate("player.state") == "live" and tab.evaluate("player.position") > place, "listeners are not where the host is")
        # A server that is busy between two songs is asked again.
        desk.evaluate(REFUSE, ["host.start", "server.busy", 2])
        desk.until("host.heard?.title === 'two'", "the next song plays")
        check(desk.evaluate("refused") == 2 and not desk.evaluate("trouble"), f"refused {desk.evaluate('refused')} times: {desk.evaluate('trouble')}")
        # What fails again at once is given up: the room is paused, and it is said.
        desk.until("performance.now() - failedAt > 10_500", "an encoder that lasts")
        # The second fails before the server has answered.
        desk.evaluate("""() => {
            const {encoder} = host, begin = encoder.begin;
            encoder.begin = about => {
                encoder.begin = begin;
                const take = begin(about);
                Promise.resolve().then(fail);
                return take;
            };
            fail();
        }""")
        desk.until("host.state === 'paused' && trouble.length === 1", "the room is paused")
        tab.until("player.state === 'paused'", "listeners see the pause")
        desk.click("host-stage .big-play")
        tab.until("player.state === 'live'", "it goes on by the button")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
    return []
