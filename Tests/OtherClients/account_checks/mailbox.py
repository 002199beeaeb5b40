"""Where the servers' mail ends: SMTP (RFC 5321), as much of it as one client needs, and MIME by Python's library."""
import email, email.policy, re, socketserver, threading, time

from protocol_checks.helpers import Failure


class Mailbox(socketserver.ThreadingTCPServer):
    """Takes everything for everybody."""
    daemon_threads = allow_reuse_address = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Conversation)
        self.mails, self.lock = [], threading.Lock()  # (recipient, message)
        self.url = f"smtp://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def of(self, address):
        with self.lock:
            return [mail for to, mail in self.mails if to == address]

    def wait(self, address, count=1, seconds=15):
        """The mail number `count` to an address."""
        end = time.monotonic() + seconds
        while len(found := self.of(address)) < count:
            if time.monotonic() > end:
                raise Failure(f"{len(found)} mails to {address} after {seconds} s instead of {count}")
            time.sleep(0.02)
        return found[count - 1]

    def code(self, address, count=1):
        return code_of(self.wait(address, count))

    def codes(self):
        """Every code that was ever mailed."""
        with self.lock:
            return [code for _, mail in self.mails if (code := code_of(mail))]


def code_of(mail):
    """The code in a mail of a server that does not know its own address; None if there is none."""
    found = re.search(r": ([A-Za-z0-9_-]{16,})\s*$", mail.get_content(), re.M)
    return found and found[1]


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 mailbox")
        to = []
        while line := self.rfile.readline():
            word = line.strip().upper()
            if word.startswith(b"RCPT TO:"):
                to.append(re.search(rb"<([^>]*)>", line)[1].decode())
            elif word == b"DATA":
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line.removeprefix(b"."))
                mail = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
                with self.server.lock:
                    self.server.mails += [(address, mail) for address in to]
                to = []
            elif word == b"QUIT":
                return self.say("221 bye")
            self.say("250 ok")

    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")
