import Foundation
import SonaAudio
import Testing

/// A host that sends as fast as its line allows.
@Suite(.serialized) struct FloodTests {
    @Test func `a host that floods is held back and costs the server and others nothing`() async throws {
        // Goal: however fast a host sends, the server reads only as far ahead as allowed, keeps no more than that, and
        // goes on for everybody else.
        let server = try await TestServer()
        let host = try await SocketClient.newcomer(server, "flood")
        let room = try await Self.roomID(host)
        try await host.call("room.join", ["room": room, "audio": false])
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        let other = try await SocketClient.guest(server)
        let started = try await host.call(
            "host.start", ["stream": ["codec": "opus", "channels": 2, "pre_skip": 312], "pacing": "server"])
        let epoch = try #require(started["epoch"] as? Int)
        let start = try #require((started["start_us"] as? NSNumber)?.int64Value)
        try await Task.sleep(for: .seconds(1))
        let before = try memory(server)

        // The largest packets possible: 64 kB of them are a second of sound.
        let packet = [0xFC] + [UInt8](repeating: 0x5A, count: 1_274)
        let flood = Flood()
        Thread.detachNewThread {
            var number = 0
            while flood.goesOn,
                (try? host.send(frame: HeardPacket.up(epoch: epoch, number: number, packet: packet))) != nil
            {
                number += 1
                flood.sent = number
            }
        }
        let began = ServerTime.now
        var memoryMax = before
        var slowest: Duration = .zero
        while ServerTime.now - began < 5_000_000 {
            let asked = ContinuousClock.now
            try await other.call("room.get", ["room": room])
            slowest = max(slowest, ContinuousClock.now - asked)
            memoryMax = max(memoryMax, try memory(server))
            try await Task.sleep(for: .milliseconds(100))
        }
        let packets = HeardPacket.all(in: listener.frames)
        let now = ServerTime.now
        let ahead = (packets.map(\.playAt).max() ?? now) - now
        flood.goesOn = false
        #expect(ahead < 600_000 + 2_000_000 + 1_200_000, "\(ahead) µs ahead")
        #expect(ahead > 1_500_000, "\(ahead)")
        for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.sequence == one.sequence &+ 1) }
        #expect(packets.first.map { $0.playAt <= start } == true)
        // A ring of two and a half seconds is 160 kB; one read is a loop's buffers.
        #expect(memoryMax - before < 6 << 20, "\((memoryMax - before) >> 10) KiB")
        #expect(slowest < .milliseconds(500), "\(slowest) for somebody else")
        // Kernels hold some megabytes of a connection; the rest never left the host.
        #expect(flood.sent < 50 * 14 + 9_000, "\(flood.sent) packets sent")
    }

    @Test func `nothing of a host ten times too fast is lost, and its time probes are answered`() async throws {
        // Seventeen seconds of sound are sent in real time: small packets and large ones at once.
        async let small: Void = Self.hurry(packetBytes: 3)
        async let large: Void = Self.hurry(packetBytes: 300)
        _ = try await (small, large)
    }

    private static func hurry(packetBytes bytes: Int) async throws {
        let server = try await TestServer()
        let host = try await SocketClient.newcomer(server, "haste")
        let room = try await roomID(host)
        try await host.call("room.join", ["room": room, "audio": false])
        let listener = try await SocketClient.guest(server)
        try await listener.call("room.join", ["room": room])
        let started = try await host.call(
            "host.start", ["stream": ["codec": "opus", "channels": 2, "pre_skip": 312], "pacing": "server"])
        let epoch = try #require(started["epoch"] as? Int)
        let packet = [0xFC] + [UInt8](repeating: 0x5A, count: bytes)
        var sentAt: [UInt16: Int64] = [:]
        var number = 0
        // Ten times real time for two seconds, with a probe every quarter of a second.
        for step in 0..<80 {
            for _ in 0..<12 {
                try host.send(frame: HeardPacket.up(epoch: epoch, number: number, packet: packet))
                number += 1
            }
            if step.isMultiple(of: 10) {
                let probe = UInt16(step)
                sentAt[probe] = ServerTime.now
                try host.send(frame: [1, 0, UInt8(probe >> 8), UInt8(probe & 0xFF)] + [UInt8](repeating: 0, count: 8))
            }
            try await Task.sleep(for: .milliseconds(25))
        }
        let answers = try await SocketClient.eventually("the answers to all probes", within: 60) {
            let answers = host.frames.filter { $0.bytes.first == 2 }
            return answers.count == sentAt.count ? answers : nil
        }
        // The last probe is behind 17 s of sound, of which 4 to 5 s may be ahead.
        let waited = (answers.map(\.at).max() ?? 0) - (sentAt.values.max() ?? 0)
        #expect(waited > 6_000_000 && waited < 16_000_000, "\(waited)")
        let packets = try await SocketClient.eventually("every packet", within: 30) {
            let packets = HeardPacket.all(in: listener.frames)
            return packets.count >= number ? packets : nil
        }
        #expect(packets.count == number)
        for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.sequence == one.sequence &+ 1) }
        let ahead = packets.map(\.margin).max() ?? 0
        #expect(ahead < 600_000 + 2_000_000 + 3_000_000, "\(ahead)")
    }

    private final class Flood: @unchecked Sendable {
        // Safe to share: guarded by `lock`.
        private let lock = NSLock()
        private var isGoing = true
        private var count = 0
        var goesOn: Bool {
            get { lock.withLock { isGoing } }
            set { lock.withLock { isGoing = newValue } }
        }
        var sent: Int {
            get { lock.withLock { count } }
            set { lock.withLock { count = newValue } }
        }
    }

    private static func roomID(_ host: SocketClient) async throws -> String {
        let created = try await host.call("room.create", ["title": "Flood"])
        return (created["room"] as? [String: Any])?["id"] as? String ?? ""
    }

    /// Resident bytes of the server.
    private func memory(_ server: TestServer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.process.identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }
}
