import SonaAudio
import Testing

/// WAV headers as programs write them, and as nobody should.
@Suite struct WAVReaderTests {
    // MARK: Files that are good

    @Test(arguments: PCMFormat.Sample.allCases, [8_000, 44_100, 48_000, 192_000])
    func `the format and the sound of a WAV are taken out, however it comes`(sample: PCMFormat.Sample, rate: Int) throws
    {
        let sound = (0..<240).map { UInt8($0) }
        for channels in [1, 2, 6] {
            let format = try PCMFormat(sample: sample, rate: rate, channels: channels)
            let file = WAV.file(format, sound)
            for piece in [1, 3, 7, 44, file.count] {
                var reader = WAVReader()
                var taken: [UInt8] = []
                for start in stride(from: 0, to: file.count, by: piece) {
                    taken += try reader.take(Array(file[start..<min(start + piece, file.count)]))
                }
                try reader.finish()
                #expect(taken == sound)
                #expect(reader.format == format)
                #expect(reader.isOver && reader.bytesToCome == 0)
            }
        }
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_0000, 0x8000_0000, 0x7FFF_FFDB] as [UInt32])
    func `sizes that a pipe's writer cannot know leave the end open`(size: UInt32) throws {
        let format = try PCMFormat(sample: .s16le, rate: 44_100, channels: 2)
        var reader = WAVReader()
        let sound = [UInt8](repeating: 7, count: 400)
        #expect(try reader.take(WAV.header(format, dataBytes: size, riffBytes: size)) == [])
        for _ in 0..<100 { #expect(try reader.take(sound) == sound) }
        #expect(!reader.isOver && reader.bytesToCome == nil)
        try reader.finish()
    }

    @Test func `a size just below those is meant`() throws {
        let format = try PCMFormat(sample: .s16le, rate: 44_100, channels: 2)
        var reader = WAVReader()
        _ = try reader.take(WAV.header(format, dataBytes: 0x7FFE_FFFF))
        #expect(reader.bytesToCome == 0x7FFE_FFFF)
    }

    @Test func `chunks before and after the sound are skipped`() throws {
        let format = try PCMFormat(sample: .f32le, rate: 48_000, channels: 1)
        var file =
            WAV.riff + WAV.chunk("JUNK", [UInt8](repeating: 1, count: 27)) + WAV.chunk("fmt ", WAV.format(format))
        file += WAV.chunk("LIST", [UInt8](repeating: 2, count: 70_001)) + WAV.chunk("fact", [0, 0, 0, 0])
        file += WAV.chunk("data", [1, 2, 3, 4]) + WAV.chunk("LIST", [9, 9, 9, 9])
        var reader = WAVReader()
        #expect(try reader.take(file) == [1, 2, 3, 4])
        #expect(reader.isOver)
    }

    @Test func `extensible formats and the forms with large sizes are taken`() throws {
        let format = try PCMFormat(sample: .s24le, rate: 96_000, channels: 8)
        for name in ["RIFF", "RF64", "BW64"] {
            var file = Array(name.utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVE".utf8)
            if name != "RIFF" { file += WAV.chunk("ds64", [UInt8](repeating: 0, count: 28)) }
            file += WAV.chunk("fmt ", WAV.extensible(format)) + Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 5, 6]
            var reader = WAVReader()
            #expect(try reader.take(file) == [5, 6])
            #expect(reader.format == format)
        }
    }

    @Test func `a WAV that ends too soon says how much is missing`() throws {
        let format = try PCMFormat(sample: .s16le, rate: 48_000, channels: 2)
        var reader = WAVReader()
        _ = try reader.take(WAV.header(format, dataBytes: 1_000) + [1, 2, 3, 4])
        try reader.finish()
        #expect(reader.bytesToCome == 996 && !reader.isOver)
    }

    // MARK: Files that are not

    @Test func `a file that is not a WAV is rejected with a message`() throws {
        for bytes in [
            Array("OggS".utf8) + [UInt8](repeating: 0, count: 40), [UInt8](repeating: 0, count: 64),
            Array("RIFF\0\0\0\0AVI fmt ".utf8), Array("RIFX\0\0\0\0WAVE".utf8),
            Array("ID3".utf8) + [UInt8](repeating: 3, count: 20),
        ] { #expect(code(bytes) == .notWAV) }
        #expect(code([]) == .empty)
        #expect(code(Array("RIF".utf8)) == .notWAV)
    }

    @Test func `a header that breaks off or is broken is refused in words`() throws {
        let format = try PCMFormat(sample: .s16le, rate: 48_000, channels: 2)
        let header = WAV.header(format, dataBytes: 100)
        for length in 12..<header.count { #expect(code(Array(header[..<length])) == .badHeader, "\(length)") }
        #expect(code(WAV.riff + WAV.chunk("data", [1, 2])) == .badHeader)
        #expect(code(WAV.riff + WAV.chunk("fmt ", [1, 0])) == .badHeader)
        #expect(code(WAV.riff + WAV.chunk("fmt ", [UInt8](repeating: 1, count: 400))) == .badHeader)
        var wrong = WAV.format(format)
        wrong[12] = 3
        #expect(code(WAV.riff + WAV.chunk("fmt ", wrong)) == .badHeader)
        #expect(code(WAV.riff + WAV.chunk("JUNK", [UInt8](repeating: 0, count: 2 << 20))) == .badHeader)
    }

    @Test(
        arguments: [
            (1, 2, 48_000, 8), (1, 2, 48_000, 12), (3, 2, 48_000, 64), (7, 2, 8_000, 8), (85, 2, 44_100, 0),
            (1, 0, 48_000, 16), (1, 9, 48_000, 16), (1, 2, 7_999, 16), (1, 2, 192_001, 16), (1, 65_535, 48_000, 16),
        ])
    func `a WAV with another coding is rejected with a message`(code: Int, channels: Int, rate: Int, bits: Int) {
        let format = WAV.format(code: code, channels: channels, rate: rate, bits: bits)
        #expect(self.code(WAV.riff + WAV.chunk("fmt ", format)) == .unsupported)
    }

    @Test func `no bytes do harm`() throws {
        let format = try PCMFormat(sample: .s16le, rate: 48_000, channels: 2)
        let header = WAV.header(format, dataBytes: 100)
        for place in header.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = header + [1, 2, 3, 4]
                bytes[place] = value
                var reader = WAVReader()
                _ = try? reader.take(bytes)
                try? reader.finish()
            }
        }
    }

    private func code(_ bytes: [UInt8]) -> AudioError.Code? {
        var reader = WAVReader()
        do throws(AudioError) {
            _ = try reader.take(bytes)
            try reader.finish()
            return nil
        } catch { return error.code }
    }
}

