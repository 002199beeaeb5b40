"""What clients and servers compute of time, written from Protocol/spec alone."""
