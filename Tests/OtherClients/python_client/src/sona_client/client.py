"""The connection, requests, events, the server's clock, and rooms. Source: Protocol/spec."""
from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import json
import time
from typing import Any, AsyncIterator
from urllib.parse import urlsplit

import websockets

from .frames import Packet, Playback, packets_of, playback_of, time_answer, time_request
from .ogg import OggOpusWriter

#: Time probes of one burst, how long it waits for one, and how long until the next, s.
PROBES, PROBE_WAIT, PROBE_EVERY = 8, 1.0, 10.0
#: Most packets and events that wait for whoever reads them; the oldest go.
WAITING_MAX = 4096


class RequestError(Exception):
    """The server refused a request."""

    def __init__(self, error: dict):
        super().__init__(f"{error['message']} ({error['code']})")
        self.code: str = error["code"]
        self.field: str | None = error.get("field")
        self.retry_after_ms: int | None = error.get("retry_after_ms")


class ConnectionLost(ConnectionError):
    """The connection has ended. `code` is that of the WebSocket, 1006 where it broke."""

    def __init__(self, code: int, reason: str):
        super().__init__(f"closed with {code} {reason}".rstrip())
        self.code = code


def _clock() -> int:
    return time.monotonic_ns() // 1000


class _Stream:
    """What one reader of packets or events has not taken yet."""

    def __init__(self) -> None:
        self._items: collections.deque = collections.deque(maxlen=WAITING_MAX)
        self._news = asyncio.Event()
        self._end: BaseException | None = None

    def put(self, item: Any) -> None:
        self._items.append(item)
        self._news.set()

    def end(self, error: BaseException | None = None) -> None:
        self._end = error or StopAsyncIteration()
        self._news.set()

    def __aiter__(self) -> "_Stream":
        return self

    async def __anext__(self) -> Any:
        while not self._items:
            if self._end is not None:
                raise self._end if isinstance(self._end, StopAsyncIteration) else self._end
            self._news.clear()
            await self._news.wait()
        return self._items.popleft()


