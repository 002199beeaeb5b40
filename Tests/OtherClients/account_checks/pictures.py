"""Pictures for the checks, made here."""
import base64, struct, zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=40, height=30, shade=0, filling=0):
    """A PNG of so many pixels in a slope of colours, and with `filling` bytes of a chunk that nobody reads."""
    rows = b"".join(b"\0" + bytes(byte for x in range(width) for byte in (x * 6 & 255, y * 8 & 255, shade))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + (chunk(b"fiLl", bytes(filling - 12)) if filling else b"") + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def bomb(side):
    """A PNG of a few kilobytes that says it has `side` × `side` pixels, all black, and has them."""
    packer, row = zlib.compressobj(9), bytes(1 + (side + 7) // 8)
    packed = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
            + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def overfull(mebibytes):
    """A PNG of 2 × 2 pixels, behind which a thousandth of so many MiB unpacks to zeros; sound in all else."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    # An empty last block, and Adler-32 of zeros.
    data = b"\x78\xda" + piece * mebibytes + b"\x03\0" + struct.pack(">I", (mebibytes << 20) % 65521 << 16 | 1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def size_of_webp(data):
    """(width, height) of a WebP of any kind."""
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


# Sixteen pixels square, a slope of grey; and the same of colours without loss.
JPEG = base64.b64decode("""
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7
gYKBTmCNl4x9lnN+gXz/wAALCAAQABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AMOG09q0IbT2q9Dae1aENp7V/9k=""")
WEBP = base64.b64decode("UklGRiwAAABXRUJQVlA4TCAAAAAvD8ADAJkyRPQ/NhHR/wCRtk3h/ZsePB2DiAnAOtR/AA==")
