"""Chromium without a window, over the pipe of its DevTools protocol: nothing but Python's library."""
import json, os, select, shutil, subprocess, tempfile, time


class BrowserFault(Exception):
    pass


class Browser:
    """One page of one browser. `evaluate` runs an expression there and waits for what comes of it."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.mkdtemp(prefix="sona-browser-")
        (theirs_in, self.out), (self.inn, theirs_out) = os.pipe(), os.pipe()

        def hand_over():  # the browser reads from 3 and writes to 4
            low, high = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4),
            preexec_fn=hand_over, start_new_session=True)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.buffer, self.session = 0, b"", None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", of_page=False)
        except (BrowserFault, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)  # a session of its own: itself and its children
            self.process.wait()
        os.close(self.out)
        os.close(self.inn)
        shutil.rmtree(self.profile, ignore_errors=True)

    def open(self, url):
        target = self.call("Target.createTarget", {"url": url}, of_page=False)["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, of_page=False)["sessionId"]
        end = time.monotonic() + 20
        while self.where() != f"{url} complete":
            if time.monotonic() > end:
                raise BrowserFault(f"{url} does not load")
            time.sleep(0.05)

    def where(self):
        """Where the page is and how far; nothing while it moves into a process of its own (COOP does that)."""
        try:
            return self.evaluate("location.href + ' ' + document.readyState")
        except BrowserFault:
            return None

    def evaluate(self, expression, seconds=60):
        """The value of an expression, or of what it promises, as JSON would have it."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True,
                                                "userGesture": True}, seconds=seconds)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserFault(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def call(self, method, parameters=None, of_page=True, seconds=30):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if of_page:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        end = time.monotonic() + seconds
        while True:
            line, mark, rest = self.buffer.partition(b"\0")
            if mark:
                self.buffer = rest
                answer = json.loads(line)
                if answer.get("id") != self.number:
                    continue  # events
                if "error" in answer:
                    raise BrowserFault(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if not select.select([self.inn], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserFault(f"{method}: no answer in {seconds} s")
            more = os.read(self.inn, 1 << 20)
            if not more:
                raise BrowserFault("the browser has ended")
            self.buffer += more
