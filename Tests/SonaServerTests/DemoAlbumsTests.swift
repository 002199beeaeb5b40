import Glibc
import SonaAudio
import SonaBase
import SonaImages
import SonaMedia
import SonaSandbox
import SonaTestSupport
import Testing

@testable import SonaServer

/// The albums of the demo, cut to the first moments of each track: synthesis takes its time without optimisation.
@Suite struct DemoAlbumsTests {
    private static let seconds = 1.25

    /// All albums, written once for all tests that only read.
    private static let written: (folder: TemporaryFolder, demo: DemoAlbums, outcome: DemoAlbums.Outcome?) = {
        let folder = TemporaryFolder()
        var demo = DemoAlbums(folder: folder.file("demo"))
        demo.coverSide = 40
        demo.secondsMax = seconds
        return (folder, demo, try? demo.write())
    }()
    private var demo: DemoAlbums { Self.written.demo }

    private var tracks: [(album: DemoAlbum, index: Int, path: String)] {
        demo.albums.flatMap { album in
            album.tracks.indices.map { (album, $0, "\(demo.folder)/\(album.folder)/\(album.fileName(of: $0))") }
        }
    }

    private static func decode(_ path: String) throws -> [Float] {
        let file = try OggOpusFile(path: path)
        let decoder = try OpusDecoder(channels: 2)
        var sound: [Float] = []
        for index in 0..<file.streams[0].packetCount {
            let packet = try file.packet(stream: 0, at: index)
            sound += try decoder.decode(packet.bytes).prefix(packet.samples * 2)
        }
        sound.removeFirst(file.streams[0].head.preSkip * 2)
        return sound
    }

    @Test func `three albums of three or four tracks are written, for their owner alone`() throws {
        #expect(Self.written.outcome == .complete(written: 14))
        #expect(demo.albums.count == 3 && demo.albums.allSatisfy { (3...4).contains($0.tracks.count) })
        #expect(Set(demo.albums.map(\.artist)).count == 3 && Set(demo.albums.map(\.genre)).count == 3)
        #expect(demo.albums.flatMap(\.tracks).allSatisfy { (30...75).contains($0.seconds) })
        for file in demo.files + [DemoMarker.name] {
            #expect(TemporaryFolder.mode(ofFile: "\(demo.folder)/\(file)") == 0o600, "\(file)")
        }
        for album in demo.albums {
            #expect(TemporaryFolder.mode(ofFile: "\(demo.folder)/\(album.folder)") == 0o700)
        }
        #expect(TemporaryFolder.mode(ofFile: demo.folder) == 0o700)
    }

    @Test func `each track is as long as it says, is not clipped, and is like no other`() throws {
        var sounds: [[Float]] = []
        for track in tracks {
            let sound = try Self.decode(track.path)
            #expect(sound.count == Int(Self.seconds * 48_000) * 2, "\(track.path)")
            #expect(sound.allSatisfy { abs($0) < 1 }, "\(track.path)")
            #expect(sound.contains { abs($0) > 0.05 }, "\(track.path)")
            // Fades.
            #expect(abs(sound[0]) < 0.02 && abs(sound[sound.count - 1]) < 0.02, "\(track.path)")
            sounds.append(sound)
        }
        for (index, sound) in sounds.enumerated() {
            for other in sounds[..<index] {
                let difference = zip(sound, other).reduce(Float(0)) { $0 + abs($1.0 - $1.1) } / Float(sound.count)
                #expect(difference > 0.01)
            }
        }
    }

    @Test func `the server's scanner reads the tags`() throws {
        var program = WorkerProgram()
        program.path = BuiltProgram.sona
        let files = tracks.map { open($0.path, O_RDONLY | O_CLOEXEC) }
        defer { for file in files { close(file) } }
        let results = SoundScanner(program).scan(files)
        #expect(results.count == 11)
        for (track, result) in zip(tracks, results) {
            let (tags, album) = (try result.get(), track.album)
            func values(_ name: String) -> [String] { tags.values.filter { $0.name == name }.map(\.text) }
            #expect(values("TITLE") == [album.tracks[track.index].title])
            #expect(values("ARTIST") == album.tracks[track.index].artists(on: album))
            #expect(values("ALBUM") == [album.title] && values("ALBUMARTIST") == [album.artist])
            #expect(values("TRACKNUMBER") == ["\(track.index + 1)"])
            #expect(values("TRACKTOTAL") == ["\(album.tracks.count)"])
            #expect(values("DATE") == ["2026"] && values("GENRE") == [album.genre])
            #expect(tags.hasPicture == (track.index == 0))
            #expect(tags.channels == 2 && abs(tags.durationMilliseconds - 1250) <= 1, "\(tags.durationMilliseconds)")
        }
        #expect(tracks.contains { $0.album.tracks[$0.index].artists(on: $0.album).count == 2 })
    }

