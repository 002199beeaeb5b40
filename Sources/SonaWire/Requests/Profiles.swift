/// `profile.update`: changes what is given and leaves the rest.
///
/// Source: Protocol/spec/people.md, "profile.update".
public struct ProfileUpdate: WireRequest {
    public typealias Response = ProfileResult
    public static let type = "profile.update"
    public static let permission: Permission? = .profileEdit

    /// One line of at most 100 bytes; empty clears it.
    public var displayName: String?
    /// At most 2000 bytes; empty clears it.
    public var bio: String?
    /// At most five, in place of all there were.
    public var links: [Link]?
    public var isPublic: Bool?

    public init(displayName: String? = nil, bio: String? = nil, links: [Link]? = nil, isPublic: Bool? = nil) {
        self.displayName = displayName
        self.bio = bio
        self.links = links
        self.isPublic = isPublic
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        displayName = try fields.lineIfPresent("display_name", bytes: 0...Limits.displayNameBytes.upperBound)
        bio = try fields.stringIfPresent("bio", bytes: Limits.bioBytes)
        links = try fields.arrayIfPresent("links", of: Link.self, count: Limits.linkCount)
        isPublic = try fields.boolIfPresent("public")
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("display_name", ifPresent: displayName)
            writer.member("bio", ifPresent: bio)
            if let links { writer.member("links", links) }
            writer.member("public", ifPresent: isPublic)
        }
    }
}

/// The caller's profile: the answer to `profile.update`, `photo.remove` and to a photo that was sent.
public struct ProfileResult: WireObject, Equatable {
    public var profile: Profile

    public init(profile: Profile) { self.profile = profile }

    public init(_ json: JSON) throws(WireError) { profile = try Fields(json).object("profile", as: Profile.self) }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("profile", profile) } }
}

/// `photo.remove`: takes the caller's photo away. Without one, nothing happens.
///
/// Source: Protocol/spec/people.md, "photo.remove".
public struct PhotoRemove: FieldlessRequest {
    public typealias Response = ProfileResult
    public static let type = "photo.remove"
    public static let permission: Permission? = .profileEdit

    public init() {}
}

/// `settings.update`: changes what is given and leaves the rest.
///
/// Source: Protocol/spec/people.md, "settings.update".
public struct SettingsUpdate: WireRequest {
    public typealias Response = SettingsResult
    public static let type = "settings.update"
    public static let permission: Permission? = .profileEdit

    public var locale: LocaleCode?
    public var theme: Theme?
    public var shading: Bool?
    public var delivery: Delivery?
    public var visibility: Visibility?
    public var presence: PresencePolicy?

    public init(
        locale: LocaleCode? = nil, theme: Theme? = nil, shading: Bool? = nil, delivery: Delivery? = nil,
        visibility: Visibility? = nil, presence: PresencePolicy? = nil
    ) {
        self.locale = locale
        self.theme = theme
        self.shading = shading
        self.delivery = delivery
        self.visibility = visibility
        self.presence = presence
    }

    public init(_ data: JSON) throws(WireError) {
        let fields = try Fields(request: data)
        locale = try fields.wordIfPresent("locale", as: LocaleCode.self)
        theme = try fields.wordIfPresent("theme", as: Theme.self)
        shading = try fields.boolIfPresent("shading")
        delivery = try fields.wordIfPresent("delivery", as: Delivery.self)
        visibility = try fields.wordIfPresent("visibility", as: Visibility.self)
        presence = try fields.wordIfPresent("presence", as: PresencePolicy.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("locale", ifPresent: locale?.rawValue)
            writer.member("theme", ifPresent: theme?.rawValue)
            writer.member("shading", ifPresent: shading)
            writer.member("delivery", ifPresent: delivery?.rawValue)
            writer.member("visibility", ifPresent: visibility?.rawValue)
            writer.member("presence", ifPresent: presence?.rawValue)
        }
    }
}

/// The answer to `settings.update`.
public struct SettingsResult: WireObject, Equatable {
    public var settings: Settings

    public init(settings: Settings) { self.settings = settings }

    public init(_ json: JSON) throws(WireError) {
        settings = try Fields(json).object("settings", as: Settings.self)
    }

    public func encode(into writer: inout JSONWriter) { writer.object { $0.member("settings", settings) } }
}
