internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Photos of profiles, pictures of rooms and playlists, and covers of tracks: `POST /v1/photo`,
/// `POST /v1/rooms/<id>/picture`, `POST /v1/playlists/<id>/picture`, `POST /v1/rooms/<id>/covers` and
/// `GET /v1/photos/<id>/<size>`. Playlists in files: `POST /v1/playlists/import`.
///
/// Source: Protocol/spec/people.md, "Photos"; rooms.md, "Pictures" and "Covers"; playlists.md, "Pictures" and "Files".
extension ShardCore {
    /// The kind of picture that a path takes, and of which room or playlist; `nil` for other paths.
    static func upload(_ path: String) -> Upload? {
        if path == Limits.photoUploadPath { return .photo }
        if path == Limits.playlistImportPath { return .playlist }
        if path.hasPrefix(Limits.playlistsPathPrefix), path.hasSuffix("/picture") {
            return .playlistPicture(
                MusicID(String(path.dropFirst(Limits.playlistsPathPrefix.count).dropLast("/picture".count))))
        }
        guard path.hasPrefix(Limits.roomsPathPrefix) else { return nil }
        func room(_ ending: String) -> RoomID? {
            RoomID(String(path.dropFirst(Limits.roomsPathPrefix.count).dropLast(ending.count)))
        }
        if path.hasSuffix("/picture") { return .picture(room("/picture")) }
        return path.hasSuffix("/covers") ? .cover(room("/covers")) : nil
    }

    enum Upload {
        case photo
        /// A playlist in a file.
        case playlist
        /// `nil` if the path holds no valid identifier.
        case picture(RoomID?)
        /// The same, as the next one.
        case cover(RoomID?)
        case playlistPicture(MusicID?)
    }

    func take(_ upload: Upload, _ request: HTTPRequest, _ exchange: ExchangeLink) {
        guard request.method == .post else {
            return exchange.respond(
                HTTPResponse(
                    status: 405, contentType: "application/json",
                    body: Reply.errorBody(WireError(.requestMalformed, "A file is sent with POST.")),
                    headers: [(name: "allow", value: "POST")]))
        }
        let account: Accounts.Account
        do throws(WireError) {
            account = try services.uploader(request)
            if isDraining { throw WireError(.serverDraining, retryAfterMilliseconds: 2000) }
        } catch {
            count(refusal: error, exchange.origin)
            return exchange.respond(.error(error))
        }
        let bytes = request.body
        // The query says what a message would say.
        let playlistOptions = ["playlist", "title", "format", "key"].reduce(into: [:]) { options, name in
            options[name] = request.queryValue(name)
        }
        answer(exchange) { methods in
            switch upload {
            case .photo: return try await methods.people.setPhoto(bytes, of: account)
            case .playlist:
                return try await methods.playlists.read(bytes, playlistOptions, account)
            case .picture(nil), .cover(nil): throw WireError(.roomNotFound)
            case .playlistPicture(nil): throw WireError(.playlistNotFound)
            case .playlistPicture(let id?): return try await methods.playlists.setPicture(bytes, of: id, account)
            case .picture(let id?): return try await methods.rooms.setPicture(bytes, of: .id(id), account)
            case .cover(let id?): return try await methods.rooms.addCover(bytes, to: id, account)
            }
        }
    }

    /// A photo, cacheable for ever: another picture has another name.
    func showPhoto(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let parts = request.path.dropFirst(Limits.photosPathPrefix.count).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = PhotoID(String(parts[0])), let size = PhotoSize(rawValue: String(parts[1]))
        else { return exchange.respond(.text(404, "There is no such photo.")) }
        let services = services
        Task {
            do {
                let response = try await services.photo(id, size, to: request)
                exchange.respond(response ?? .text(404, "There is no such photo."))
            } catch {
                exchange.respond(.error(WireError(error)))
            }
        }
    }
}

extension ShardServices {
    /// A photo of a person, a room or a playlist; `nil` if there is none.
    ///
    /// - Throws: `busy`, `storage`.
    func photo(_ id: PhotoID, _ size: PhotoSize, to request: HTTPRequest) async throws -> HTTPResponse? {
        let tag = "\"\(id.rawValue).\(size.rawValue)\""
        let headers: [(name: String, value: String)] = [
            (name: "etag", value: tag), (name: "cache-control", value: "public, max-age=31536000, immutable"),
            (name: "x-content-type-options", value: "nosniff"),
            (name: "content-security-policy", value: "default-src 'none'"),
            (name: "cross-origin-resource-policy", value: "same-origin"),
        ]
        let isKnown = request.knows(tag)
        var bytes = try await model.photos.bytes(id, size)
        if bytes == nil { bytes = try await library.playlists.picture(id, size) }
        guard let bytes else { return nil }
        return HTTPResponse(
            status: isKnown ? 304 : 200, contentType: "image/webp", body: isKnown ? [] : bytes, headers: headers)
    }
}

extension ShardServices {
    /// - Throws: `auth.required`, `auth.account_required`, and the errors of the token.
    func uploader(_ request: HTTPRequest) throws(WireError) -> Accounts.Account {
        guard let header = request.authorization else { throw WireError(.authRequired) }
        let account = try account(bearer: header)
        try account.require(.profileEdit)
        return account
    }
}
