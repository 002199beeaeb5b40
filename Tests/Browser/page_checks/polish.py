"""Nothing that axe finds, nothing cut off: each page in each theme and in all widths, in Polish, which has the longest words."""
from .looks import see


def run(playwright, server, folder):
    return see(playwright, server, ("pl",))
