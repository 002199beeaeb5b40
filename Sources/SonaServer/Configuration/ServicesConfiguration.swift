internal import SonaConfiguration

/// What the server may do with services of others, as the operator says it.
package struct ServicesConfiguration: Sendable {
    /// Whether accounts may name services of this machine and of private networks.
    package var mayBePrivate = false
    /// The key and the secret that Last.fm has given the operator.
    package var lastFMKey: String?
    package var lastFMSecret: String?
    package var lastFMAddress = "https://ws.audioscrobbler.com/2.0/"

    /// `nil`: nobody can connect it.
    var lastFM: LastFM.Account? {
        guard let lastFMKey, let lastFMSecret else { return nil }
        return LastFM.Account(address: lastFMAddress, key: lastFMKey, secret: lastFMSecret)
    }

    static let keys: [ConfigurationKey<ServerConfiguration>] = [
        .flag(
            "private-services", \.services.mayBePrivate,
            """
            Let accounts send what they hear to services of this machine and of private networks, such as a Maloja of your \
            own. Everybody with an account could try out addresses of your network.
            """, .reloadable),
        .one(
            "lastfm-key", \.services.lastFMKey, .text("key"),
            "The API key that Last.fm has given you (https://www.last.fm/api/account/create); with lastfm-secret.",
            .reloadable),
        .one(
            "lastfm-secret", \.services.lastFMSecret, .text("secret"), "The shared secret of that key.",
            [.secret, .reloadable]),
        .one(
            "lastfm-url", \.services.lastFMAddress, .webAddress("https://HOST/PATH"),
            "Where Last.fm answers, or what speaks as it does.", .reloadable),
    ]

    /// Keys that do not go together, each named with a sentence.
    var contradictions: [(key: String, sentence: String)] {
        switch (lastFMKey, lastFMSecret) {
        case (_?, nil): [("lastfm-key", "Last.fm takes both lastfm-key and lastfm-secret; lastfm-secret is missing.")]
        case (nil, _?): [("lastfm-secret", "Last.fm takes both lastfm-key and lastfm-secret; lastfm-key is missing.")]
        default: []
        }
    }
}
