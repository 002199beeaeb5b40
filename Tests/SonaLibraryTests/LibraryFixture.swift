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

/// A library in a folder of its own, with real files that ffmpeg makes.
final class Shelf: Sendable {
    let folder = TemporaryFolder()
    let model: Model
    let library: Library
    /// How far the clock of the library is ahead. A scan leaves files alone that were written to just now, so at first it
    /// is a minute.
    let ahead = Monitor<Int64>(60_000)

    struct DAOs: SonaDatabase.DAOs {
        let model: ModelDAOs
        let library: LibraryDAOs

        init(_ database: any DatabaseWriter) {
            model = ModelDAOs(database)
            library = LibraryDAOs(database)
        }
    }

    static let layout = StorageLayout<DAOs>(migrations: ModelSchema.timeline + LibrarySchema.timeline) { $0.model }

    /// - Parameter folders: Their names; each lies in a folder of that name.
    init(folders: [String] = ["Music"], guestAccess: TrackAccess = .preview) async throws {
        for name in folders { mkdir(folder.file(name), 0o700) }
        (model, library) = try await Self.open(folder, folders, guestAccess, ahead)
    }

    private static func open(
        _ folder: TemporaryFolder, _ folders: [String], _ guestAccess: TrackAccess, _ ahead: Monitor<Int64>
    ) async throws -> (Model, Library) {
        var options = Model.Options()
        options.passwordCost = .test
        options.quietMilliseconds = 0...0
        let (model, daos) = try await Model.open(dataFolder: folder.file("data"), as: layout, options)
        var music = Library.Options()
        music.folders = folders.map { ($0, folder.file($0)) }
        music.guestAccess = guestAccess
        music.clock = WallClock { WallClock.system.nowMilliseconds() + ahead.withLock { $0 } }
        var program = WorkerProgram()
        program.path = BuiltProgram.sona
        music.program = program
        music.pictures = PictureWorkers(program)
        music.mediaFolder = folder.file("data/media")
        return (model, try await Library(daos.library, model, music))
    }

    func close() async {
        await library.close()
        await model.close()
    }

    // MARK: Files

    /// Makes a file of sound.
    ///
    /// - Parameters:
    ///   - path: Under the folder; its ending is the format.
    ///   - pitch: Files of different pitch have different sound.
    func make(_ path: String, pitch: Int = 440, _ tags: [String: String] = [:], seconds: Double = 0.3) throws {
        let file = folder.file(path)
        var made = ""
        for part in file.split(separator: "/").dropLast() {
            made += "/\(part)"
            mkdir(made, 0o700)
        }
        var arguments = ["-f", "lavfi", "-i", "sine=\(pitch):duration=\(seconds)"]
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) { arguments += ["-metadata", "\(name)=\(value)"] }
        try run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments + ["file:\(file)"])
    }

    func run(_ program: String, _ arguments: [String]) throws {
        let path = try #require(LimitedProgram.find(program))
        let process = try ChildProcess(path, [program] + arguments, files: [nil, nil, nil])
        #expect(process.waitsForEnd(until: .now + .seconds(30)) == true)
        #expect(process.end() == nil, "\(program) \(arguments.joined(separator: " "))")
    }

    func rename(_ from: String, _ to: String) {
        var made = ""
        for part in folder.file(to).split(separator: "/").dropLast() {
            made += "/\(part)"
            mkdir(made, 0o700)
        }
        #expect(Glibc.rename(folder.file(from), folder.file(to)) == 0)
    }

    func remove(_ path: String) { #expect(unlink(folder.file(path)) == 0) }

    func write(_ bytes: [UInt8], _ path: String) { TemporaryFolder.write(bytes, toFile: folder.file(path)) }

    // MARK: Looking

    /// Scans all folders and waits for the end.
    @discardableResult
    func scan(_ name: String? = nil) async throws -> [MusicFolder] {
        try await library.folders.scan(name)
        await library.folders.waitForScans()
        return try await library.folders.list()
    }

    /// Sees everything.
    let administrator = Listener(uid: nil, guestAccess: .full, sight: .all, folders: [])

    /// An account that sees the folders of all accounts.
    func listener(_ uid: UserID? = nil) async throws -> Listener {
        Listener(
            uid: uid, guestAccess: .preview,
            folders: try await library.folders.numbers(for: uid))
    }

    /// All tracks that an account sees, by title.
    func tracks() async throws -> [MusicTrack] {
        try await library.finder.list(LibraryList(limit: 100), for: try await listener(UserID("somebody"))).tracks
    }

    func search(_ query: String, field: MusicField? = nil, limit: Int = 20) async throws -> MusicSearchResult {
        try await library.finder.search(
            MusicSearch(query: query, field: field, limit: limit), for: try await listener(UserID("somebody")))
    }

    func signUp(_ name: String) async throws -> Accounts.Account {
        try await model.accounts.signUp(
            Accounts.SignUp(
                email: "\(name)@example.org", password: "pass-\(name)-word", username: name)
        ).account
    }
}