/// WAV files made by hand.
enum WAV {
    static let riff = Array("RIFF".utf8) + word(0xFFFF_FFFF) + Array("WAVE".utf8)

    static func file(_ format: PCMFormat, _ sound: [UInt8]) -> [UInt8] {
        header(format, dataBytes: UInt32(sound.count)) + sound
    }

    static func header(_ format: PCMFormat, dataBytes: UInt32, riffBytes: UInt32? = nil) -> [UInt8] {
        Array("RIFF".utf8) + word(riffBytes ?? dataBytes &+ 36) + Array("WAVE".utf8)
            + chunk("fmt ", self.format(format))
            + Array("data".utf8) + word(dataBytes)
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + word(UInt32(body.count)) + body + (body.count.isMultiple(of: 2) ? [] : [0])
    }

    static func format(_ format: PCMFormat) -> [UInt8] {
        self.format(
            code: format.sample == .f32le ? 3 : 1, channels: format.channels, rate: format.rate,
            bits: format.sample.bytes * 8)
    }

    static func extensible(_ format: PCMFormat) -> [UInt8] {
        var bytes = self.format(format)
        bytes[0] = 0xFE
        bytes[1] = 0xFF
        let guid: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        return bytes + half(22) + half(format.sample.bytes * 8) + word(0x3F) + guid
    }

    static func format(code: Int, channels: Int, rate: Int, bits: Int) -> [UInt8] {
        half(code) + half(channels) + word(UInt32(rate)) + word(UInt32(truncatingIfNeeded: rate * channels * bits / 8))
            + half(channels * bits / 8) + half(bits)
    }

    private static func half(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
