import Glibc
import SonaBase
import SonaImages
import SonaSandbox
import SonaTestSupport
import SonaTranscode
import Testing

@testable import SonaMedia

/// Tags of files that ffmpeg makes here, read by the real worker.
@Suite struct SoundScannerTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) throws {
        let ffmpeg = try #require(LimitedProgram.find("ffmpeg"))
        let child = try ChildProcess(
            ffmpeg, ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments, files: [nil, nil, nil])
        #expect(child.waitsForEnd(until: .now + .seconds(60)) == true)
        #expect(child.end() == nil)
    }

    private func song(_ name: String, _ coding: String, seconds: Int = 2) throws -> String {
        let path = folder.file(name)
        let tags = [
            "title=Prélude à l’après-midi", "artist=Ada", "album=Nocturnes", "album_artist=Ada & Bob", "track=3/12",
            "date=1999", "genre=Ambient",
        ]
        var arguments = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=\(seconds)"]
        for tag in tags { arguments += ["-metadata", tag] }
        arguments += coding.split(separator: " ").map(String.init)
        try run(arguments + [path])
        return path
    }

    private func scan(_ scanner: SoundScanner, _ paths: [String]) -> [Result<SoundTags, SoundScanner.Failure>] {
        let files = paths.map { open($0, O_RDONLY | O_CLOEXEC) }
        defer { for file in files { close(file) } }
        return scanner.scan(files)
    }

    private func scanner() -> SoundScanner { SoundScanner(WorkerFixture.sona) }

    @Test(arguments: [
        ("a.mp3", "-c:a libmp3lame -id3v2_version 4", SoundKind.mp3),
        ("b.mp3", "-c:a libmp3lame -id3v2_version 3", .mp3),
        ("a.m4a", "-c:a aac", .mp4), ("b.m4a", "-c:a alac", .mp4), ("a.flac", "-c:a flac", .flac),
        ("a.ogg", "-c:a libvorbis", .ogg), ("a.opus", "-c:a libopus", .ogg), ("c.ogg", "-c:a flac -f ogg", .ogg),
        ("a.aiff", "-c:a pcm_s16be -write_id3v2 1", .aiff), ("a.wv", "-c:a wavpack", .wavPack),
        ("a.wma", "-c:a wmav2", .asf), ("a.tta", "-c:a tta", .tta),
    ])
    func `tags and properties of each kind are read`(name: String, coding: String, kind: SoundKind) throws {
        let tags = try scan(scanner(), [try song(name, coding)])[0].get()
        #expect(tags.kind == kind)
        // ffmpeg writes Ogg FLAC without its length.
        if name != "c.ogg" {
            #expect(abs(tags.durationMilliseconds - 2000) <= 120, "\(tags.durationMilliseconds)")
            #expect(tags.bitrate > 0)
        }
        // ffmpeg writes two channels into MP4 whatever there are.
        #expect(tags.channels == 1 || kind == .mp4 && tags.channels == 2, "\(tags.channels)")
        #expect([44_100, 48_000].contains(tags.sampleRate))
        #expect(!tags.hasPicture)
        // ffmpeg writes no tags into TTA.
        guard kind != .tta else { return }
        #expect(tags["TITLE"] == "Prélude à l’après-midi" && tags["ARTIST"] == "Ada" && tags["ALBUM"] == "Nocturnes")
        #expect(tags["TRACKNUMBER"]?.hasPrefix("3") == true && tags["GENRE"] == "Ambient")
        // The year of WMA has a name of its own, which ffmpeg does not use.
        if kind != .asf { #expect(tags["DATE"]?.hasPrefix("1999") == true) }
    }

    @Test func `an embedded picture is told, and a worker makes a photo of it`() throws {
        let (plain, picture, path) = (try song("a.mp3", "-c:a libmp3lame"), folder.file("p.png"), folder.file("c.mp3"))
        try run(["-f", "lavfi", "-i", "color=red:size=320x240:duration=1", "-frames:v", "1", picture])
        try run([
            "-i", plain, "-i", picture, "-map", "0:a", "-map", "1:v", "-c", "copy", "-disposition:v", "attached_pic",
            path,
        ])
        #expect(try scan(scanner(), [path])[0].get().hasPicture)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let photo = try PictureWorkers(WorkerFixture.sona).cover(of: file)
        #expect(photo.full.width == 320 && photo.full.height == 240)
        #expect(photo.color.red > 200 && photo.color.green < 60)
        let bare = open(plain, O_RDONLY | O_CLOEXEC)
        defer { close(bare) }
        #expect(throws: PictureWorkers.Failure.self) { try PictureWorkers(WorkerFixture.sona).cover(of: bare) }
    }

    @Test func `files that are no sound are told apart, and the others of their batch are read`() throws {
        let good = try song("a.flac", "-c:a flac")
        let (text, empty, torn) = (folder.file("x.mp3"), folder.file("empty.mp3"), folder.file("torn.flac"))
        TemporaryFolder.write(Array("#EXTM3U\n/etc/passwd\n".utf8), toFile: text)
        TemporaryFolder.write([], toFile: empty)
        TemporaryFolder.write(Array("fLaC".utf8), toFile: torn)
        let results = scan(scanner(), [good, text, empty, torn, "/tmp", good])
        #expect(results.count == 6)
        #expect(try results[0].get() == results[5].get())
        for place in 1...4 { #expect(results[place] == .failure(.notSound)) }
    }

    @Test func `many batches go through one worker`() throws {
        let path = try song("a.opus", "-c:a libopus")
        let scanner = scanner()
        for _ in 0..<10 {
            let results = scan(scanner, [String](repeating: path, count: SoundScanner.batchMax))
            #expect(results.count == SoundScanner.batchMax)
            #expect(results.allSatisfy { (try? $0.get())?["ARTIST"] == "Ada" })
        }
    }

    /// Goal: a file that breaks the worker is the only one that is lost.
    /// Way: a worker that ends at the third file it is given, each time.
    @Test func `a file that breaks the worker is its own failure only`() throws {
        let path = try song("a.flac", "-c:a flac")
        let script = """
            exec python3 -c '
            import os, socket
            s = socket.socket(fileno=os.dup(0))
            s.send(b"SONA\\x01")
            seen = 0
            while True:
                head, files, _, _ = socket.recv_fds(s, 1, 32)
                if not head: break
                for file in files:
                    seen += 1
                    if seen == 3: os.abort()
                    s.send(b"\\x01")
            '
            """
        let broken = SoundScanner(WorkerFixture.script(script, in: folder))
        let results = scan(broken, [String](repeating: path, count: 5))
        #expect(results.map { $0 == .failure(.notSound) } == [true, true, false, true, true])
        guard case .failure(.broke(let reason)) = results[2] else { return #expect(Bool(false), "\(results[2])") }
        #expect(reason.contains("signal 6"), "\(reason)")
    }

    /// Goal: whatever is wrong in a file, the next one is read.
    /// Way: files of eight kinds, cut off or with bytes changed at random (seeded), each followed by a good one.
    @Test func `files that are cut off or changed leave the others readable`() throws {
        let good = try song("good.flac", "-c:a flac")
        let songs = try [
            ("m.mp3", "-c:a libmp3lame"), ("m.m4a", "-c:a aac"), ("m.flac", "-c:a flac"), ("m.ogg", "-c:a libvorbis"),
            ("m.opus", "-c:a libopus"), ("m.wma", "-c:a wmav2"), ("m.wv", "-c:a wavpack"), ("m.aiff", "-write_id3v2 1"),
        ].map { try #require(TemporaryFolder.bytes(ofFile: try song($0.0, $0.1))) }
        var random = SeededGenerator(seed: 7)
        let scanner = scanner()
        var brokenCount = 0
        for round in 0..<50 {
            var paths: [String] = []
            for (index, song) in songs.enumerated() {
                var bytes = song
                if round % 5 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
                for _ in 0..<Int.random(in: 1...40, using: &random) where round % 5 > 0 {
                    // Heads and tags are where readers look.
                    let place = Int.random(in: 0..<min(bytes.count, round % 2 == 0 ? 600 : 20_000), using: &random)
                    bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                }
                paths += [folder.file("\(index)"), good]
                TemporaryFolder.write(bytes, toFile: folder.file("\(index)"))
            }
            let results = scan(scanner, paths)
            #expect(results.count == paths.count)
            for (path, result) in zip(paths, results) {
                if path == good { #expect((try? result.get())?["ARTIST"] == "Ada") }
                if case .failure(.broke) = result { brokenCount += 1 }
            }
        }
        // TagLib is not as bad as that.
        #expect(brokenCount < 40, "\(brokenCount)")
    }

    @Test func `a worker that hangs is killed after the time for one file`() throws {
        let path = try song("a.flac", "-c:a flac")
        let hanging = SoundScanner(
            WorkerFixture.script("printf 'SONA\\001'; exec sleep 60", in: folder), fileTimeMax: .milliseconds(300))
        let time = ContinuousClock().measure {
            #expect(scan(hanging, [path]) == [.failure(.broke("took too long"))])
        }
        #expect(time < .seconds(10))
    }

    @Test func `without a worker nothing is said of the file`() throws {
        var program = WorkerProgram()
        program.path = "/nowhere"
        let results = scan(SoundScanner(program), [try song("a.flac", "-c:a flac")])
        guard case .failure(.unavailable) = results[0] else { return #expect(Bool(false), "\(results[0])") }
    }

    @Test func `values are bounded, and what no worker says is refused`() throws {
        var tags = SoundTags(kind: .flac)
        tags.durationMilliseconds = 214_000
        tags.values = [.init("TITLE", "A"), .init("ARTIST", "Ädä"), .init("ARTIST", "Bob")]
        #expect(SoundTags(encoded: tags.encoded) == tags)
        for count in 0..<tags.encoded.count - 1 {
            let cut = SoundTags(encoded: Array(tags.encoded.prefix(count)))
            #expect(cut == nil || (cut?.values.count ?? 3) < 3)
        }
        tags.values = [.init("SHELL", "x")]
        #expect(SoundTags(encoded: tags.encoded) == nil)
    }
}
