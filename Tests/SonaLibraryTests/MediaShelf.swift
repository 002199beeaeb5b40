import Glibc
import SonaBase
import SonaCrypto
import SonaDatabase
import SonaMedia
import SonaModel
import SonaSandbox
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// A library with real files, and a folder for what is made of them.
final class MediaShelf: Sendable {
    struct DAOs: SonaDatabase.DAOs {
        let model: ModelDAOs
        let library: LibraryDAOs

        init(_ database: any DatabaseWriter) {
            model = ModelDAOs(database)
            library = LibraryDAOs(database)
        }
    }

    static let layout = StorageLayout<DAOs>(migrations: ModelSchema.timeline + LibrarySchema.timeline) { $0.model }

    let folder: TemporaryFolder
    let model: Model
    let library: Library
    let daos: DAOs
    let uid = UserID("somebody")

    init(_ folder: TemporaryFolder = TemporaryFolder(), renditionBytes: Int64 = 1 << 30) async throws {
        self.folder = folder
        mkdir(folder.file("Music"), 0o700)
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        (model, daos) = try await Model.open(dataFolder: folder.file("data"), as: Self.layout, options)
        var music = Library.Options()
        music.folders = [("Music", folder.file("Music"))]
        // A scan leaves files alone that were written to just now.
        music.clock = WallClock { WallClock.system.nowMilliseconds() + 60_000 }
        music.mediaFolder = folder.file("data/media")
        music.renditionBytes = renditionBytes
        var program = WorkerProgram()
        program.path = BuiltProgram.sona
        music.program = program
        library = try await Library(daos.library, model, music)
    }

    func close() async {
        await library.close()
        await model.close()
    }

    /// Makes a file of sound: a sine that began `start` seconds earlier.
    func make(
        _ name: String, seconds: Double = 2, pitch: Int = 1000, start: Double = 0, rate: Int = 44_100,
        _ coding: String = ""
    ) throws {
        let wave = "0.1*sin(2*PI*\(pitch)*(t+\(start)))"
        let tone = "aevalsrc=\(wave)|\(wave):s=\(rate):d=\(seconds)"
        let arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", tone, "-metadata", "title=\(name)"]
            + coding.split(separator: " ").map(String.init) + ["file:\(folder.file("Music/\(name)"))"]
        let ffmpeg = try #require(LimitedProgram.find("ffmpeg"))
        let child = try ChildProcess(ffmpeg, arguments, files: [nil, nil, nil])
        #expect(child.waitsForEnd(until: .now + .seconds(60)) == true)
        #expect(child.end() == nil)
    }

    func scan() async throws {
        try await library.folders.scan(nil)
        await library.folders.waitForScans()
    }

    var listener: Listener {
        get async throws {
            Listener(
                uid: nil, guestAccess: .full, folders: try await library.folders.numbers(for: uid))
        }
    }

    /// The track of a file, by its title.
    func track(_ title: String) async throws -> MusicTrack {
        let page = try await library.finder.list(LibraryList(limit: 100), for: try await listener)
        return try #require(page.tracks.first { $0.title == title })
    }

    /// Asks for a rendition and waits for its end.
    ///
    /// - Returns: Its bytes; `nil` if the file of the track is played as it is.
    func rendition(_ title: String, _ kind: RenditionKind = .full, isWhole: Bool = true) async throws -> [UInt8]? {
        let id = try await track(title).id
        let original = try await library.tracks.open(id, for: try await listener)
        defer { close(original.descriptor) }
        let sound = try await library.media.sound(
            of: id, as: kind, original: original.descriptor, for: nil, isWhole: isWhole)
        switch sound {
        case .original: return nil
        case .whole(let descriptor, _):
            defer { Glibc.close(descriptor) }
            return try WholeFile.read(descriptor: descriptor)
        case .growing(let file):
            var bytes: [UInt8] = []
            while true {
                switch file.read(at: Int64(bytes.count), count: 4096) {
                case .bytes(let more): bytes += more
                case .notYet:
                    let place = Int64(bytes.count)
                    await withCheckedContinuation { waiting in file.whenGrown(past: place) { waiting.resume() } }
                case .end: return bytes
                case .failed: throw Refusal(.serverInternal)
                }
            }
        }
    }

    private func close(_ descriptor: Int32) { Glibc.close(descriptor) }

    /// The names of the files that were made.
    var made: [String] {
        guard let listing = opendir(folder.file("data/media/renditions")) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The jobs of a kind, when all of them have ended: whoever waits for a result is answered a moment before
    /// its job says so.
    func ended(_ kind: String) async throws -> [Job] {
        try await until {
            try await library.jobs.list(JobsList(kind: kind), for: nil).jobs.allSatisfy(\.state.isFinal)
        }
        return try await library.jobs.list(JobsList(kind: kind), for: nil).jobs
    }

    func until(_ what: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if try await what() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(Bool(false), "it did not come")
    }
}