    @Test func `ffprobe reads a track and its cover`() throws {
        guard let ffprobe = LimitedProgram.find("ffprobe") else { return }
        let output = Self.written.folder.file("probed")
        let file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let arguments = [
            "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width:stream_tags", "-of", "default=nw=1",
        ]
        let child = try ChildProcess(ffprobe, arguments + [tracks[0].path], files: [nil, file, nil])
        close(file)
        #expect(child.waitsForEnd(until: .now + .seconds(30)) == true && child.end() == nil)
        let lines = String(decoding: TemporaryFolder.bytes(ofFile: output) ?? [], as: UTF8.self).split(separator: "\n")
        for line in [
            "codec_name=opus", "codec_name=png", "width=40", "TAG:TITLE=Harbour Before Light", "TAG:ARTIST=Low Harbour",
            "TAG:GENRE=Ambient",
        ] {
            #expect(lines.contains { $0.lowercased() == line.lowercased() }, "\(line) in \(lines)")
        }
    }

    @Test func `each cover is a picture of its own`() throws {
        var colors: Set<String> = []
        for album in demo.albums {
            let bytes = try #require(TemporaryFolder.bytes(ofFile: "\(demo.folder)/\(album.folder)/cover.png"))
            let photo = try Photo(bytes)
            #expect(photo.full.width == 40 && photo.full.height == 40)
            colors.insert(photo.color.description)
        }
        #expect(colors.count == 3 && DemoAlbums(folder: "/").coverSide >= 600)
    }

    // MARK: The folder

