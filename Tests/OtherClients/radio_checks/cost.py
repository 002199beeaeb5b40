"""What listeners by HTTP cost the server, against members of a room: one loop, a thousand of each, one after the other."""
import re, select, socket, subprocess, tempfile, time, urllib.request

from protocol_checks.helpers import check, true

from radio_checks import tools

COUNT, SECONDS = 1000, 10


class Lone:
    """A server with one loop, and its figures."""

    def __init__(self):
        from radio_checks.__main__ import free_port
        self.folder, self.port, self.metrics = tempfile.TemporaryDirectory(), free_port(), free_port()
        self.process = subprocess.Popen(
            [tools.PROGRAMS / "sona", "serve", "--data", self.folder.name, "--listen", f"127.0.0.1:{self.port}", "--metrics",
             f"127.0.0.1:{self.metrics}", "--exempt", "127.0.0.1", "--loops", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                return self.figures() and None
            except OSError:
                time.sleep(0.1)
        raise OSError("no server")

    def figures(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return {line.split()[0].split("{")[0]: float(line.split()[1]) for line in lines if not line.startswith("#")}

    def load(self, listeners, seconds):
        return subprocess.Popen([tools.PROGRAMS / "sonaload", "--server", f"http://127.0.0.1:{self.port}", "--listeners", str(listeners),
                                 "--seconds", str(seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.folder.cleanup()


def cost(before, after, packets):
    """(µs of fan-out for each packet, packets)."""
    count = after[packets] - before[packets]
    return (after["sona_loop_fan_out_seconds_total"] - before["sona_loop_fan_out_seconds_total"]) / count * 1e6, count


@check("a thousand Ogg listeners by HTTP cost no more for each packet than as many members of a room", slow=True)
def _():
    if not (tools.PROGRAMS / "sonaload").exists():
        raise tools.Skipped("no sonaload beside sona")
    server = Lone()
    try:
        load = server.load(COUNT, 30)
        time.sleep(18)
        before = server.figures()
        time.sleep(SECONDS)
        members, count = cost(before, server.figures(), "sona_audio_packets_delivered_total")
        true(count > 0.9 * COUNT * 50 * SECONDS, f"{count:.0f} packets to members")
        load.wait(60)
        load = server.load(1, 60)
        time.sleep(6)
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/listen/live.m3u") as answer:
            path = re.search(r"/listen/\S+", answer.read().decode()).group()
        waiting, sockets = select.epoll(), {}
        for _ in range(COUNT):
            one = socket.create_connection(("127.0.0.1", server.port))
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            one.setblocking(False)
            sockets[one.fileno()] = one
            waiting.register(one, select.EPOLLIN)
        begun, before = time.monotonic(), None
        while time.monotonic() < begun + 6 + SECONDS:
            for number, _ in waiting.poll(0.05):
                try:
                    sockets[number].recv(65536)
                except BlockingIOError:
                    pass
            if before is None and time.monotonic() > begun + 6:
                before = server.figures()
        after = server.figures()
        players, count = cost(before, after, "sona_radio_packets_delivered_total")
        load.terminate()
        load.wait(30)
        for one in sockets.values():
            one.close()
        true(count > 0.9 * COUNT * 50 * SECONDS and after["sona_radio_slow_listeners_closed_total"] == 0, f"{count:.0f} packets by HTTP")
        print(f"        a packet to a member {members:.2f} µs, by HTTP {players:.2f} µs", flush=True)
        true(players <= members * 1.1, f"a packet by HTTP costs {players:.2f} µs, to a member {members:.2f} µs")
    finally:
        server.stop()
