"""Checks of how a Sona server delivers what is live, written from Protocol/ alone."""
