"""Playing to a room from the browser, in a real one."""
