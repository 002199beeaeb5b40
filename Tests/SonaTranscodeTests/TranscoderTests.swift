import Glibc
import SonaAudio
import SonaSandbox
import SonaTestSupport
import Testing

@testable import SonaTranscode

/// Sound of many kinds, made by ffmpeg here and read by ffmpeg in its sandbox.
@Suite struct TranscoderTests {
    private let folder = TemporaryFolder()

    private func transcoder() throws -> Transcoder {
        var transcoder = try Transcoder()
        transcoder.program.launcher = BuiltProgram.sona
        return transcoder
    }

    /// Two seconds of 1000 Hz at −20 dBFS in both channels, with a title.
    private func song(_ name: String, _ coding: String) throws -> String {
        let path = folder.file(name)
        let tone = "aevalsrc=0.1*sin(2*PI*1000*t)|0.1*sin(2*PI*1000*t):s=44100:d=2"
        let arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", tone, "-metadata", "title=Prélude"]
            + coding.split(separator: " ").map(String.init) + [path]
        let ffmpeg = try #require(LimitedProgram.find("ffmpeg"))
        let child = try ChildProcess(ffmpeg, arguments, files: [nil, nil, nil])
        #expect(child.waitsForEnd(until: .now + .seconds(60)) == true)
        #expect(child.end() == nil)
        return path
    }

