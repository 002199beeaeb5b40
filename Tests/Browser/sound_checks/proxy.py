"""A line that can be cut or stalled: a TCP proxy on a port of its own."""
import selectors, socket, struct, threading


class Proxy:
    """Passes on whatever connects, until it is told otherwise.

    `cut()` ends every connection without a word and lets none in; `stall()` keeps them and passes nothing; `mend()` passes on again.
    """

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.pairs, self.lock = {}, threading.Lock()
        self.state, self.ending = "open", False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        selector = selectors.DefaultSelector()
        selector.register(self.listener, selectors.EVENT_READ)
        while not self.ending:
            for key, _ in selector.select(0.02):
                with self.lock:
                    if self.state == "stalled":
                        continue
                    if key.fileobj is self.listener:
                        self.accept(selector)
                    elif key.fileobj in self.pairs:
                        self.pass_on(selector, key.fileobj)
            with self.lock:
                if self.state == "cut":
                    self.drop_all(selector)
        with self.lock:
            self.drop_all(selector)
        self.listener.close()

    def accept(self, selector):
        client, _ = self.listener.accept()
        if self.state == "cut":
            self.reset(client)
            return
        try:
            server = socket.create_connection(self.target)
        except OSError:
            # The server is gone for the moment, and may be back.
            self.reset(client)
            return
        for one, other in ((client, server), (server, client)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.pairs[one] = other
            selector.register(one, selectors.EVENT_READ)

    def pass_on(self, selector, one):
        try:
            data = one.recv(65536)
            if data:
                self.pairs[one].sendall(data)
                return
        except OSError:
            pass
        other = self.pairs.pop(one)
        self.pairs.pop(other, None)
        for end in (one, other):
            selector.unregister(end)
            end.close()

    def drop_all(self, selector):
        for one in list(self.pairs):
            selector.unregister(one)
            self.reset(one)
        self.pairs.clear()

    @staticmethod
    def reset(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def turn(self, state):
        with self.lock:
            self.state = state

    def cut(self):
        self.turn("cut")

    def stall(self):
        self.turn("stalled")

    def mend(self):
        self.turn("open")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ending = True
        self.thread.join(5)
