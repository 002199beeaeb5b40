import Foundation
import SonaAudio

/// Sound that a test makes, pipes into a program, and recognises in the output at the other end.
enum PipedSound {
    /// The sound at a time, s: two tones that wander, so that no moment is like another.
    static func value(_ time: Double, channel: Int = 0) -> Double {
        let first = sin(2 * .pi * 600 * time + 300 * sin(0.9 * time))
        let second = sin(2 * .pi * 331 * time + 120 * sin(1.7 * time + 1))
        return channel == 0 ? 0.3 * first + 0.2 * second : 0.2 * first - 0.3 * second
    }

    /// Frames `range` of the sound, as bytes in a format.
    static func bytes(_ format: PCMFormat, _ range: Range<Int>) -> Data {
        var data = Data(capacity: range.count * format.frameBytes)
        for frame in range {
            for channel in 0..<format.channels {
                let value = value(Double(frame) / Double(format.rate), channel: min(channel, 1))
                switch format.sample {
                case .s16le: append(&data, UInt64(bitPattern: Int64((value * 32_767).rounded())), 2)
                case .s24le: append(&data, UInt64(bitPattern: Int64((value * 8_388_607).rounded())), 3)
                case .s32le: append(&data, UInt64(bitPattern: Int64((value * 2_147_483_647).rounded())), 4)
                case .f32le: append(&data, UInt64(Float(value).bitPattern), 4)
                }
            }
        }
        return data
    }

    private static func append(_ data: inout Data, _ value: UInt64, _ count: Int) {
        for byte in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))) }
    }

    /// The header of a WAV of unknown length, as a program writes it into a pipe.
    static func header(_ format: PCMFormat, bytes: UInt64 = 0xFFFF_FFFF) -> Data {
        var data = Data("RIFF".utf8)
        append(&data, bytes, 4)
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(&data, 16, 4)
        append(&data, format.sample == .f32le ? 3 : 1, 2)
        append(&data, UInt64(format.channels), 2)
        append(&data, UInt64(format.rate), 4)
        append(&data, UInt64(format.bytesPerSecond), 4)
        append(&data, UInt64(format.frameBytes), 2)
        append(&data, UInt64(format.sample.bytes * 8), 2)
        data.append(contentsOf: "data".utf8)
        append(&data, bytes, 4)
        return data
    }

    /// A decoded recording: one array for each channel of the first stream, at 48 kHz.
    static func decoded(_ path: String) throws -> (left: [Float], right: [Float], streams: Int) {
        let file = try OggOpusFile(path: path)
        guard let stream = file.streams.first else { return ([], [], 0) }
        let decoder = try OpusDecoder(channels: 2)
        var pcm: [Float] = []
        for index in 0..<stream.packetCount {
            let packet = try file.packet(stream: 0, at: index)
            pcm += try decoder.decode(packet.bytes).prefix(packet.samples * 2)
        }
        pcm.removeFirst(min(pcm.count, stream.head.preSkip * 2))
        let frames = stride(from: 0, to: pcm.count - 1, by: 2)
        return (frames.map { pcm[$0] }, frames.map { pcm[$0 + 1] }, file.streams.count)
    }

    /// Similarity of a part of a recording to the sound from a time on, −1 to 1.
    static func likeness(_ recording: ArraySlice<Float>, from time: Double, channel: Int = 0) -> Double {
        var (product, one, other) = (0.0, 0.0, 0.0)
        for (index, sample) in recording.enumerated() {
            let wanted = value(time + Double(index) / 48_000, channel: channel)
            product += wanted * Double(sample)
            one += wanted * wanted
            other += Double(sample) * Double(sample)
        }
        return one > 0 && other > 0 ? product / (one * other).squareRoot() : 0
    }

    /// Delay, in samples, of a part of a recording against the sound from a time on, at the greatest similarity.
    static func lag(_ recording: ArraySlice<Float>, from time: Double, within samples: Int) -> (
        lag: Int, likeness: Double
    ) {
        var best = (lag: 0, likeness: -1.0)
        for lag in -samples...samples {
            let likeness = likeness(recording, from: time - Double(lag) / 48_000)
            if likeness > best.likeness { best = (lag, likeness) }
        }
        return best
    }

    /// Time in the sound at which a recording begins, s.
    static func offset(of recording: [Float]) -> Double? {
        // Every twelfth sample of 0.3 s; the sound is far below the remaining bandwidth of 2 kHz. A tenth of a second had a
        // second place that fits as well.
        let part = stride(from: 24_000, to: 38_400, by: 12).map { recording[$0] }
        let sound = (0..<12 * 48_000).map { Float(value(Double($0) / 48_000)) }
        var best: (place: Int, product: Float) = (0, 0)
        part.withUnsafeBufferPointer { part in
            sound.withUnsafeBufferPointer { sound in
                var place = 0
                while place < sound.count - 14_400 {
                    var product: Float = 0
                    var index = 0
                    while index < part.count {
                        product += part[index] * sound[place + index * 12]
                        index += 1
                    }
                    if product > best.product { best = (place, product) }
                    place += 4
                }
            }
        }
        let rough = Double(best.place - 24_000) / 48_000
        let fine = lag(recording[24_000..<38_400], from: rough + 0.5, within: 24)
        return fine.likeness > 0.95 ? rough - Double(fine.lag) / 48_000 : nil
    }
}

/// A pipe that a test writes sound into, on a thread, at once or at a sound card's pace.
final class SoundPipe: @unchecked Sendable {
    // Safe to share: mutable state is guarded by `lock`; the pipe may be written from any thread.
    private let pipe = Pipe()
    private let lock = NSLock()
    private var secondsWritten: Double?
    var reading: FileHandle { pipe.fileHandleForReading }

    init() { signal(SIGPIPE, SIG_IGN) }

    /// Duration of the writing, once it is over.
    var seconds: Double? { lock.withLock { secondsWritten } }

    /// Writes without waiting, and closes.
    func write(_ data: Data) {
        Thread.detachNewThread { [self] in
            let began = ContinuousClock.now
            try? pipe.fileHandleForWriting.write(contentsOf: data)
            try? pipe.fileHandleForWriting.close()
            let took = ContinuousClock.now - began
            lock.withLock { secondsWritten = took / .seconds(1) }
        }
    }

    /// Writes at a sound card's pace, 10 ms at a time, and closes.
    ///
    /// - Parameters:
    ///   - ppm: How much faster than its rate the card runs, millionths.
    ///   - pauses: Times at which nothing is written, with their durations; the sound of that time is lost. Seconds.
    func play(_ format: PCMFormat, seconds: Double, ppm: Double = 0, pauses: [(at: Double, for: Double)] = []) {
        Thread.detachNewThread { [self] in
            let began = ServerTime.now
            let rate = Double(format.rate) * (1 + ppm * 1e-6)
            var written = 0
            while true {
                let elapsed = Double(ServerTime.now - began) / 1e6
                if elapsed >= seconds { break }
                let made = Int(elapsed * rate)
                if pauses.contains(where: { $0.at <= elapsed && elapsed < $0.at + $0.for }) {
                    written = made
                } else if made > written {
                    let bytes = PipedSound.bytes(format, written..<made)
                    guard (try? pipe.fileHandleForWriting.write(contentsOf: bytes)) != nil else { break }
                    written = made
                }
                usleep(10_000)
            }
            try? pipe.fileHandleForWriting.close()
            lock.withLock { secondsWritten = seconds }
        }
    }

    func close() { try? pipe.fileHandleForWriting.close() }
}
