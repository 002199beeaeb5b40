package import SonaWire

extension SignIn {
    /// Makes an image the photo of the signed-in user.
    ///
    /// Over HTTP, since a photo is larger than a message may be.
    /// - Parameter image: PNG, JPEG or WebP; the server takes up to `Limits.photoUploadBytesMax` bytes.
    /// - Returns: The profile with its new photo.
    /// - Throws: As `open(.account)`; `.refused` with `photo.…`; `.timeout` after 30 s without any progress.
    ///
    /// Source: Protocol/spec/people.md, "Photos".
    package func upload(photo image: [UInt8]) async throws(ClientError) -> Profile {
        try await send(image, to: Limits.photoUploadPath, as: ProfileResult.self).profile
    }

    /// Makes an image the picture of a room that belongs to the signed-in user.
    ///
    /// - Parameter image: As in `upload(photo:)`.
    /// - Returns: The room with its new picture.
    /// - Throws: As `upload(photo:)`; `.refused` with `room.not_found`, `room.closed` or `room.forbidden`.
    ///
    /// Source: Protocol/spec/rooms.md, "Pictures".
    package func upload(picture image: [UInt8], of room: RoomID) async throws(ClientError) -> Room {
        try await send(image, to: Room.pictureUploadPath(room), as: RoomResult.self).room
    }

    /// Makes an image the picture of a playlist that the signed-in user may edit.
    ///
    /// - Parameter image: As in `upload(photo:)`.
    /// - Returns: The playlist with its new picture.
    /// - Throws: As `upload(photo:)`; `.refused` with `playlist.not_found` or `playlist.forbidden`.
    ///
    /// Source: Protocol/spec/playlists.md, "Pictures".
    package func upload(picture image: [UInt8], of playlist: MusicID) async throws(ClientError) -> Playlist {
        try await send(image, to: Playlist.pictureUploadPath(playlist), as: PlaylistResult.self).playlist
    }

    /// Keeps an image as the cover of tracks that are played in a room.
    ///
    /// - Parameter image: As in `upload(photo:)`.
    /// - Returns: What the host writes into the track as its artwork.
    /// - Throws: As `upload(photo:)`; `.refused` with `room.not_found`, `room.closed` or `host.not_host`.
    ///
    /// Source: Protocol/spec/rooms.md, "Covers".
    package func upload(cover image: [UInt8], of room: RoomID) async throws(ClientError) -> String {
        try await send(image, to: Room.coverUploadPath(room), as: CoverResult.self).artwork
    }

    func send<Answer: WireObject>(
        _ image: [UInt8], to path: String, as _: Answer.Type
    ) async throws(ClientError) -> Answer {
        let token = try await goodToken()
        let call = HTTPCall(address: address, path: path, token: token, agent: agent, body: image)
        return try Self.decoded(try await call.runBeside())
    }

    /// How this program names itself.
    var agent: String { "\(program.name)/\(program.version)" }

    /// An access token that the server has just taken.
    func goodToken() async throws(ClientError) -> String {
        let client = try await open(.account)
        await client.close()
        if let token { return token }
        // Signed out by another program since.
        guard let kept = try kept() else { throw .refused(WireError(.authRequired)) }
        return kept.accessToken
    }

    private static func decoded<Answer: WireObject>(_ answer: HTTPCall.Answer) throws(ClientError) -> Answer {
        let json: JSON
        do {
            json = try JSON.parse(answer.body)
        } catch {
            throw ClientError(.protocolViolation, "The server answered the file with HTTP status \(answer.status).")
        }
        do throws(WireError) {
            if let error = json["error"] { throw try WireError(error) }
            return try Answer(json["data"] ?? .null)
        } catch {
            guard answer.status != 200 else { throw .violation("the answer to a file is unusable, \(error)") }
            throw .refused(error)
        }
    }
}
