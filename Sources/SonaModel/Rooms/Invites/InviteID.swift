internal import SonaCrypto
internal import SonaWire

extension InviteID {
    /// Characters of every identifier of ours.
    static var count: Int { generatedCount }

    static func random() -> InviteID {
        var generator = SecureRandom.Generator()
        return random(using: &generator)
    }
}
