internal import ArgumentParser
internal import Glibc
internal import SonaBase
internal import SonaClient
internal import SonaEventLoop
internal import SonaWire

struct LibraryUpload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Uploads files of music. They are yours alone until you share them.",
        discussion: """
            A cut upload goes on where it was: by itself after a lost connection, and when the same file is uploaded again \
            within a day. A file that you have uploaded before is not stored a second time. Each file's track is printed \
            as one line: its identifier, artist and title.

              sonactl library upload evening/*.flac
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The files.") var files: [String]
    @Flag(help: "Print each track as one JSON object.") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
    }

    func run() async throws {
        let signIn = try global.signIn()
        var failed: Failure?
        for (index, path) in files.enumerated() {
            do { try await upload(path, index, signIn) } catch {
                guard let failure = Failure(error) else { throw error }
                // A file that is no music does not keep the next from being uploaded; a server that is away does.
                guard failure.exitCode == 65 || failure.exitCode == 66, files.count > 1 else { throw failure }
                Console.say("sonactl: \(Console.printable(path)): \(failure.message)")
                failed = failed ?? Failure(failure.exitCode, "")
            }
        }
        if let failed { throw failed }
    }

    private func upload(_ path: String, _ index: Int, _ signIn: SignIn) async throws {
        let shown = Console.printable(path.split(separator: "/").last.map(String.init) ?? path)
        let line = UploadLine(files.count > 1 ? "\(index + 1)/\(files.count) \(shown)" : shown)
        let id: MusicID
        do {
            id = try await MusicUpload(path, by: signIn) { line.show($0, of: $1) }.run()
        } catch let failure as SoundFile.Failure {
            if failure.isEmpty { throw Failure(65, "\(shown) is empty.") }
            throw Failure(66, "\(shown) can't be read: \(String(cString: strerror(failure.errno))).")
        }
        let track = try await signIn.open(.account).closing { try await $0.call(TrackGet(track: id)).track }
        line.end()
        if json { return Console.out(json: track) }
        let artists = track.artists.map(\.name).joined(separator: ", ")
        Console.out(Console.printable("\(track.id.rawValue)  \(artists.isEmpty ? "" : artists + " – ")\(track.title)"))
    }
}

/// How far an upload is, on standard error: redrawn on a terminal, at most one line a second elsewhere.
private final class UploadLine: Sendable {
    private struct State {
        var began = MonotonicClock.nowMicroseconds()
        var first: Int64?
        var shown: Int64 = 0
    }

    private let name: String
    private let state = Monitor(State())

    init(_ name: String) { self.name = name }

    func show(_ sent: Int64, of length: Int64) {
        let now = MonotonicClock.nowMicroseconds()
        let line = state.withLock { state -> String? in
            let first = state.first ?? sent
            state.first = first
            // Redrawing for each write would cost more than the write.
            guard now - state.shown >= (Console.isInteractive ? 100_000 : 1_000_000) else { return nil }
            state.shown = now
            let seconds = Double(max(1, now - state.began)) / 1e6
            let rate = Double(sent - first) / seconds
            return "\(name)  \(ByteText.of(sent)) of \(ByteText.of(length))  \(100 * sent / max(1, length)) %"
                + (rate > 0 ? "  \(ByteText.of(Int64(rate)))/s" : "")
        }
        guard let line else { return }
        if Console.isInteractive { Console.status(line) } else { Console.say(line) }
    }

    /// Wipes the line.
    func end() { if Console.isInteractive { Console.status("") } }
}
