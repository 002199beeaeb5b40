"""The connection beside all checks, which must notice nothing."""
import json, struct, threading, time

from protocol_checks.helpers import Client, Failure, account, packets_of
from protocol_checks.websocket import Closed


class Witness(threading.Thread):
    """The connection that must notice nothing."""
    def __init__(self):
        super().__init__(daemon=True)
        self.client = Client()
        reply = self.client.ask("room.join", {"room": "@demo"})
        self.sounds = reply["type"] == "ok" and reply["data"]["stream"] is not None
        if reply["type"] != "ok":
            owner = account()
            self.client = Client(owner["access_token"])
            self.client.data("room.join", {"room": self.client.data("room.create")["room"]["id"]})
        self.trouble, self.seq, self.count, self.events, self.stop = None, None, 0, None, False
        self.heard = self.answered = time.monotonic()

    def run(self):
        sent, ws = 0.0, self.client.ws
        try:
            while not self.stop:
                if time.monotonic() - sent > 0.25:
                    sent = time.monotonic()
                    self.client.binary(struct.pack(">BxHq", 1, 1, time.monotonic_ns() // 1000))
                message = ws.receive(0.1)
                if isinstance(message, bytes):
                    if message[0] == 2:
                        self.answered = time.monotonic()
                    for packet in packets_of(message):
                        if self.seq is not None and packet.seq != (self.seq + 1) % 2**32:
                            self.trouble = f"packet {packet.seq} after {self.seq}"
                        self.seq, self.count, self.heard = packet.seq, self.count + 1, time.monotonic()
                elif message is not None:
                    message = json.loads(message)
                    if message["type"] == "error":
                        self.trouble = str(message)
                    elif "room" in message and "seq" in message:
                        if self.events is not None and message["seq"] != self.events + 1:
                            self.trouble = f"event {message['seq']} after {self.events}"
                        self.events = message["seq"]
        except (Closed, Failure, OSError) as error:
            self.trouble = str(error)

    def noticed(self):
        """What is wrong with it, or None."""
        now = time.monotonic()
        if self.trouble is None and now - self.answered > 1.5:
            return f"no answer to a probe for {now - self.answered:.1f} s"
        if self.trouble is None and self.sounds and now - self.heard > 1.5:
            return f"no packet for {now - self.heard:.1f} s"
        return self.trouble