    /// An album that costs nothing to play.
    private static func small(_ folder: String, title: String = "Small") -> DemoAlbums {
        let tracks = ["One", "Two"].map { name in
            DemoTrack(title: name, seconds: 0.5) { frames in
                (0..<frames * 2).map { sin(Float($0 / 2) * (name == "One" ? 0.05 : 0.08)) }
            }
        }
        var demo = DemoAlbums(folder: folder)
        demo.albums = [DemoAlbum(title: title, artist: "A", genre: "G", cover: WaltzCover(), tracks: tracks)]
        demo.coverSide = 8
        return demo
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func `a folder that was left half-written is completed`() async throws {
        let folder = TemporaryFolder()
        let demo = Self.small(folder.path)
        #expect(try demo.write() == .complete(written: 3))
        let files = demo.files.map { "\(folder.path)/\($0)" }
        let whole = files.map { TemporaryFolder.bytes(ofFile: $0) }
        let first = Self.inode(files[1])
        // As a kill leaves it: no last file, the beginning of it under another name, and the marker of the start.
        unlink(files[2])
        TemporaryFolder.write([1, 2], toFile: files[2] + ".3k.tmp")
        TemporaryFolder.write([3], toFile: "\(folder.path)/Small/mine.tmp")
        try DemoMarker(version: DemoAlbums.version, isComplete: false, files: demo.files).write(inFolder: folder.path)
        #expect(try await demo.writeInBackground() == .complete(written: 1))
        #expect(files.map { TemporaryFolder.bytes(ofFile: $0) } == whole)
        #expect(Self.inode(files[1]) == first)
        #expect(!Self.exists(files[2] + ".3k.tmp") && Self.exists("\(folder.path)/Small/mine.tmp"))
    }

    @Test func `a complete folder is left as it is`() throws {
        let folder = TemporaryFolder()
        let demo = Self.small(folder.path)
        #expect(try demo.write() == .complete(written: 3))
        unlink("\(folder.path)/\(demo.files[1])")
        #expect(try demo.write() == .complete(written: 0))
        #expect(!Self.exists("\(folder.path)/\(demo.files[1])"))
    }

    @Test func `albums of another version go, and files of others stay`() throws {
        let folder = TemporaryFolder()
        for title in ["Old", "Mixed"] {
            #expect(try Self.small(folder.path, title: title).write() == .complete(written: 3))
            unlink(folder.file(DemoMarker.name))
        }
        TemporaryFolder.write([7], toFile: "\(folder.path)/Mixed/own.opus")
        let old = ["Old", "Mixed"].flatMap { Self.small(folder.path, title: $0).files }
        try DemoMarker(version: DemoAlbums.version + 1, isComplete: true, files: old + ["../escape", "a/../b"])
            .write(inFolder: folder.path)
        #expect(try Self.small(folder.path).write() == .complete(written: 3))
        #expect(!Self.exists("\(folder.path)/Old"))
        #expect(Self.exists("\(folder.path)/Mixed/own.opus") && !Self.exists("\(folder.path)/Mixed/cover.png"))
        #expect(try DemoMarker.read(inFolder: folder.path)?.files == Self.small(folder.path).files)
    }

    @Test func `a marker never names a file outside the folder`() {
        let text = "sona-demo 3 begun\na/b\n../x\n/etc/passwd\na/../b\na//b\nplain\n"
        #expect(DemoMarker(text: text) == DemoMarker(version: 3, isComplete: false, files: ["a/b"]))
        for text in ["", "sona-demo 3\n", "sona-demo x begun\n", "other 3 begun\n"] {
            #expect(DemoMarker(text: text) == nil)
        }
    }

    @Test func `a server that stops does not wait for the music`() async throws {
        let folder = TemporaryFolder()
        let stop = StopFlag()
        stop.set()
        #expect(try await Self.small(folder.path).writeInBackground(until: stop) == .stopped)
        #expect(try DemoMarker.read(inFolder: folder.path)?.isComplete == false)
        #expect(try Self.small(folder.path).write() == .complete(written: 3))
    }

    @Test func `a folder that can't be made is an error in words`() throws {
        let folder = TemporaryFolder()
        TemporaryFolder.write([], toFile: folder.file("file"))
        for path in [folder.file("file"), folder.file("no/where")] {
            let error = #expect(throws: ServerError.self) { try Self.small(path).write() }
            #expect(error?.sentence.hasPrefix("The albums of the demo could not be written: mkdir: ") == true)
            #expect(error?.exitCode == 74)
        }
    }

    // MARK: The sound

    @Test func `a tone has the loudness that the standard says`() throws {
        // A sine of 997 Hz and −20 dB in both channels has −20 LUFS.
        let tone = (0..<48_000 * 2 * 2).map { Float(0.1 * sin(2 * Double.pi * 997 * Double($0 / 2) / 48_000)) }
        let measured = try #require(Loudness.integrated(tone))
        #expect(abs(measured + 20) < 0.1, "\(measured)")
        #expect(Loudness.integrated([Float](repeating: 0, count: 96_000)) == nil)
        #expect(Loudness.integrated([]) == nil)
    }

    @Test func `loud moments are turned down below the ceiling`() {
        // Quiet, but for one stroke.
        var sound = (0..<96_000).map { index in
            sin(Float(index / 2) * 0.06) * (40_000..<41_000 ~= index ? 1 : 0.03)
        }
        Mastering.finish(&sound, fadeIn: 0.01, fadeOut: 0.1)
        #expect(sound.allSatisfy { abs($0) <= Mastering.ceiling + 1e-4 })
        #expect(sound.contains { abs($0) > 0.7 * Mastering.ceiling })
    }

    @Test func `phrases and chords are read`() {
        let phrase = Phrase("c4/2 r d#4+bb4/0.5 | a4")
        #expect(phrase.beats == 5 && phrase.steps.map(\.start) == [0, 4, 4.5])
        #expect(phrase.steps.map(\.pitches) == [[60], [63, 70], [69]])
        let notes = phrase.notes(beat: 0.5, at: 2, held: 1)
        #expect(notes.map(\.start) == [1, 3, 3, 3.25] && notes[0].seconds == 1 && notes[3].hertz == 440)
        #expect(Chord("F#m7").close(from: 60) == [61, 64, 66, 69] && Chord("Bb").bass(from: 40) == 46)
    }
}