class Client:
    """A connection to a server. Made by `connect`."""

    def __init__(self, socket: Any, address: str):
        self.address = address
        #: Who we are: `uid`, `username`, `guest`.
        self.user: dict = {}
        self.features: set[str] = set()
        #: How far `server_time` may be off, µs; None before it is known.
        self.clock_error: int | None = None
        self.room: Room | None = None
        self._socket, self._numbers = socket, itertools.count(1)
        self._answers: dict[int, asyncio.Future] = {}
        self._streams: list[_Stream] = []
        self._offset: int | None = None
        self._probes: list[tuple[int, int]] = []
        self._answered = asyncio.Event()
        self._known = asyncio.Event()
        self._tasks: list[asyncio.Task] = []

    # Requests and events

    async def request(self, type: str, /, **data: Any) -> dict:
        """Sends a request, and gives the data of the answer. Fields of the value None are left out.

        Raises RequestError where the server refuses, ConnectionLost where it does not answer any more.
        """
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        fields = {name: value for name, value in data.items() if value is not None}
        try:
            await self._socket.send(json.dumps({"type": type, "id": number, "data": fields}))
            return await answer
        except websockets.ConnectionClosed as closed:
            raise _lost(closed) from None
        finally:
            self._answers.pop(number, None)

    def events(self) -> AsyncIterator[dict]:
        """Everything that the server tells from now on: dicts with `type`, `data`, and `room` if it is of a room."""
        stream = _Stream()
        self._streams.append(stream)
        return stream

    # Time

    def server_time(self) -> int:
        """The server's time now, µs. Known once `connect` has returned."""
        if self._offset is None:
            raise ConnectionError("the server's time is not known")
        return _clock() + self._offset

    # Rooms

    async def enter(self, room: str, *, invite: str | None = None, audio: bool = True, ghost: bool = False,
                    data_saver: bool = False) -> "Room":
        """Enters a room, by its identifier or `@` and a name. One is in one room at most."""
        entered = Room(self)
        before, self.room = self.room, entered
        try:
            snapshot = await self.request("room.join", room=room, invite=invite, audio=audio, ghost=ghost,
                                          data_saver=data_saver or None)
        except BaseException:
            self.room = before
            raise
        entered._take_snapshot(snapshot)
        if before is not None:
            before._end()
        return entered

    # Inside

    async def _begin(self, token: str | None, name: str) -> None:
        self._tasks.append(asyncio.create_task(self._read()))
        auth = {"token": token} if token else {"guest": True}
        welcome = await self.request("hello", client={"name": name, "version": "1.0.0"}, auth=auth)
        self.user, self.features = welcome["user"], set(welcome["features"])
        self._tasks.append(asyncio.create_task(self._keep_time()))
        await self._known.wait()

    async def _close(self) -> None:
        for task in self._tasks[1:]:
            task.cancel()
        await self._socket.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self) -> None:
        error: BaseException | None = None
        try:
            async for message in self._socket:
                if isinstance(message, str):
                    self._take(json.loads(message))
                else:
                    self._take_frame(message)
        except websockets.ConnectionClosed as closed:
            error = _lost(closed)
        end = error or ConnectionLost(1000, "")
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(end)
        for stream in self._streams:
            stream.end(error)
        if self.room is not None:
            self.room._end(error)

    def _take(self, message: dict) -> None:
        number = message.get("id")
        if number is not None and (answer := self._answers.get(number)) is not None:
            if answer.done():
                return
            if message["type"] == "ok":
                # Taken in before anything that follows it.
                if self.room is not None and "playback" in (message["data"] or {}) and "you" in message["data"]:
                    self.room._take_snapshot(message["data"])
                answer.set_result(message["data"])
            else:
                answer.set_exception(RequestError(message["error"]))
            return
        if self.room is not None and message.get("room") == self.room.id:
            self.room._take_event(message)
        for stream in self._streams:
            stream.put(message)

    def _take_frame(self, message: bytes) -> None:
        times = time_answer(message)
        if times is not None:
            t1, t2, t3 = times
            now = _clock()
            self._probes.append(((now - t1) - (t3 - t2), ((t2 - t1) + (t3 - now)) // 2))
            self._answered.set()
        elif self.room is not None:
            self.room._take_frame(message)

    async def _keep_time(self) -> None:
        """Of eight probes in a row, that with the shortest round trip tells how far the clocks are apart."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                self._probes = []
                for number in range(PROBES):
                    self._answered.clear()
                    await self._socket.send(time_request(_clock(), number))
                    with contextlib.suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(self._answered.wait(), PROBE_WAIT)
                if self._probes:
                    trip, self._offset = min(self._probes)
                    self.clock_error = trip // 2
                    self._known.set()
                await asyncio.sleep(PROBE_EVERY)


class Room:
    """A room as one sees it from inside."""

    def __init__(self, client: Client):
        self._client = client
        self.id: str | None = None
        #: The protocol's Room: `title`, `owner`, `host`, `live`, `listeners`, …
        self.info: dict = {}
        #: What the caller may in it.
        self.you: dict = {}
        #: The newest messages, the oldest first.
        self.chat: list[dict] = []
        #: Whether the packets come at a lower bit rate.
        self.saves_data = False
        self._streams: dict[int, dict] = {}
        self._lines: list[Playback] = []
        self._tracks: list[dict] = []
        self._readers: list[_Stream] = []
        self._waiting: list[Packet] = []
        self._is_over = False

    @property
    def playback(self) -> Playback:
        """What holds now."""
        now = self._client.server_time()
        while len(self._lines) > 1 and self._lines[1].anchor_us <= now:
            del self._lines[0]
        return self._lines[0]

    @property
    def position(self) -> int:
        """Where the room is in the track that is heard, µs."""
        return self.playback.at(self._client.server_time())

    @property
    def track(self) -> dict | None:
        """The track that is heard now: titles change with the sound."""
        now = self._client.server_time()
        heard = [one for one in self._tracks if one["at_us"] <= now]
        return heard[-1]["track"] if heard else None

    def stream(self, epoch: int) -> dict | None:
        """What the server has told of an epoch: `channels`, `pre_skip`, `start_us`, `gain`."""
        return self._streams.get(epoch)

    def packets(self) -> AsyncIterator[Packet]:
        """Opus packets from now on, in order, the burst for those who join among them. Ends with the room."""
        reader = _Stream()
        for packet in self._waiting:
            reader.put(packet)
        self._waiting = []
        self._readers.append(reader)
        if self._is_over:
            reader.end()
        return reader

    async def record(self, path: str, seconds: float | None = None) -> int | None:
        """Writes what is heard as Ogg Opus, to the end of the broadcast or for so many seconds.

        Returns the server time of the first sample, µs; None if there was none.
        """
        with open(path, "wb") as file:
            writer, packets = OggOpusWriter(file), self.packets()
            ending = self._client.events()

            async def write() -> None:
                async for packet in packets:
                    if (stream := self.stream(packet.epoch)) is not None:
                        writer.write(packet, stream)

            async def over() -> None:
                async for event in ending:
                    if event["type"] == "stream.ended" and event.get("room") == self.id:
                        # Everything before that moment sounds.
                        await asyncio.sleep(max(0, event["data"]["at_us"] - self._client.server_time()) / 1e6)
                        return

            tasks = [asyncio.create_task(write()), asyncio.create_task(over())]
            try:
                done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                for task in tasks:
                    task.cancel()
                writer.finish()
        return writer.first_us

    async def send(self, text: str) -> dict:
        """Writes in the chat, and gives the message."""
        return (await self._client.request("chat.send", text=text))["message"]

    async def leave(self) -> None:
        await self._client.request("room.leave")
        if self._client.room is self:
            self._client.room = None
        self._end()

    # Inside

    def _take_snapshot(self, snapshot: dict) -> None:
        if self.id is not None:
            return
        self.id, self.info, self.you = snapshot["room"]["id"], snapshot["room"], snapshot["you"]
        self.chat, self.saves_data = snapshot.get("chat") or [], snapshot.get("data_saver") is True
        self._streams = {stream["epoch"]: stream for stream in snapshot["streams"]}
        self._lines = [Playback.of(one) for one in [snapshot["playback"], *snapshot["upcoming"]]]
        self._tracks = [one for one in [snapshot.get("now_playing"), *(snapshot.get("upcoming_tracks") or [])] if one]

    def _take_event(self, message: dict) -> None:
        kind, data = message["type"], message["data"]
        if kind == "room.updated":
            self.info = data["room"]
        elif kind == "room.listeners":
            self.info["listeners"] = data["count"]
        elif kind == "host.changed":
            self.info |= {"host": data["host"], "host_state": data["state"]}
        elif kind == "stream.started":
            self._streams[data["stream"]["epoch"]] = data["stream"]
            self._name(data["track"], data["stream"]["start_us"])
        elif kind == "stream.ended":
            self._name(None, data["at_us"])
        elif kind == "track.changed":
            self._name(data["track"], data["at_us"])
        elif kind == "chat.message":
            self.chat = [*self.chat, data["message"]][-200:]
        elif kind == "room.closed":
            self._end()

    def _name(self, track: dict | None, at: int) -> None:
        """From a moment on a track is heard: what was announced for it or later is replaced."""
        self._tracks = [one for one in self._tracks if one["at_us"] < at][-8:] + [{"track": track, "at_us": at}]

    def _take_frame(self, message: bytes) -> None:
        line = playback_of(message)
        if line is not None and self._lines and 0 < (line.revision - self._lines[-1].revision) % 2**32 < 2**31:
            self._lines[1:] = [one for one in self._lines[1:] if one.anchor_us < line.anchor_us] + [line]
        for packet in packets_of(message):
            if not self._readers:
                self._waiting = [*self._waiting, packet][-WAITING_MAX:]
            for reader in self._readers:
                reader.put(packet)

    def _end(self, error: BaseException | None = None) -> None:
        self._is_over = True
        for reader in self._readers:
            reader.end(error)


def _lost(closed: websockets.ConnectionClosed) -> ConnectionLost:
    return ConnectionLost(closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else ConnectionLost(1006, "")


@contextlib.asynccontextmanager
async def connect(address: str, *, token: str | None = None, name: str = "sona-client-py",
                  timeout: float = 15) -> AsyncIterator[Client]:
    """Connects to a server: `https://sona.example`. Without a token one is a guest.

    Raises RequestError where it does not take us, OSError where there is none.
    """
    at = urlsplit(address)
    url = f"{'wss' if at.scheme == 'https' else 'ws'}://{at.netloc}/v1/ws"
    socket = await websockets.connect(url, subprotocols=["sona.v1"], max_size=1 << 20, open_timeout=timeout)
    client = Client(socket, f"{at.scheme}://{at.netloc}")
    try:
        await asyncio.wait_for(client._begin(token, name), timeout)
        yield client
    finally:
        await client._close()
