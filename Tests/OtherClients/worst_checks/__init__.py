"""Checks of what one account and one address can do to a Sona server and to those who listen, at their worst."""
