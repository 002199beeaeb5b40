internal import Glibc
internal import SonaBase
internal import SonaEventLoop
package import SonaWire

/// A file of music on its way to a server, by tus 1.0.0.
///
/// The file goes in pieces, each a request. A lost connection costs one piece: the server is asked how much it has, and
/// the rest follows. An upload that an earlier program has begun goes on in the same way, if it is of the same file: of the
/// same name, length and time of change.
///
/// Source: Protocol/spec/uploads.md.
package struct MusicUpload: Sendable {
    /// Bytes of one request: also what is in memory.
    static let pieceBytes = 4 << 20
    /// How often it is tried again while nothing more arrives.
    static let attemptsMax = 8

    private let signIn: SignIn
    private let file: SoundFile
    /// Called with the bytes that were sent so far, of all; on any thread.
    private let progress: @Sendable (_ sent: Int64, _ length: Int64) -> Void

    package init(
        _ path: String, by signIn: SignIn, progress: @escaping @Sendable (_ sent: Int64, _ length: Int64) -> Void
    ) throws(SoundFile.Failure) {
        file = try SoundFile(path)
        self.signIn = signIn
        self.progress = progress
    }

    package var length: Int64 { file.length }

    /// Sends the file, or the rest of it.
    ///
    /// - Returns: The track that it has become.
    /// - Throws: As `SignIn.open(.account)`; `.refused` with `upload.…`, `quota.…`, `media.…`; `.timeout`, `.closed` or
    ///   `.unreachable` after several attempts without any progress; `SoundFile.Failure`.
    package func run() async throws -> MusicID {
        var token = try await signIn.goodToken()
        var place: String?
        var offset: Int64 = 0
        var attempts = 0
        while true {
            do {
                let path: String
                if let place {
                    path = place
                } else {
                    (path, offset) = try await begin(token)
                    place = path
                }
                progress(offset, file.length)
                let answer = try await send(path, offset, token)
                if answer.offset > offset { attempts = 0 }
                offset = answer.offset
                if let track = answer.track { return track }
                continue
            } catch let error as ClientError {
                attempts += 1
                guard attempts < Self.attemptsMax, let wait = Self.wait(error, attempts) else { throw error }
                if error.code == .authTokenExpired { token = try await signIn.goodToken() }
                try await Task.sleep(for: wait)
            }
            guard let path = place else { continue }
            // However the request ended: what counts is what the server has.
            guard let status = try? await status(path, token) else { continue }
            if let track = status.track { return track }
            offset = status.offset
        }
    }

    /// How long to wait before another attempt; `nil` if there is no use in it.
    private static func wait(_ error: ClientError, _ attempts: Int) -> Duration? {
        switch error.kind {
        case .refused(let refusal):
            if refusal.code == .uploadOffsetConflict || refusal.code == .authTokenExpired { return .zero }
            guard refusal.code.isRetryable else { return nil }
            return .milliseconds(refusal.retryAfterMilliseconds ?? 1_000)
        case .unreachable, .closed, .timeout: return .milliseconds(min(30_000, 250 << attempts))
        default: return nil
        }
    }

    // MARK: Requests

    /// Finds an upload of this file that has begun, or begins one.
    private func begin(_ token: String) async throws -> (path: String, offset: Int64) {
        let client = try await signIn.open(.account)
        let usage: Result<StorageUsageResult, ClientError>
        do { usage = .success(try await client.call(StorageUsage())) } catch { usage = .failure(error) }
        await client.close()
        for upload in try usage.get().uploads where upload.name == file.name && upload.length == file.length {
            let path = "\(Limits.uploadsPath)/\(upload.id.rawValue)"
            let answer = try await ask("HEAD", path, token)
            if answer.headers["upload-metadata"] == metadata { return (path, try Self.offset(answer)) }
        }
        let answer = try await ask(
            "POST", Limits.uploadsPath, token,
            [(name: "Upload-Length", value: String(file.length)), (name: "Upload-Metadata", value: metadata)])
        guard let place = answer.headers["location"], place.hasPrefix(Limits.uploadsPath + "/") else {
            throw ClientError.violation("it does not say where the upload is")
        }
        return (place, 0)
    }

    private func status(_ path: String, _ token: String) async throws -> (offset: Int64, track: MusicID?) {
        let answer = try await ask("HEAD", path, token)
        return (try Self.offset(answer), answer.headers["sona-track"].flatMap { MusicID($0) })
    }

    private func send(
        _ path: String, _ offset: Int64, _ token: String
    ) async throws -> (offset: Int64, track: MusicID?) {
        let bytes = try file.read(at: offset, Self.pieceBytes)
        let (progress, length) = (progress, file.length)
        let answer = try await ask(
            "PATCH", path, token, [(name: "Upload-Offset", value: String(offset))],
            type: "application/offset+octet-stream", bytes
        ) { progress(offset + Int64($0), length) }
        return (try Self.offset(answer), answer.headers["sona-track"].flatMap { MusicID($0) })
    }

    private func ask(
        _ method: String, _ path: String, _ token: String, _ headers: [(name: String, value: String)] = [],
        type: String? = nil, _ body: [UInt8] = [], sent: (@Sendable (Int) -> Void)? = nil
    ) async throws(ClientError) -> HTTPCall.Answer {
        var call = HTTPCall(
            address: signIn.address, path: path, token: token, agent: signIn.agent, body: body)
        call.method = method
        call.headers = [(name: "Tus-Resumable", value: Limits.tusVersion)] + headers
        call.contentType = type
        call.sent = sent
        // The track is made before the last piece is answered: a large file takes its time.
        call.patienceSeconds = 120
        let answer = try await call.runBeside()
        if (200...299).contains(answer.status) { return answer }
        if let json = try? JSON.parse(answer.body), let error = json["error"], let refusal = try? WireError(error) {
            throw ClientError.refused(refusal)
        }
        // Answers to HEAD have no body.
        switch answer.status {
        case 401: throw ClientError.refused(WireError(.authTokenExpired))
        case 404, 410: throw ClientError.refused(WireError(.uploadNotFound))
        case 423: throw ClientError.refused(WireError(.uploadLocked))
        case 503: throw ClientError.refused(WireError(.serverBusy))
        default: throw ClientError.violation("it answered an upload with the status \(answer.status)")
        }
    }

    private static func offset(_ answer: HTTPCall.Answer) throws(ClientError) -> Int64 {
        guard let offset = answer.headers["upload-offset"].flatMap({ Int64($0) }), offset >= 0 else {
            throw ClientError.violation("it does not say how much of the upload it has")
        }
        return offset
    }

    /// Facts that distinguish this file from others of its name.
    private var metadata: String {
        "filename \(Base64Text.encode(Array(file.name.utf8))),"
            + "modified \(Base64Text.encode(Array(String(file.modifiedNanoseconds).utf8)))"
    }
}

