internal import Glibc
internal import SonaCrypto
internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// A request about uploads: what of it is decided before its body is read.
///
/// Source: Protocol/spec/uploads.md; tus.io/protocols/resumable-upload, version 1.0.0.
struct UploadRequest {
    /// What is asked for.
    enum Action {
        /// The bytes of the body go there.
        case put(UploadTarget, UploadChecksum?)
        /// An upload begins, and no byte of it comes yet.
        case create(NewUpload)
        case append(UploadTarget, UploadChecksum?)
        case status(MusicID)
        case terminate(MusicID)
    }

    let account: Accounts.Account
    let action: Action

    /// The part of a path after that of all uploads, without its slash; `nil` for other paths.
    static func place(_ path: String) -> String? {
        guard path.hasPrefix(Limits.uploadsPath) else { return nil }
        let rest = path.dropFirst(Limits.uploadsPath.count)
        if rest.isEmpty { return "" }
        return rest.first == "/" ? String(rest.dropFirst()) : nil
    }

    /// The method, which a client that knows few methods may name in a header.
    static func method(of request: HTTPRequest) -> HTTPRequest.Method? {
        guard let name = request.headers["x-http-method-override"], request.method == .post else {
            return request.method
        }
        return HTTPRequest.Method(rawValue: name.uppercased())
    }

    /// Reads a request. On any loop; no disk.
    ///
    /// - Parameter bytes: Bytes of the body.
    /// - Throws: `auth.required`, `auth.account_required`, `auth.forbidden` and the errors of the token;
    ///   `upload.version`, `upload.too_large`, `request.invalid`, `request.media_type`, `upload.not_found`; `request.rate_limited`;
    ///   `server.maintenance`.
    init(_ request: HTTPRequest, bytes: Int, _ services: ShardServices) throws(WireError) {
        guard let header = request.authorization else { throw WireError(.authRequired) }
        let account = try services.account(bearer: header)
        try account.require(.libraryUpload)
        if services.live.isInMaintenance { try Maintenance.check("upload.create", isLive: false, account) }
        self.account = account
        let (place, method) = (Self.place(request.path) ?? "", Self.method(of: request))
        let bytesMax = services.library.uploads.limits.fileBytes
        guard Int64(bytes) <= bytesMax else {
            throw WireError(.uploadTooLarge, "A file may have \(bytesMax) bytes.")
        }
        if method == .put {
            action = try Self.plain(request, place, bytes: bytes, account.uid)
        } else {
            guard request.headers["tus-resumable"] == Limits.tusVersion else { throw WireError(.uploadVersion) }
            action = try Self.tus(request, method, place, bytes: bytes, account.uid)
        }
        switch action {
        case .put(.new, _), .create:
            do { try services.model.accounts.take("upload.create", account) } catch { throw WireError(error) }
        default: break
        }
    }

    /// What to do with a body; `nil` if there is none to be had.
    var target: (UploadTarget, UploadChecksum?)? {
        switch action {
        case .put(let target, let checksum), .append(let target, let checksum): (target, checksum)
        case .create, .status, .terminate: nil
        }
    }

    // MARK: PUT

    private static func plain(
        _ request: HTTPRequest, _ place: String, bytes: Int, _ owner: UserID
    ) throws(WireError) -> Action {
        guard !place.isEmpty else {
            throw WireError(.requestInvalid, "Put the name of the file after \(Limits.uploadsPath)/.")
        }
        guard !request.headers.has("content-range") else {
            throw WireError(.requestInvalid, "Parts of files can't be put here; tus can send them.")
        }
        return .put(.new(NewUpload(owner: owner, length: Int64(bytes), name: place, isResumable: false)), nil)
    }

    // MARK: tus

    private static func tus(
        _ request: HTTPRequest, _ method: HTTPRequest.Method?, _ place: String, bytes: Int, _ owner: UserID
    ) throws(WireError) -> Action {
        if place.isEmpty {
            guard method == .post else { throw WireError(.requestInvalid, "Uploads begin with POST or PUT.") }
            return try creation(request, bytes: bytes, owner)
        }
        guard let id = MusicID(place) else { throw WireError(.uploadNotFound) }
        switch method {
        case .head: return .status(id)
        case .delete: return .terminate(id)
        case .patch:
            try requireOffsetStream(request)
            let offset = try number(request.headers["upload-offset"], "Upload-Offset")
            return .append(.existing(id, by: owner, offset: offset), try checksum(request))
        default: throw WireError(.requestInvalid, "An upload takes HEAD, PATCH and DELETE.")
        }
    }