    private func encode(_ path: String) throws -> (opus: OggOpusFile, loudness: Transcoder.Loudness?) {
        let input = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(input) }
        let made = folder.file("made.opus")
        let output = open(made, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(output) }
        let loudness = try transcoder().encode(input, into: output)
        return (try OggOpusFile(path: made), loudness)
    }

    private func failure(_ name: String, _ bytes: [UInt8]) throws -> TranscodeError? {
        let path = folder.file(name)
        TemporaryFolder.write(bytes, toFile: path)
        return #expect(throws: TranscodeError.self) { _ = try encode(path) }
    }

    @Test(arguments: [
        ("a.mp3", "-c:a libmp3lame", SoundKind.mp3), ("a.m4a", "-c:a aac", .mp4), ("b.m4a", "-c:a alac", .mp4),
        ("a.flac", "-c:a flac", .flac), ("a.ogg", "-c:a libvorbis", .ogg), ("b.ogg", "-c:a libopus", .ogg),
        ("a.wav", "-c:a pcm_s16le", .wav), ("a.aiff", "-c:a pcm_s16be -write_id3v2 1", .aiff),
        ("a.wv", "-c:a wavpack", .wavPack), ("a.wma", "-c:a wmav2", .asf), ("a.mka", "-c:a flac", .matroska),
        ("a.aac", "-c:a aac -f adts", .aac), ("a.caf", "-c:a pcm_s16le", .caf), ("a.tta", "-c:a tta", .tta),
        ("a.au", "-c:a pcm_s16be", .au),
    ])
    func `each kind becomes Ogg Opus of the same length, with its title and its loudness`(
        name: String, coding: String, kind: SoundKind
    ) throws {
        let path = try song(name, coding)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(Transcoder.kind(of: file) == kind)
        let (opus, loudness) = try encode(path)
        let stream = try #require(opus.streams.first)
        #expect(opus.streams.count == 1 && stream.head.channels == 2)
        // Encoders of MP3, AAC and WMA put up to 0.1 s of silence around the sound.
        #expect(abs(stream.durationSamples - 96_000) <= 6_000)
        // Raw AAC has no tags; ffmpeg writes none into TTA, CAF takes them as text of its own.
        if ![.aac, .tta, .au, .caf].contains(kind) { #expect(stream.tags.title == "Prélude") }
        let measured = try #require(loudness)
        #expect(abs(measured.integrated + 20) < 0.6, "\(measured)")
        #expect(abs(measured.truePeak + 20) < 0.6, "\(measured)")
    }

    @Test func `a mono file stays mono, and six channels become two`() throws {
        #expect(try encode(try song("mono.wav", "-ac 1 -c:a pcm_s16le")).opus.streams[0].head.channels == 1)
        #expect(try encode(try song("six.flac", "-ac 6 -c:a flac")).opus.streams[0].head.channels == 2)
    }

    @Test func `an ID3 tag larger than the first read does not hide the kind`() throws {
        let flac = try #require(TemporaryFolder.bytes(ofFile: try song("a.flac", "-c:a flac")))
        let size = 10_000
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)]
        TemporaryFolder.write(tag + [UInt8](repeating: 0, count: size) + flac, toFile: folder.file("tagged.mp3"))
        let file = open(folder.file("tagged.mp3"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(Transcoder.kind(of: file) == .flac)
    }

    @Test(arguments: [
        "#EXTM3U\n#EXTINF:1,x\n/etc/passwd\nhttp://127.0.0.1:9/x.mp3\n",
        "ffconcat version 1.0\nfile '/etc/passwd'\n", "[playlist]\nFile1=/etc/passwd\n",
        "<?xml version=\"1.0\"?><smil/>",
        "", "plain text",
    ])
    func `a list of other files is no sound, whatever its name says`(text: String) throws {
        #expect(try failure("list.mp3", Array(text.utf8))?.code == .unsupported)
    }

    @Test func `a damaged file is refused with ffmpeg's reason, without a path`() throws {
        let error = try failure("broken.flac", Array("fLaC".utf8) + [UInt8](repeating: 0xA5, count: 4_000))
        #expect(error?.code == .failed)
        #expect(error?.description.contains("/proc") == false, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("could not be read (") == true, "\(String(describing: error))")
    }

    @Test func `the work ends when it is cancelled`() throws {
        let path = try song("a.wav", "-c:a pcm_s16le")
        let (input, output) = (open(path, O_RDONLY | O_CLOEXEC), open(folder.file("x"), O_RDWR | O_CREAT, 0o600))
        defer {
            close(input)
            close(output)
        }
        var sleeping = LimitedProgram(path: "/bin/sleep")
        sleeping.launcher = BuiltProgram.sona
        #expect(try sleeping.run(["60"], input: input, output: output, log: nil) { true } == .failed("was cancelled"))
    }

    @Test func `a summary without loudness is none, and silence is −70`() {
        #expect(Transcoder.loudness("nothing") == nil)
        let silence =
            "Summary:\n\n  Integrated loudness:\n    I:         -70.0 LUFS\n\n  True peak:\n    Peak:       -inf dBFS\n"
        #expect(Transcoder.loudness(silence) == .init(integrated: -70, truePeak: -.infinity))
    }

    private func measure(_ path: String) throws -> Transcoder.Measures {
        let input = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(input) }
        return try transcoder().measure(input)
    }

    @Test(arguments: ["-c:a flac", "-c:a flac -ac 1", "-c:a libopus -f ogg", "-c:a pcm_s24le -f wav"])
    func `a track is measured without being encoded`(coding: String) throws {
        let measures = try measure(try song("song", coding.contains("-f") ? coding : coding + " -f flac"))
        let expected = coding.contains("-ac 1") ? -23.0 : -20.0
        #expect(abs(measures.loudness.integrated - expected) < 0.3, "\(measures.loudness)")
        #expect(abs(measures.loudness.truePeak + 20) < 0.5, "\(measures.loudness)")
        #expect(measures.peaks.count == 1000 && measures.peaks.dropLast(5).allSatisfy { 23...28 ~= $0 })
    }

    @Test func `a file that is no sound is not measured, and one that is cancelled ends soon`() throws {
        let path = folder.file("text")
        TemporaryFolder.write(Array("Some words.".utf8), toFile: path)
        #expect(#expect(throws: TranscodeError.self) { try measure(path) }?.code == .unsupported)
        let input = open(try song("song.flac", "-c:a flac -filter_complex aloop=loop=400:size=88200"), O_RDONLY)
        defer { close(input) }
        let begin = ContinuousClock.now
        let error = #expect(throws: TranscodeError.self) { try transcoder().measure(input) { true } }
        #expect(error?.code == .cancelled && ContinuousClock.now - begin < .seconds(10))
    }

    @Test func `an excerpt comes in and goes out`() throws {
        let input = open(try song("song.wav", "-f wav"), O_RDONLY | O_CLOEXEC)
        let path = folder.file("part.opus")
        let output = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(input)
            close(output)
        }
        let loudness = try transcoder().encode(
            input, into: output, excerpt: Transcoder.Excerpt(start: 0.5, length: 1, fade: 0.3), measures: false)
        #expect(loudness == nil)
        let file = try OggOpusFile(path: path)
        #expect(abs(file.streams[0].durationSamples - 48_000) < 500)
        let peaks = try measure(path).peaks
        #expect(peaks[10] < 6 && (23...28).contains(peaks[500]) && peaks[985] < 6, "\(peaks)")
    }
}
