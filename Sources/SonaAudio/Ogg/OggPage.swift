/// One Ogg page, borrowed from the buffer it was read into: valid until the reader's next page.
///
///     offset  size  field
///     0       4     "OggS"
///     4       1     version, 0
///     5       1     flags: 1 continues a packet, 2 first page of its stream, 4 last page of its stream
///     6       8     granule position, signed; −1 if no packet ends here
///     14      4     serial number of the logical stream
///     18      4     sequence number of the page in its stream
///     22      4     checksum
///     26      1     segments, 0…255
///     27      n     lacing: the size of each segment; one below 255 ends a packet
///
/// Source: RFC 3533 §6.
struct OggPage {
    /// Offset of the page in the file, bytes.
    let offset: UInt64
    let lacing: UnsafeRawBufferPointer
    let body: UnsafeRawBufferPointer
    let flags: UInt8
    let granule: Int64
    let serial: UInt32
    let sequence: UInt32

    static let capture: StaticString = "OggS"
    static let headerBytes = 27
    /// A header, 255 lacing bytes, 255 segments of 255 bytes.
    static let bytesMax = 27 + 255 + 255 * 255

    var isContinued: Bool { flags & 1 != 0 }
    var isFirst: Bool { flags & 2 != 0 }
    var isLast: Bool { flags & 4 != 0 }

    /// Offset of the body in the file, bytes.
    var bodyOffset: UInt64 { offset + UInt64(Self.headerBytes + lacing.count) }
}

/// The codec that the first page of a logical stream declares.
enum OggCodec: Equatable {
    case opus
    case other(String)
    /// Carries no sound or picture itself (an index), so it is not worth naming to a person.
    case skeleton

    /// Recognises the codec by the magic bytes of its first packet.
    init(magicOf body: UnsafeRawBufferPointer) {
        let known: [(StaticString, String)] = [
            ("\u{1}vorbis", "Vorbis"), ("\u{7F}FLAC", "FLAC"), ("Speex   ", "Speex"), ("CELT    ", "CELT"),
            ("PCM     ", "PCM"), ("OVP80", "VP8"), ("BBCD\0", "Dirac"), ("CMML\0", "CMML"), ("\u{1}video", "OGM video"),
        ]
        // These two begin with 0x80, which no string literal can spell as one byte.
        let high: [(StaticString, String)] = [("theora", "Theora"), ("kate", "Kate"), ("daala", "Daala")]
        if body.starts(with: OpusHead.magic) {
            self = .opus
        } else if body.starts(with: "fishead\0") {
            self = .skeleton
        } else if let match = known.first(where: { body.starts(with: $0.0) }) {
            self = .other(match.1)
        } else if body.first == 0x80,
            let match = high.first(where: { UnsafeRawBufferPointer(rebasing: body[1...]).starts(with: $0.0) })
        {
            self = .other(match.1)
        } else {
            self = .other("an unknown codec")
        }
    }
}