    private static func creation(
        _ request: HTTPRequest, bytes: Int, _ owner: UserID
    ) throws(WireError) -> Action {
        guard !request.headers.has("upload-defer-length") else {
            throw WireError(.requestInvalid, "The length must be told when the upload begins: Upload-Length.")
        }
        guard !request.headers.has("upload-concat") else {
            throw WireError(.requestInvalid, "Uploads can't be put together from several here.")
        }
        let length = try number(request.headers["upload-length"], "Upload-Length")
        let metadata = request.headers["upload-metadata"]
        let new = NewUpload(
            owner: owner, length: length, name: try metadata.flatMap { text throws(WireError) in try name(text) },
            metadata: metadata, isResumable: true)
        guard bytes > 0 else { return .create(new) }
        try requireOffsetStream(request)
        guard Int64(bytes) <= length else {
            throw WireError(.uploadTooLarge, "The upload was announced with \(length) bytes.")
        }
        return .put(.new(new), try checksum(request))
    }

    private static func requireOffsetStream(_ request: HTTPRequest) throws(WireError) {
        guard request.contentType?.lowercased() == "application/offset+octet-stream" else {
            throw WireError(.requestMediaType, "The body must be application/offset+octet-stream.")
        }
    }

    private static func number(_ text: String?, _ name: String) throws(WireError) -> Int64 {
        guard let text, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = Int64(text)
        else { throw WireError(.requestInvalid, "\(name) must be a number of bytes.") }
        return number
    }

    /// `Upload-Checksum`: the name of a hash and, in base 64, the hash of the body.
    private static func checksum(_ request: HTTPRequest) throws(WireError) -> UploadChecksum? {
        guard let text = request.headers["upload-checksum"] else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let algorithm = HashStream.Algorithm(rawValue: String(parts[0])) else {
            throw WireError(.requestInvalid, "Upload-Checksum is one of \(UploadAnswer.checksums) and a hash.")
        }
        guard let digest = PlainBase64.decode(parts[1]), digest.count == algorithm.digestBytes else {
            throw WireError(.requestInvalid, "The hash of Upload-Checksum is not in base 64, or not of its length.")
        }
        return UploadChecksum(algorithm, digest)
    }

    /// The name of the file in `Upload-Metadata`: pairs of a key and a value in base 64, between commas.
    private static func name(_ metadata: String) throws(WireError) -> String? {
        guard metadata.utf8.count <= Limits.uploadMetadataBytesMax else {
            throw WireError(
                .requestInvalid, "Upload-Metadata may have \(Limits.uploadMetadataBytesMax) bytes.")
        }
        var values: [String: String] = [:]
        for pair in metadata.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard (1...2).contains(parts.count) else {
                throw WireError(.requestInvalid, "Upload-Metadata is a list of keys with values in base 64.")
            }
            let bytes = parts.count == 2 ? PlainBase64.decode(parts[1]) : []
            guard let bytes else {
                throw WireError(.requestInvalid, "A value of Upload-Metadata is not in base 64.")
            }
            values[String(parts[0])] = String(decoding: bytes, as: UTF8.self)
        }
        return values["filename"] ?? values["name"]
    }
}

/// Base 64 with the letters `+` and `/` and with padding (RFC 4648, section 4), as tus has it.
enum PlainBase64 {
    static func decode(_ text: Substring) -> [UInt8]? {
        var letters = text.utf8[...]
        guard letters.count % 4 == 0 else { return nil }
        while letters.last == UInt8(ascii: "="), text.utf8.count - letters.count < 2 { letters = letters.dropLast() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 3 / 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            let value: UInt8
            switch letter {
            case 0x41...0x5A: value = letter - 0x41
            case 0x61...0x7A: value = letter - 0x61 + 26
            case 0x30...0x39: value = letter - 0x30 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
