import Foundation

/// The clock of a server on this machine.
///
/// Source: Protocol/spec/time.md; `sona` uses CLOCK_MONOTONIC_RAW.
enum ServerTime {
    /// Present time, µs.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// A packet that came to a listener, taken from AUDIO_DN or BUNDLE_DN by hand.
///
/// Source: Protocol/spec/audio.md.
struct HeardPacket: Sendable {
    var flags: UInt8
    var epoch: Int
    var sequence: UInt32
    var playAt: Int64
    var samples: Int
    var packet: [UInt8]
    /// Time of arrival, by `ServerTime`.
    var at: Int64
    var isBundled = false

    static let discontinuity: UInt8 = 1
    static let preroll: UInt8 = 2
    static let silence: UInt8 = 4

    /// How long before its time the packet came, µs.
    var margin: Int64 { playAt - at }

    static func all(in frames: [(bytes: [UInt8], at: Int64)]) -> [HeardPacket] {
        frames.flatMap { frame -> [HeardPacket] in
            switch frame.bytes.first {
            case 0x10: [single(frame.bytes, frame.at)]
            case 0x11: bundle(frame.bytes, frame.at)
            default: []
            }
        }
    }

    private static func single(_ bytes: [UInt8], _ at: Int64) -> HeardPacket {
        HeardPacket(
            flags: bytes[1], epoch: Int(integer(bytes, 2, 2)), sequence: UInt32(integer(bytes, 4, 4)),
            playAt: Int64(bitPattern: integer(bytes, 8, 8)), samples: Int(integer(bytes, 16, 4)),
            packet: Array(bytes[20...]), at: at)
    }

    private static func bundle(_ bytes: [UInt8], _ at: Int64) -> [HeardPacket] {
        var packets: [HeardPacket] = []
        let (first, start) = (UInt32(integer(bytes, 4, 4)), Int64(bitPattern: integer(bytes, 8, 8)))
        var (place, before) = (17, 0)
        for number in 0..<Int(bytes[16]) {
            let (samples, length) = (Int(integer(bytes, place, 4)), Int(integer(bytes, place + 4, 2)))
            var flags = bytes[1]
            if number > 0 { flags &= ~Self.discontinuity }
            packets.append(
                HeardPacket(
                    flags: flags, epoch: Int(integer(bytes, 2, 2)), sequence: first &+ UInt32(number),
                    playAt: start + Int64(before) * 1_000_000 / 48_000, samples: samples,
                    packet: Array(bytes[place + 6..<place + 6 + length]), at: at, isBundled: true))
            before += samples
            place += 6 + length
        }
        return packets
    }

    private static func integer(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// An AUDIO_UP of 20 ms.
    static func up(epoch: Int, number: Int, packet: [UInt8], samples: Int = 960) -> [UInt8] {
        func big(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        return [0x20, 0] + big(epoch, 2) + big(number, 4) + big(number * samples, 8) + big(samples, 4) + packet
    }
}
