"""Who may ask for what in a room, and who is told of it, held against Protocol/spec/ line by line."""
