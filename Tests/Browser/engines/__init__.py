"""The web player in engines other than Chromium's."""
