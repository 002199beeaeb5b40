"""What one sees in the web player, and does with it, in a real browser."""
