import Glibc
import SonaAudio
import Testing

@testable import SonaClient

/// Sound out of a real pipe.
@Suite struct PCMSourceTests {
    /// A pipe whose writing end a test holds.
    private final class Ends {
        let reading: Int32
        private(set) var writing: Int32

        init() {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            (reading, writing) = (ends[0], ends[1])
            signal(SIGPIPE, SIG_IGN)
        }

        deinit {
            close(reading)
            end()
        }

        func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// - Returns: How many bytes the pipe and who reads it took, without waiting for them.
        func flood(_ bytes: Int) -> Int {
            _ = fcntl(writing, F_SETFL, O_NONBLOCK)
            let block = [UInt8](repeating: 0, count: 4_096)
            var (sent, idle) = (0, 0)
            while sent < bytes, idle < 50 {
                let count = Glibc.write(writing, block, block.count)
                if count > 0 {
                    sent += count
                    idle = 0
                } else {
                    idle += 1
                    usleep(2_000)
                }
            }
            return sent
        }

        func end() {
            if writing >= 0 { close(writing) }
            writing = -1
        }
    }

    private static let stereo = try! PCMFormat(sample: .s16le, rate: 48_000, channels: 2)

    private func wait(_ source: PCMSource, frames: Int) throws {
        for _ in 0..<2_000 where source.frames < frames {
            try source.pull()
            usleep(1_000)
        }
        #expect(source.frames >= frames)
    }

    @Test func `frames come out as they went in, however the pipe cuts them`() throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: Self.stereo)
        let bytes: [UInt8] = (0..<1_000).flatMap { (frame: Int) -> [UInt8] in
            [UInt8(frame & 0xFF), UInt8(frame >> 8), 0, 0]
        }
        var place = 0
        for size in [1, 2, 3, 5, 700, 11, 1_300] {
            ends.write(Array(bytes[place..<place + size]))
            place += size
            usleep(3_000)
            try source.pull()
        }
        ends.write(Array(bytes[place...]))
        try wait(source, frames: 1_000)
        let taken = source.take(frames: 1_000)
        for frame in 0..<1_000 {
            #expect(taken[frame * 2] == Float(frame) / 32_768 && taken[frame * 2 + 1] == 0)
        }
        #expect(source.framesTaken == 1_000 && source.frames == 0 && !source.isOver)
    }

    @Test func `silence replaces missing sound`() throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: Self.stereo)
        ends.write([0, 64, 0, 64])
        try wait(source, frames: 1)
        #expect(source.take(frames: 3) == [0.5, 0.5, 0, 0, 0, 0])
        #expect(source.framesTaken == 1)
    }

    @Test func `a writing program is held back while nothing is taken`() throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: Self.stereo)
        let taken = ends.flood(64 << 20)
        // A pipe, what is being read, and a quarter of a second.
        #expect(taken < 400_000, "\(taken) bytes")
        try source.pull()
        #expect(source.frames * 4 <= taken)
        #expect(ends.flood(64 << 20) < 400_000)
    }

    @Test func `the end comes after the last sound`() throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: nil)
        ends.write(Workshop.wav(Self.stereo, [UInt8](repeating: 1, count: 4_000)))
        ends.end()
        try wait(source, frames: 1_000)
        for _ in 0..<1_000 where !source.isOver {
            try source.pull()
            usleep(1_000)
        }
        #expect(source.isOver && source.frames == 1_000 && !source.isCutOff)
    }

    @Test func `a WAV that is cut off says so`() throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: nil)
        ends.write(Array(Workshop.wav(Self.stereo, [UInt8](repeating: 1, count: 4_000)).dropLast(400)))
        ends.end()
        for _ in 0..<1_000 where !source.isOver {
            try source.pull()
            usleep(1_000)
        }
        #expect(source.frames == 900 && source.isCutOff)
    }

    @Test func `reads are stamped with the amount that was there`() throws {
        let ends = Ends()
        let source = try PCMSource(
            descriptor: ends.reading, format: PCMFormat(sample: .s16le, rate: 24_000, channels: 1))
        var stamps: [PCMSource.Stamp] = []
        for _ in 0..<5 {
            ends.write([UInt8](repeating: 0, count: 480))
            usleep(20_000)
            stamps += try source.pull()
        }
        #expect(stamps.map(\.frames) == [480, 960, 1_440, 1_920, 2_400])
        for (one, next) in zip(stamps, stamps.dropFirst()) { #expect(next.readAt - one.readAt > 10_000) }
    }

    @Test(arguments: [false, true]) func `a second shows whether sound is live`(isLive: Bool) async throws {
        let ends = Ends()
        let source = try PCMSource(descriptor: ends.reading, format: Self.stereo)
        let writer = Task.detached { [writing = ends.writing] in
            let block = [UInt8](repeating: 0, count: 1_920)
            // Half a second is there already, as where a program has waited for us.
            for number in 0..<400 {
                _ = Glibc.write(writing, block, block.count)
                if isLive, number > 50 { try? await Task.sleep(for: .milliseconds(10)) }
                if Task.isCancelled { return }
            }
        }
        #expect(try await PCMProbe.isLive(source, waiting: {}) == isLive)
        writer.cancel()
        for _ in 0..<200 {
            try source.pull()
            source.dropAll()
            usleep(1_000)
        }
        _ = await writer.value
    }
}

extension Workshop {
    static func wav(_ format: PCMFormat, _ sound: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
        return Array("RIFF".utf8) + little(sound.count + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(format.channels, 2) + little(format.rate, 4) + little(format.bytesPerSecond, 4)
            + little(format.frameBytes, 2) + little(format.sample.bytes * 8, 2) + Array("data".utf8)
            + little(sound.count, 4) + sound
    }
}
