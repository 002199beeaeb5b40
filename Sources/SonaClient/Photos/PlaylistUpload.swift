package import SonaWire

extension SignIn {
    /// Adds the tracks of a playlist file to a playlist, or to a new one, over HTTP: a file is longer than a message
    /// may be.
    ///
    /// - Parameters:
    ///   - file: M3U8, XSPF or JSPF in UTF-8, up to `Limits.playlistFileBytesMax` bytes.
    ///   - playlist: `nil`: a new one.
    /// - Throws: As `open(.account)`; `.refused` with `playlist.…`; `.timeout` after 30 s without any progress.
    ///
    /// Source: Protocol/spec/playlists.md, "Files".
    package func upload(
        playlist file: [UInt8], into playlist: MusicID?, title: String?, format: PlaylistFormat?
    ) async throws(ClientError) -> PlaylistImported {
        var query: [String] = []
        if let playlist { query.append("playlist=\(playlist.rawValue)") }
        if let title { query.append("title=\(Self.escaped(title))") }
        if let format { query.append("format=\(format.rawValue)") }
        let path = Limits.playlistImportPath + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return try await send(file, to: path, as: PlaylistImported.self)
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
