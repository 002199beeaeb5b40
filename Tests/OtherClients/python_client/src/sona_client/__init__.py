"""A client of Sona, the self-hosted social listening server.

    async with connect("https://sona.example") as sona:
        room = await sona.enter("@ada")
        async for packet in room.packets(): ...
"""
from .client import Client, ConnectionLost, RequestError, Room, connect
from .frames import Packet, Playback

__version__ = "1.0.0"
__all__ = ["Client", "ConnectionLost", "Packet", "Playback", "RequestError", "Room", "connect"]
