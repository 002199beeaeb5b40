"""What one hears in the web player, in a real browser."""
