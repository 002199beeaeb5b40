internal import ArgumentParser
internal import Glibc
internal import SonaClient
internal import SonaWire

struct LibraryDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Downloads the files of tracks.",
        discussion: """
            A file gets a name made of artist and title, in the current folder, unless --output says otherwise. A file of \
            that name is not overwritten. With --output - the bytes go to standard output.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The tracks.") var tracks: [MusicID]
    @Option(help: "A file, a folder that exists, or -.") var output: String?

    func validate() throws {
        if tracks.isEmpty { throw ValidationError("Name at least one track.") }
        if tracks.count > 1, let output, !TrackOutput.isFolder(output) {
            throw ValidationError("Several tracks need a folder as --output.")
        }
    }

    func run() async throws {
        let signIn = try global.signIn()
        for track in tracks {
            let download = MusicDownload(of: track, as: .file, by: signIn)
            try await TrackOutput(output).write(download, fallback: track.rawValue)
        }
    }
}

/// Where the sound of a track goes: standard output, a file, or a folder.
struct TrackOutput {
    private let place: String

    init(_ place: String?) { self.place = place ?? "." }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// - Parameter fallback: The name of the file if the server gives none.
    func write(_ download: MusicDownload, fallback: String) async throws {
        let progress = DownloadProgress()
        do {
            if place == "-" {
                _ = try await download.write(to: STDOUT_FILENO) { progress.show($0, of: $1) }
                return progress.end()
            }
            let isFolder = Self.isFolder(place)
            let temporary = isFolder ? "\(place)/.\(fallback).part" : "\(place).part"
            let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard file >= 0 else { throw Self.failure(temporary, errno) }
            defer { unlink(temporary) }
            let name: String?
            do {
                name = try await download.write(to: file) { progress.show($0, of: $1) }
                close(file)
            } catch {
                close(file)
                throw error
            }
            let path = isFolder ? "\(place)/\(name ?? fallback)" : place
            // A link fails where a file is; the name that somebody chose may be taken over.
            guard isFolder ? link(temporary, path) == 0 : rename(temporary, path) == 0 else {
                throw Self.failure(path, errno)
            }
            progress.end()
            Console.out(Console.printable(path.hasPrefix("./") ? String(path.dropFirst(2)) : path))
        } catch let error as DownloadFailure {
            throw Self.failure(place, error.errno)
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> Failure {
        let reason = number == EEXIST ? "it is there already" : String(cString: strerror(number))
        return Failure(74, Console.printable("\(path) can't be written: \(reason)."))
    }
}

/// How far a download is, on standard error.
private final class DownloadProgress: Sendable {
    func show(_ bytes: Int64, of total: Int64) {
        let line = "\(bytes / 1_000) of \(total / 1_000) kB  \(100 * bytes / max(1, total)) %"
        if Console.isInteractive { Console.status(line) } else if bytes < total { Console.say(line) }
    }

    func end() { Console.endStatus() }
}
