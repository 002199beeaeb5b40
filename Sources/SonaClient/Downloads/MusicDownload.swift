internal import Glibc
internal import SonaBase
package import SonaWire

/// The sound of a track, fetched in pieces: a piece that was cut is asked for again, from where it was.
///
/// Source: Protocol/spec/tracks.md, "Streams".
package struct MusicDownload: Sendable {
    /// The form in which the sound is fetched.
    package enum Form: Sendable {
        /// The file as it is.
        case file
        /// Ogg Opus, made of it by the server.
        case opus
    }

    private static let pieceBytes: Int64 = 8 << 20
    /// Times that one piece is asked for.
    private static let triesMax = 5

    private let signIn: SignIn
    private let path: String

    /// - Parameter track: Its identifier.
    package init(of track: MusicID, as form: Form, by signIn: SignIn) {
        self.signIn = signIn
        switch form {
        case .file: path = "\(Limits.tracksPathPrefix)\(track.rawValue)/download"
        case .opus: path = "\(Limits.tracksPathPrefix)\(track.rawValue)/stream?format=opus"
        }
    }

    /// Fetches it into an open file. Blocks only a thread of its own.
    ///
    /// - Parameter progress: Called with the bytes that are written, and with all of them.
    /// - Returns: The name that the server gives the file; `nil` if none.
    /// - Throws: `ClientError`; `DownloadFailure` if the bytes can't be written.
    package func write(
        to file: Int32, progress: @Sendable (Int64, Int64) -> Void
    ) async throws -> String? {
        var token = try await signIn.goodToken()
        var (offset, tries) = (Int64(0), 0)
        var tag: String?
        while true {
            let answer: HTTPCall.Answer
            do throws(ClientError) {
                answer = try await piece(from: offset, token, tag)
            } catch {
                tries += 1
                guard tries < Self.triesMax, !Self.isFinal(error) else { throw error }
                if error.code == .authTokenExpired { token = try await signIn.goodToken() }
                try await Task.sleep(for: .milliseconds(200 << tries))
                continue
            }
            guard answer.status == 206, let total = Self.total(answer, from: offset) else {
                throw ClientError.violation("it answered a download with the status \(answer.status)")
            }
            tries = 0
            tag = answer.headers["etag"]
            do { try WholeFile.write(answer.body, to: file) } catch {
                guard case .system(_, let number) = error else { throw DownloadFailure(errno: EIO) }
                throw DownloadFailure(errno: number)
            }
            offset += Int64(answer.body.count)
            progress(offset, total)
            if offset >= total { return Self.fileName(answer) }
        }
    }

    private func piece(
        from offset: Int64, _ token: String, _ tag: String?
    ) async throws(ClientError) -> HTTPCall.Answer {
        var call = HTTPCall(address: signIn.address, path: path, token: token, agent: signIn.agent, body: [])
        call.method = "GET"
        call.contentType = nil
        call.headers = [(name: "Range", value: "bytes=\(offset)-\(offset + Self.pieceBytes - 1)")]
        if let tag { call.headers.append((name: "If-Range", value: tag)) }
        call.answerBytesMax = Int(Self.pieceBytes) + 65_536
        // The first piece of a rendition waits for it.
        call.patienceSeconds = 120
        let answer = try await call.runBeside()
        if answer.status < 300 { return answer }
        if let json = try? JSON.parse(answer.body), let error = json["error"], let refusal = try? WireError(error) {
            throw ClientError.refused(refusal)
        }
        throw ClientError.violation("it answered a download with the status \(answer.status)")
    }

    private static func isFinal(_ error: ClientError) -> Bool {
        guard case .refused(let refusal) = error.kind else { return false }
        return refusal.code != .authTokenExpired && refusal.code != .serverBusy
    }

    /// The length of the whole, of an answer that begins at `offset`.
    private static func total(_ answer: HTTPCall.Answer, from offset: Int64) -> Int64? {
        guard let range = answer.headers["content-range"], range.hasPrefix("bytes \(offset)-"),
            let total = range.split(separator: "/").last.flatMap({ Int64($0) })
        else { return nil }
        return total
    }

    /// The name of `Content-Disposition: attachment; filename*=UTF-8''…`, without folders.
    private static func fileName(_ answer: HTTPCall.Answer) -> String? {
        guard let header = answer.headers["content-disposition"],
            let encoded = header.components(after: "filename*=UTF-8''")
        else { return nil }
        var bytes: [UInt8] = []
        var rest = encoded.utf8[...]
        while let byte = rest.popFirst() {
            let code = UInt8(String(decoding: Array(rest.prefix(2)), as: UTF8.self), radix: 16)
            if byte == UInt8(ascii: "%"), let code {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        let name = String(decoding: bytes, as: UTF8.self).map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        return name.isEmpty || name.first == "." ? nil : String(name)
    }
}

/// The bytes of a download can't be written.
package struct DownloadFailure: Error, Sendable {
    package let errno: Int32
}

extension String {
    /// The text after the first occurrence of a mark.
    fileprivate func components(after mark: String) -> Substring? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
