/// The packets that a host sends, and their rate.
package struct Pace: Sendable {
    package var periodNanoseconds: UInt64
    /// The duration of a packet in samples at 48 kHz.
    package var samples: UInt32
    /// First bytes of each Opus packet: the TOC, and with code 3 the number of frames (RFC 6716, section 3).
    var opusHead: [UInt8]
    package var opusBytes: Int

    /// 50 packets a second: one CELT frame of 20 ms, stereo, 200 bytes.
    package static let fifty = Pace(periodNanoseconds: 20_000_000, samples: 960, opusHead: [0xFC], opusBytes: 200)
    /// 12.5 packets a second: four such frames of equal size in a packet, so 202 bytes.
    package static let twelve = Pace(
        periodNanoseconds: 80_000_000, samples: 3840, opusHead: [0xFF, 4], opusBytes: 202)

    package var perSecond: Double { 1e9 / Double(periodNanoseconds) }

    /// The same for all servers: that of an AUDIO_DN.
    var messageBytes: Int { AudioMessage.headerBytes + opusBytes }
}

/// The bytes a host sends: its WebSocket frame, masked with zeros, which changes nothing and costs nothing.
///
/// Offsets after the frame's 8: header of AUDIO_UP (20), then the Opus packet, whose last 16 bytes are a counter and the
/// time of sending in nanoseconds, both in the byte order of the machine. Servers other than Sona take the 20 bytes for
/// part of the payload, so that all send on messages of one size.
struct AudioMessage {
    static let headerBytes = 20
    static let frameBytes = 8
    static let tailBytes = 16
    let bytes: UnsafeMutableRawPointer
    let count: Int

    init(_ pace: Pace, epoch: UInt16) {
        count = Self.frameBytes + pace.messageBytes
        bytes = .allocate(byteCount: count, alignment: 8)
        for index in 0..<count {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: index &* 7), toByteOffset: index, as: UInt8.self)
        }
        let size = UInt16(pace.messageBytes)
        for (index, byte) in [0x82, 0xFE, UInt8(size >> 8), UInt8(size & 0xFF), 0, 0, 0, 0, 0x20, 0].enumerated() {
            bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        bytes.storeBytes(of: epoch.bigEndian, toByteOffset: 10, as: UInt16.self)
        bytes.storeBytes(of: pace.samples.bigEndian, toByteOffset: 24, as: UInt32.self)
        for (index, byte) in pace.opusHead.enumerated() {
            bytes.storeBytes(of: byte, toByteOffset: Self.frameBytes + Self.headerBytes + index, as: UInt8.self)
        }
    }

    func number(_ sequence: UInt64, samples: UInt32, at now: UInt64) {
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: sequence).bigEndian, toByteOffset: 12, as: UInt32.self)
        bytes.storeBytes(of: (sequence &* UInt64(samples)).bigEndian, toByteOffset: 16, as: UInt64.self)
        bytes.storeBytes(of: sequence, toByteOffset: count - 16, as: UInt64.self)
        bytes.storeBytes(of: now, toByteOffset: count - 8, as: UInt64.self)
    }
}
