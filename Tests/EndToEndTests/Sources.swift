import Foundation
import SonaAudio

/// Music for the tests, made at run time with Debian's own encoder.
enum Sources {
    /// Writes a WAV of a wandering chord, so that no two packets are alike.
    static func wav(_ path: String, seconds: Double, channels: Int, seed: Double = 1) throws {
        let frames = Int(seconds * 48_000)
        var pcm: [Int16] = []
        pcm.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let time = Double(frame) / 48_000
            let sweep = 220 * seed * (1 + 0.2 * sin(time * 0.7))
            let tone = sin(2 * .pi * sweep * time) * 0.3 + sin(2 * .pi * 331 * seed * time) * 0.2
            for channel in 0..<channels {
                pcm.append(Int16(tone * (channel == 0 ? 20_000 : 15_000) + Double((frame * 7919) % 601) - 300))
            }
        }
        var data = Data()
        func u32(_ value: Int) { withUnsafeBytes(of: UInt32(value).littleEndian) { data.append(contentsOf: $0) } }
        func u16(_ value: Int) { withUnsafeBytes(of: UInt16(value).littleEndian) { data.append(contentsOf: $0) } }
        let bytes = pcm.count * 2
        data.append(contentsOf: Array("RIFF".utf8))
        u32(36 + bytes)
        data.append(contentsOf: Array("WAVEfmt ".utf8))
        u32(16)
        u16(1)
        u16(channels)
        u32(48_000)
        u32(48_000 * channels * 2)
        u16(channels * 2)
        u16(16)
        data.append(contentsOf: Array("data".utf8))
        u32(bytes)
        pcm.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Encodes with opusenc.
    static func opus(
        _ path: String, seconds: Double, channels: Int = 2, frame: String = "20", seed: Double = 1
    ) async throws {
        let source = path + ".wav"
        try wav(source, seconds: seconds, channels: channels, seed: seed)
        let encoder = try RunningProgram(
            "opusenc",
            ["--quiet", "--framesize", frame, "--title", "Tune \(frame)", "--artist", "Tester", source, path],
            at: "/usr/bin/opusenc")
        let ending = await encoder.ending()
        guard ending.status == 0 else { throw ProgramFault(description: "opusenc: \(ending.errors)") }
        try FileManager.default.removeItem(atPath: source)
    }

    /// All packets of a file, stream by stream, without those that only prepare the decoder.
    ///
    /// A recording's pre-roll lies in its pre-skip: packets that end within it are not counted.
    static func packets(_ path: String, skippingPreroll: Bool) throws -> [[UInt8]] {
        let file = try OggOpusFile(path: path)
        var packets: [[UInt8]] = []
        for (number, stream) in file.streams.enumerated() {
            for index in 0..<stream.packetCount {
                let packet = try file.packet(stream: number, at: index)
                if skippingPreroll, packet.start + packet.samples <= stream.head.preSkip { continue }
                packets.append(packet.bytes)
            }
        }
        return packets
    }

    /// The faults that opusinfo finds in a file; empty if there are none.
    static func complaints(_ path: String) async throws -> [String] {
        let info = try await RunningProgram("opusinfo", [path], at: "/usr/bin/opusinfo").ending()
        let lines = (info.output + info.errors).split(separator: "\n").map(String.init)
        var complaints = lines.filter { $0.contains("WARNING") || $0.lowercased().contains("error") }
        if info.status != 0 { complaints.append("opusinfo ended with \(info.status)") }
        return complaints
    }
}
