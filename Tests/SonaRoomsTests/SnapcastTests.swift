import SonaAudio
import SonaBase
import SonaWire
import Testing

@testable import SonaRooms

/// The messages of Snapcast, and a room's packets put end to end.
struct SnapcastTests {
    private static func reader() -> SnapcastReader { SnapcastReader { Array($0.utf8) } }

    private static func message(_ type: UInt16, id: UInt16 = 7, sent: (Int32, Int32) = (0, 0), _ body: [UInt8])
        -> [UInt8]
    {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        return bytes(type) + bytes(id) + bytes(UInt16(0)) + bytes(sent.0) + bytes(sent.1) + bytes(Int64(0))
            + bytes(UInt32(body.count)) + body
    }

    private static func text(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { Array($0) } + Array(text.utf8)
    }

    private static let hello = message(
        5,
        text(
            #"{"ID":"kitchen","MAC":"00:11","Instance":2,"HostName":"Kit chen","SnapStreamProtocolVersion":2,"Auth":{"scheme":"Basic","param":"@ada:secret"}}"#
        ))

    private func take(_ bytes: [UInt8], _ reader: inout SnapcastReader) throws -> [SnapcastMessage.Received] {
        try bytes.withUnsafeBytes { try reader.take($0) }
    }

    @Test func `messages are read whatever the pieces they come in`() throws {
        let all =
            Self.hello + Self.message(4, sent: (3, 500_000), [0, 0, 0, 0, 0, 0, 0, 0])
            + Self.message(7, Self.text(#"{"volume":30,"muted":true}"#)) + Self.message(6, [1])
        let wanted: [SnapcastMessage.Received] = [
            .hello(SnapcastHello(speaker: "kitchen#2", name: "Kitchen", sign: ("@ada", "secret")), id: 7),
            .time(id: 7, sent: 3_500_000), .volume(30, muted: true), .other(6),
        ]
        for size in [1, 2, 25, 26, 27, 1_000] {
            var (reader, found, rest): (SnapcastReader, [SnapcastMessage.Received], ArraySlice<UInt8>) = (
                Self.reader(), [], all[...]
            )
            while !rest.isEmpty {
                found += try take(Array(rest.prefix(size)), &reader)
                rest = rest.dropFirst(size)
            }
            #expect(found == wanted && reader.heldBytes == 0)
        }
    }

    @Test func `what is no Snapcast is a fault, and never more`() throws {
        var faults = 0
        func feed(_ bytes: [UInt8]) {
            var reader = Self.reader()
            do { _ = try take(bytes, &reader) } catch { faults += 1 }
            #expect(reader.heldBytes <= bytes.count)
        }
        for size: UInt32 in [4_097, 65_536, 1 << 31, .max] {
            var bytes = Self.message(4, [])
            bytes.replaceSubrange(22..<26, with: withUnsafeBytes(of: size.littleEndian) { Array($0) })
            feed(bytes)
        }
        #expect(faults == 4)
        for text in [
            "", "{}", "[]", #"{"ID":"a"}"#, #"{"ID":"","SnapStreamProtocolVersion":2}"#,
            #"{"ID":"a b","SnapStreamProtocolVersion":2}"#,
            #"{"ID":"a","SnapStreamProtocolVersion":3}"#,
            "{\"ID\":\"\(String(repeating: "a", count: 65))\",\"SnapStreamProtocolVersion\":2}",
        ] { feed(Self.message(5, Self.text(text))) }
        for text in [#"{"volume":101,"muted":false}"#, #"{"volume":-1,"muted":false}"#, #"{"volume":1}"#] {
            feed(Self.message(7, Self.text(text)))
        }
        feed(Self.message(5, []))
        feed(Self.message(5, [255, 255, 255, 255]))
        #expect(faults == 17)
        for end in 0...Self.hello.count { feed(Array(Self.hello.prefix(end))) }
        #expect(faults == 17)
        var generator = SeededGenerator(seed: 34)
        for _ in 0..<5_000 {
            var bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator), bytes.count > 26 { bytes.replaceSubrange(23..<26, with: [0, 0, 0]) }
            feed(bytes)
            var hello = Self.hello
            hello[Int.random(in: 0..<hello.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            feed(hello)
        }
    }

    @Test func `what is sent has the protocol's bytes`() {
        let chunk = SnapcastMessage.chunk([9, 8], at: 3_000_001, now: 2_000_002)
        #expect(
            chunk == [2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0] + [
                3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 9, 8,
            ])
        let time = SnapcastMessage.time(refersTo: 5, sent: 4_000_000, received: 1_500_000, now: 1_600_000)
        #expect(Array(time[4..<6]) == [5, 0] && Array(time[14..<22]) == [1, 0, 0, 0, 0x20, 0xA1, 7, 0])
        // −2.5 s: −3 s and half a second.
        #expect(Array(time[26...]) == [0xFD, 0xFF, 0xFF, 0xFF, 0x20, 0xA1, 7, 0])
        let settings = String(
            decoding: SnapcastMessage.settings(buffer: 1_000, latency: -20, volume: 30, muted: true, now: 0)[30...],
            as: UTF8.self)
        #expect(settings == #"{"bufferMs":1000,"latency":-20,"muted":true,"volume":30}"#)
        #expect(
            Array(SnapcastMessage.opus(now: 0)[26...]) == [4, 0, 0, 0] + Array("opus".utf8) + [12, 0, 0, 0]
                + Array("SUPO".utf8) + [0x80, 0xBB, 0, 0, 16, 0, 2, 0])
    }

    // MARK: The timeline

    /// Two epochs of a sine without a gap: the second begins where the first ends, in the middle of a packet.
    private static func epochs(lastSamples: Int, hertz: Float = 440) throws -> (
        chunks: [(AudioChunk, StreamInfo)], cut: Int64
    ) {
        let start: Int64 = 10_000_000
        let heard = 50 * 960 - 312 + lastSamples - 960
        let cut = start + Int64(heard) * 1_000 / 48
        func sine(_ sample: Int) -> Float { 0.5 * sinWave(Float(sample) * hertz / 48_000) }
        func epoch(_ number: UInt16, from first: Int, start: Int64, last: Int?) throws -> [(AudioChunk, StreamInfo)] {
            let encoder = try OpusEncoder(channels: 2, bitrate: 128_000)
            let info = StreamInfo(epoch: number, channels: 2, preSkip: 312, startMicroseconds: start, continues: false)
            return try (0..<50).map { index in
                let pcm = (0..<960).flatMap { [Float](repeating: sine(first + index * 960 + $0), count: 2) }
                let isLast = index == 49 && last != nil
                let header = AudioDown(
                    flags: isLast ? .last : [], epoch: number, sequence: UInt32(Int(number) * 50 + index),
                    playAtMicroseconds: start + Int64(index * 960 - 312) * 1_000 / 48,
                    samples: UInt32(isLast ? last ?? 960 : 960))
                return (AudioChunk(header: header, packet: try encoder.encode(pcm), due: start), info)
            }
        }
        return (
            try epoch(1, from: 0, start: start, last: lastSamples) + epoch(2, from: heard, start: cut, last: nil), cut
        )
    }

    private static func sinWave(_ turns: Float) -> Float {
        let x = Double(turns - turns.rounded(.down)) * 2 * .pi
        // Bhaskara's approximation would bend the wave: the series is exact enough.
        let y = x > .pi ? x - 2 * .pi : x
        var (term, sum) = (y, y)
        for n in 1...10 {
            term *= -y * y / Double((2 * n) * (2 * n + 1))
            sum += term
        }
        return Float(sum)
    }

    @Test(arguments: [960, 700, 312, 100, 1]) func `a track that follows without a gap sounds on, end to end`(
        lastSamples: Int
    ) throws {
        let (chunks, cut) = try Self.epochs(lastSamples: lastSamples)
        var timeline = SnapcastTimeline()
        var steps: [SnapcastTimeline.Step] = []
        for (chunk, info) in chunks { steps += timeline.take(chunk, info, now: 9_000_000) }
        let decoder = try OpusDecoder(channels: 2)
        var (edge, pcm): (Int64?, [Float]) = (nil, [])
        var changed = 0
        let known = Set(chunks.map(\.0.packet))
        for step in steps {
            guard case .packet(let packet, let at, let samples) = step else { Issue.record("\(step)"); continue }
            if let edge { #expect(abs(at - edge) <= 1_300, "a step of \(at - edge) µs at \(at - cut)") }
            edge = at + Int64(samples) * 1_000 / 48
            if !known.contains(packet) { changed += 1 }
            pcm += try decoder.decode(packet)
        }
        #expect(changed <= 10)
        // A sine has no jump: the second difference of each sample is bounded.
        let left = stride(from: 0, to: pcm.count, by: 2).map { pcm[$0] }
        #expect(abs(left.count - 100 * 960) < 3_000)
        var worst: Float = 0
        for index in 2_000..<left.count - 1 {
            worst = max(worst, abs(left[index + 1] - 2 * left[index] + left[index - 1]))
        }
        // A whole sample of silence would be 0.5. What is left is that decoders come from packets of another encoder.
        #expect(worst < 0.1, "second difference \(worst)")
        let quiet = (2_000..<left.count - 200).filter { start in
            (start..<start + 120).allSatisfy { abs(left[$0]) < 0.05 }
        }
        #expect(quiet.isEmpty)
    }

    @Test func `a hole is filled with silence, a jump back begins anew, a lone last packet goes out in time`() throws {
        let (chunks, _) = try Self.epochs(lastSamples: 500)
        var timeline = SnapcastTimeline()
        for (chunk, info) in chunks[..<50] { _ = timeline.take(chunk, info, now: 9_000_000) }
        let held = chunks[49].0
        #expect(timeline.due == held.header.playAtMicroseconds - 150_000)
        var later = timeline
        #expect(later.flush() == [.packet(held.packet, at: held.header.playAtMicroseconds, samples: 960)])
        #expect(later.due == nil)
        // 101 ms after the end of that packet.
        func moved(_ time: Int64) -> (AudioChunk, StreamInfo) {
            var (chunk, info) = chunks[50]
            chunk.header.playAtMicroseconds = time
            info = StreamInfo(epoch: 2, channels: 2, preSkip: 312, startMicroseconds: time + 6_500, continues: false)
            return (chunk, info)
        }
        let end = held.header.playAtMicroseconds + 20_000
        let (chunk, info) = moved(end + 101_000)
        let steps = later.take(chunk, info, now: 9_000_000)
        let silent: [SnapcastTimeline.Step] = (0..<5).map {
            .packet([0xFC, 0xFF, 0xFE], at: end + Int64($0) * 20_000, samples: 960)
        }
        #expect(steps == silent + [.packet(chunk.packet, at: end + 101_000, samples: 960)])
        // Players have nothing any more: no silence.
        var idle = timeline
        #expect(idle.take(chunk, info, now: end + 1_000_000).count == 2)
        var back = timeline
        let (early, earlyInfo) = moved(end - 500_000)
        #expect(
            back.take(early, earlyInfo, now: 9_000_000) == [
                .restart, .packet(early.packet, at: end - 500_000, samples: 960),
            ])
    }
}
