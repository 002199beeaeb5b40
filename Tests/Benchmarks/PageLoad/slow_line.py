"""A slow line between two network namespaces: real TCP at both ends, and between them a queue with a rate and a delay.

It does what `tc netem delay D rate R` does on a pair of veth devices, but needs no module of the kernel: each namespace
has a TUN device, and a thread carries the packets from one to the other. Needs root.
"""
import collections, contextlib, fcntl, os, select, struct, subprocess, threading, time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000
#: Packets that wait in one direction before more are dropped, as many as netem's.
PACKETS_MAX = 1000
#: What Ethernet adds to a packet of IP, bytes.
FRAMING = 14

SERVER, CLIENT = "10.77.0.1", "10.77.0.2"


def _ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


def _device(name):
    line = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(line, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return line


class SlowLine:
    """`delay_s`: from one end to the other, half of the round trip. `rate`: bit/s in each direction; None: no limits."""

    def __init__(self, delay_s, rate):
        self.delay_s, self.rate = delay_s, rate
        number = os.getpid()
        self.server, self.client = f"sona-server-{number}", f"sona-client-{number}"

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        ends = []
        for namespace, own, other in ((self.server, SERVER, CLIENT), (self.client, CLIENT, SERVER)):
            _ip("netns", "add", namespace)
            self.stack.callback(_ip, "netns", "del", namespace)
            name = "sona-" + ("s" if own == SERVER else "c") + str(os.getpid())
            line = _device(name)
            self.stack.callback(os.close, line)
            _ip("link", "set", name, "netns", namespace)
            _ip("-n", namespace, "addr", "add", own, "peer", other, "dev", name)
            _ip("-n", namespace, "link", "set", name, "up")
            _ip("-n", namespace, "link", "set", "lo", "up")
            ends.append(line)
        self.isEnded = False
        thread = threading.Thread(target=self._carry, args=(ends,), daemon=True)
        thread.start()

        def end():
            self.isEnded = True
            thread.join()
        self.stack.callback(end)
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _carry(self, ends):
        # Each direction: when its last packet has left, and the packets on their way with when they arrive.
        leaves, ways = [0.0, 0.0], [collections.deque(), collections.deque()]
        while not self.isEnded:
            due = min((way[0][0] for way in ways if way), default=None)
            wait = 0.05 if due is None else max(0.0, min(0.05, due - time.monotonic()))
            for line in select.select(ends, [], [], wait)[0]:
                side = ends.index(line)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        packet = os.read(line, 65_536)
                        if len(ways[side]) >= PACKETS_MAX:
                            continue
                        begins = max(time.monotonic(), leaves[side])
                        leaves[side] = begins + ((len(packet) + FRAMING) * 8 / self.rate if self.rate else 0)
                        ways[side].append((leaves[side] + self.delay_s, packet))
            now = time.monotonic()
            for side, way in enumerate(ways):
                while way and way[0][0] <= now:
                    with contextlib.suppress(BlockingIOError):
                        os.write(ends[1 - side], way.popleft()[1])
