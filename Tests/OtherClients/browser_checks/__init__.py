"""What a real browser makes of the modules that a server serves."""
