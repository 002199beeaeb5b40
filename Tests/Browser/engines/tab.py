"""A tab as the stories see it, whichever engine it is one of: as much of `support.Page` as they need."""
import json, time

from support import PATIENCE, Fault, check

# What WebDriver calls the keys that write nothing.
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014"}


class Lost(Fault):
    """The engine does not answer any more."""


class Tab:
    """An engine's own tab has `script(text)`, which runs the body of an async function and returns the text it returns,
    `actions(sources)` as WebDriver has them, `set_files(selector, paths)`, `goto(address)` and `complaints`.
    """

    #: How long a press lasts, ms: as long as a finger's.
    PRESS = 30

    def evaluate(self, text, argument=None):
        """The value of an expression, of what a function returns, or nothing after statements."""
        text = text.strip()
        if text.endswith(";"):
            return self.script(f"{text}\nreturn 'null';") and None
        found = self.script(
            f"const found = ({text}\n); const value = await (typeof found === 'function' ? found({json.dumps(argument)}) : found);"
            "return JSON.stringify(value ?? null) ?? 'null';")
        return json.loads(found)

    def until(self, expression, what, seconds=PATIENCE):
        """Waits until an expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > end:
                state = self.evaluate("globalThis.player ? [player.state, player.mode, String(player.failure), player.meter.total] : location.href")
                raise Fault(f"{what}: not within {seconds} s; {state}; complaints: {self.complaints[-3:]}")
            time.sleep(0.05)

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    def store(self, *names):
        """Makes `player`, `session` and what else is named known to what is evaluated: the very objects that the page uses."""
        self.until("document.querySelector('script[type=module]') && document.querySelector('main')?.childElementCount", "the page is there")
        for name in {"player", "session", *names}:
            self.evaluate(f"""async () => {{
                const root = document.querySelector('script[type=module]').src;
                window.{name} = (await import(new URL('store/{name}.js', root))).{name};
            }}""")
        return self

    def text(self, selector):
        return self.evaluate("selector => document.querySelector(selector)?.innerText ?? null", selector)

    def click(self, selector):
        """A press of the pointer in the middle of the first element that a selector names."""
        self.until(f"document.querySelector({json.dumps(selector)})?.getClientRects().length", f"{selector} is there")
        for _ in range(5):
            before, place = None, self.place(selector)
            while place != before:  # What comes in may still move it.
                self.wait_for_timeout(100)
                before, place = place, self.place(selector)
            check(place["isHit"], f"{selector} is behind {place['hit']}")
            self.evaluate("""selector => {
                window.isPressed = false;
                document.querySelector(selector).addEventListener('click', () => { window.isPressed = true; }, {once: true, capture: true});
            }""", selector)
            x, y = place["at"]
            self.actions([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0},
                {"type": "pause", "duration": self.PRESS}, {"type": "pointerUp", "button": 0}]}])
            # Where something did move it at this moment the press went beside it. What leads to another page is gone.
            if self.evaluate("globalThis.isPressed ?? true"):
                return
        raise Fault(f"{selector} is never hit")

    def place(self, selector):
        return self.evaluate("""selector => {
            const element = document.querySelector(selector);
            element.scrollIntoView({block: 'center', behavior: 'instant'});
            const {x, y, width, height} = element.getBoundingClientRect(), at = [Math.round(x + width / 2), Math.round(y + height / 2)];
            const hit = document.elementFromPoint(...at);
            return {at, isHit: element.contains(hit) || (hit?.contains(element) ?? false), hit: hit?.outerHTML.slice(0, 80)};
        }""", selector)

    def press(self, *keys):
        """Keys one after the other, by their names or what they write."""
        moves = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.actions([{"type": "key", "id": "keyboard", "actions": moves}])

    def type(self, text):
        self.press(*text)

    def tab_to(self, selector, most=60):
        """Presses Tab until the focus is on what a selector names."""
        for _ in range(most):
            self.press("Tab")
            if self.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise Fault(f"Tab does not lead to {selector}")