/// A file that is sent: open, of a length that does not change.
package struct SoundFile: Sendable {
    /// Why a file can't be sent.
    package struct Failure: Error {
        package let errno: Int32
        package let isEmpty: Bool

        init(errno: Int32 = Glibc.errno, isEmpty: Bool = false) {
            self.errno = errno
            self.isEmpty = isEmpty
        }
    }

    let name: String
    let length: Int64
    let modifiedNanoseconds: Int64
    private let path: String

    init(_ path: String) throws(Failure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(errno: EISDIR) }
        guard status.st_size > 0 else { throw Failure(errno: 0, isEmpty: true) }
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
        length = Int64(status.st_size)
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Bytes of the file from a place on; fewer at its end.
    func read(at place: Int64, _ count: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure() }
        defer { close(file) }
        let wanted = Int(min(Int64(count), max(0, length - place)))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var done = 0
        while done < wanted {
            let step = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress! + done, wanted - done, off_t(place) + off_t(done))
            }
            if step < 0, errno == EINTR { continue }
            // A file that has become shorter is another file.
            guard step > 0 else { throw Failure(errno: step < 0 ? errno : ESTALE) }
            done += step
        }
        return bytes
    }
}

/// Base 64 with padding (RFC 4648, section 4), for the metadata of uploads.
enum Base64Text {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
