/// The languages that clients and mails are written in.
public enum LocaleCode: String, CaseIterable, Sendable {
    case englishUS = "en_US"
    case polish = "pl_PL"
    case spanish = "es_ES"
}

/// How a client looks.
public enum Theme: String, CaseIterable, Sendable {
    /// As the device does.
    case system
    case light
    case dark
}

/// Who may see that a user is in a room.
public enum PresencePolicy: String, CaseIterable, Sendable {
    case nobody
    /// Those who follow the user and are followed back.
    case friends
    /// Whoever follows the user.
    case followers
}

/// What an account chose, kept for all its clients.
///
/// Source: Protocol/spec/people.md, "Settings".
public struct Settings: WireObject, Hashable {
    public var locale: LocaleCode
    public var theme: Theme
    /// Whether clients tint themselves with the colours of photos and covers.
    public var shading: Bool
    /// What a new room begins with, like the visibility.
    public var delivery: Delivery
    public var visibility: Visibility
    public var presence: PresencePolicy

    public init(
        locale: LocaleCode, theme: Theme, shading: Bool, delivery: Delivery, visibility: Visibility,
        presence: PresencePolicy
    ) {
        self.locale = locale
        self.theme = theme
        self.shading = shading
        self.delivery = delivery
        self.visibility = visibility
        self.presence = presence
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        locale = try fields.word("locale", as: LocaleCode.self)
        theme = try fields.word("theme", as: Theme.self)
        shading = try fields.bool("shading")
        delivery = try fields.word("delivery", as: Delivery.self)
        visibility = try fields.word("visibility", as: Visibility.self)
        presence = try fields.word("presence", as: PresencePolicy.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("locale", locale.rawValue)
            writer.member("theme", theme.rawValue)
            writer.member("shading", shading)
            writer.member("delivery", delivery.rawValue)
            writer.member("visibility", visibility.rawValue)
            writer.member("presence", presence.rawValue)
        }
    }
}
