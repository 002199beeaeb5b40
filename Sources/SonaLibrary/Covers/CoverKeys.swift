internal import SonaCrypto
internal import SonaWire

/// Keys of covers: whoever has one may fetch the picture, without signing in, as `<img>` does.
///
/// A key can't be guessed, and is made of the track and of the version of its cover, so that it is another one for another
/// picture. Nothing is stored: the server makes the key of what it finds, and compares.
///
/// Form: the identifier of the track, then base64url of the first 16 bytes of an HMAC-SHA-256.
package struct CoverKeys: Sendable {
    private let key: HMACKey
    private static let tagBytes = 16

    init(key: HMACKey) { self.key = key }

    func key(of source: CoverSource) -> String {
        let tag = key.tag("\(source.track.rawValue)\n\(source.version)".utf8)
        return source.track.rawValue + Base64.encode(Array(tag.prefix(Self.tagBytes)))
    }

    /// The track that a key is about, if it is one.
    static func track(_ key: String) -> MusicID? {
        guard key.utf8.count == MusicID.count + (tagBytes * 8 + 5) / 6 else { return nil }
        return MusicID(String(decoding: key.utf8.prefix(MusicID.count), as: UTF8.self))
    }

    /// Whether this server has made a key for the cover as it is now. Takes the same time for each wrong one.
    func isValid(_ key: String, for source: CoverSource) -> Bool {
        Digest.constantTimeEquals(Array(key.utf8), Array(self.key(of: source).utf8))
    }

    /// The cover as messages have it.
    func cover(_ source: CoverSource) -> MusicCover {
        MusicCover(
            path: Limits.coversPathPrefix + key(of: source), color: source.color.map(HexColor.init(coverColor:)))
    }
}
