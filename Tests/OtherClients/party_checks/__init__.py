"""Parties: twenty people in five rooms, a queue that many change, a server that is killed in mid-party."""
