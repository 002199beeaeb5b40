"""Checks of what Protocol/ promises, by asking a server."""
