internal import Glibc
internal import SonaAudio
internal import SonaClient
internal import SonaTranscode

/// The files of a broadcast as Ogg Opus. What is Ogg Opus already is played as it is, packet by packet; all else is
/// encoded by ffmpeg first, about a hundred times as fast as it plays.
struct PreparedFiles {
    private var transcoder: Transcoder?
    private let isLoop: Bool
    private let bitrate: Int

    /// - Parameter bitrate: kb/s of what has to be encoded.
    static func playlist(_ paths: [String], isLoop: Bool, bitrate: Int) throws -> FileList {
        var preparing = PreparedFiles(isLoop: isLoop, bitrate: bitrate)
        return try preparing.playlist(try MusicFolder.files(paths))
    }

    private init(isLoop: Bool, bitrate: Int) {
        self.isLoop = isLoop
        self.bitrate = bitrate
    }

    private mutating func playlist(_ files: [MusicFolder.File]) throws -> FileList {
        var playlist: FileList?
        for (index, file) in files.enumerated() {
            do {
                let next = try opened(file.path, "\(index + 1) of \(files.count)")
                if playlist == nil { playlist = next } else { playlist?.items += next.items }
            } catch {
                guard file.isFound, let failure = Failure(error), failure.exitCode == Self.unusable else { throw error }
                Console.say("\(failure.message) It is left out.")
            }
        }
        guard let playlist else { throw Failure(Self.unusable, "There is nothing to play.") }
        return playlist
    }

    /// Unusable data.
    private static let unusable: Int32 = 65

    private mutating func opened(_ path: String, _ place: String) throws -> FileList {
        let input = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // What can't be opened, or is no file, is told by the reader of Ogg Opus as ever.
        guard input >= 0 else { return try FileList(paths: [path], isLoop: isLoop) }
        defer { close(input) }
        var status = stat()
        let isFile = fstat(input, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isFile, let kind = Transcoder.kind(of: input) else {
            do throws(AudioError) {
                return try FileList(paths: [path], isLoop: isLoop)
            } catch {
                guard error.code == .notOgg else { throw error }
                throw Failure(Self.unusable, "\(Console.printable(path)) is no sound file of a known kind.")
            }
        }
        if kind == .ogg, let playlist = try asItIs(path) { return playlist }
        Console.say("Preparing \(Console.printable(path)) (\(place)).")
        return try encoded(path, input)
    }

    /// - Returns: `nil` if it holds another coding than Opus.
    private func asItIs(_ path: String) throws -> FileList? {
        do throws(AudioError) {
            return try FileList(paths: [path], isLoop: isLoop)
        } catch {
            if case .notOpus = error.code { return nil }
            throw error
        }
    }

    /// Encodes a file into one without a name, which is gone when nothing plays it any longer.
    private mutating func encoded(_ path: String, _ input: Int32) throws -> FileList {
        let transcoder: Transcoder
        do throws(TranscodeError) {
            if let known = self.transcoder { transcoder = known } else { transcoder = try Transcoder() }
        } catch {
            throw Failure(69, "\(Console.printable(path)) has to be encoded, and \(error).")
        }
        self.transcoder = transcoder
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // __O_TMPFILE with O_DIRECTORY; Swift does not see the macro (fcntl-linux.h).
        let output = open(folder, O_RDWR | O_CLOEXEC | 0o20000000 | O_DIRECTORY, 0o600)
        guard output >= 0 else {
            throw Failure(
                74, "Nothing can be written to \(Console.printable(folder)): \(String(cString: strerror(errno))).")
        }
        defer { close(output) }
        do throws(TranscodeError) {
            try transcoder.encode(input, into: output, bitrate: bitrate)
        } catch {
            let code: Int32 = error.code == .notStarted ? 75 : Self.unusable
            throw Failure(code, "\(Console.printable(path)) \(Console.printable(error.description)).")
        }
        return try FileList(files: [.init(path: path, opusPath: "/proc/self/fd/\(output)")], isLoop: isLoop)
    }
}
