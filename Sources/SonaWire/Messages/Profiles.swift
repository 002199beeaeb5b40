extension Limits {
    /// Where a photo is sent to with POST.
    public static let photoUploadPath = "/v1/photo"
    /// The beginning of a photo's path. The photo's identifier and size follow.
    public static let photosPathPrefix = "/v1/photos/"
    /// Bytes of the name that a profile shows.
    public static let displayNameBytes = 1...100
    /// Bytes of what users write about themselves.
    public static let bioBytes = 0...2_000
    /// Bytes of what may be asked about as a username, which need not be one.
    public static let usernameCheckBytes = 0...256
    /// Free usernames suggested in place of one that cannot be had.
    public static let usernameSuggestionCount = 0...5
    /// Bytes of the title of a profile's link.
    public static let linkTitleBytes = 1...50
    /// Bytes of the address of a profile's link.
    public static let linkURLBytes = 1...300
    /// Links in one profile.
    public static let linkCount = 0...5
    /// Bytes of a photo's identifier.
    public static let photoIDBytes = 1...64
    /// Pixels of a side of a photo.
    public static let photoSide: ClosedRange<Int64> = 1...65_535
    /// Bytes of an image that is sent to become a photo: 5 MiB.
    public static let photoUploadBytesMax = 5_242_880
}

// MARK: - Objects

/// A colour as it stands in a message: `#` and six lower-case hexadecimal digits, red first.
public struct HexColor: Hashable, Sendable, CustomStringConvertible {
    /// `#` with six lower-case hexadecimal digits.
    public let rawValue: String

    /// - Returns: `nil` for any other form; letters must be small.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
        else { return nil }
        rawValue = text
    }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        rawValue = "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// The colour as it stands in a message.
    public var description: String { rawValue }
}

/// The sizes a photo can be fetched in: the last part of its path.
///
/// Source: Protocol/spec/people.md, "Photos".
public enum PhotoSize: String, CaseIterable, Sendable {
    /// A square of 32 × 32 pixels.
    case small = "32"
    /// A square of 64 × 64 pixels.
    case medium = "64"
    /// The whole picture, `Photo.width` × `Photo.height` pixels.
    case full
}

/// A user's photo: where to fetch it, and what to show until it is there.
///
/// Source: Protocol/spec/people.md, "Photos".
public struct Photo: DeclaredObject, Hashable {
    /// Names the image in the path it is fetched from.
    public var id: PhotoID
    /// The colour that dominates it.
    public var color: HexColor
    /// A colour that can be read on `color`.
    public var foreground: HexColor
    /// Pixels of the full size, 1 to 65 535, like the height.
    public var width: Int
    /// Pixels, 1 to 65 535.
    public var height: Int

    public init(id: PhotoID, color: HexColor, foreground: HexColor, width: Int, height: Int) {
        self.id = id
        self.color = color
        self.foreground = foreground
        self.width = width
        self.height = height
    }

    public static let declaration = Declaration(
        Member("id", \Self.id, .photoID),
        Member("color", \Self.color, .hexColor),
        Member("foreground", \Self.foreground, .hexColor),
        Member("width", \Self.width, .integer(Limits.photoSide)),
        Member("height", \Self.height, .integer(Limits.photoSide)),
        make: Self.init)

    /// The path of one size, to be fetched with GET: `/v1/photos/<id>/<size>`.
    public func path(_ size: PhotoSize) -> String { "\(Limits.photosPathPrefix)\(id)/\(size.rawValue)" }
}

/// A place elsewhere that a user points to.
///
/// Source: Protocol/spec/people.md, "Profile".
public struct Link: DeclaredObject, Hashable {
    /// One line of 1 to 50 bytes.
    public var title: String?
    /// `http://` or `https://` and more: 1 to 300 bytes of visible ASCII.
    public var url: String

    public init(title: String? = nil, url: String) {
        self.title = title
        self.url = url
    }

    public static let declaration = Declaration(
        Member(optional: "title", \Self.title, .line(bytes: Limits.linkTitleBytes)),
        Member("url", \Self.url, .linkURL),
        make: Self.init)

    /// Other schemes are refused because people who see the link follow it: `javascript:` would run in their page.
    static func isURL(_ text: String) -> Bool {
        guard Limits.linkURLBytes.contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return false
        }
        return ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}

/// The texts, links and photo by which a user presents themself.
///
/// Source: Protocol/spec/people.md, "Profile".
public struct Profile: DeclaredObject, Hashable {
    /// One line of at most 100 bytes.
    public var displayName: String?
    /// At most 2000 bytes; may hold line breaks.
    public var bio: String?
    /// Whether others may see it.
    public var isPublic: Bool
    /// At most five, in the order the user gave them.
    public var links: [Link]
    /// The user's photo, or `nil` if there is none.
    public var photo: Photo?

    public init(
        displayName: String? = nil, bio: String? = nil, isPublic: Bool = false, links: [Link] = [],
        photo: Photo? = nil
    ) {
        self.displayName = displayName
        self.bio = bio
        self.isPublic = isPublic
        self.links = links
        self.photo = photo
    }

    public static let declaration = Declaration(
        Member(nullable: "display_name", \Self.displayName, .line(bytes: Limits.displayNameBytes)),
        Member(nullable: "bio", \Self.bio, .text(bytes: Limits.bioBytes)),
        Member("public", \Self.isPublic, .flag),
        Member("links", \Self.links, .objects(count: Limits.linkCount), default: []),
        Member(nullable: "photo", \Self.photo, .object, isRequired: false),
        make: Self.init)
}

/// The languages that clients and mails are written in.
public enum LocaleCode: String, CaseIterable, Sendable {
    /// English as in the United States.
    case englishUS = "en_US"
    /// Polish as in Poland.
    case polish = "pl_PL"
    /// Spanish as in Spain.
    case spanish = "es_ES"
}

/// How a client looks.
public enum Theme: String, CaseIterable, Sendable {
    /// As the device does.
    case system
    /// Dark text on a light ground.
    case light
    /// Light text on a dark ground.
    case dark
}

/// Who may see that a user is in a room.
public enum PresencePolicy: String, CaseIterable, Sendable {
    /// The user alone.
    case nobody
    /// People who follow the user and are followed back.
    case friends
    /// All who follow the user.
    case followers
}

/// The choices of an account, kept for all its clients.
///
/// Source: Protocol/spec/people.md, "Settings".
public struct Settings: DeclaredObject, Hashable {
    /// The language of the user interface.
    public var locale: LocaleCode
    /// The colours of the user interface.
    public var theme: Theme
    /// Whether clients tint themselves with the colours of photos and covers.
    public var shading: Bool
    /// The delivery that clients offer for a new room. `room.create` itself does not look at it.
    public var delivery: Delivery
    /// The visibility that clients offer for a new room. `room.create` itself does not look at it.
    public var visibility: Visibility
    /// Who may see in which room the user is. Consent is given, not assumed.
    public var presence: PresencePolicy

    public init(
        locale: LocaleCode = .englishUS, theme: Theme = .system, shading: Bool = false, delivery: Delivery = .party,
        visibility: Visibility = .public, presence: PresencePolicy = .nobody
    ) {
        self.locale = locale
        self.theme = theme
        self.shading = shading
        self.delivery = delivery
        self.visibility = visibility
        self.presence = presence
    }

    public static let declaration = Declaration(
        Member("locale", \Self.locale, .word),
        Member("theme", \Self.theme, .word),
        Member("shading", \Self.shading, .flag),
        Member("delivery", \Self.delivery, .word),
        Member("visibility", \Self.visibility, .word),
        Member("presence", \Self.presence, .word),
        make: Self.init)

    /// Takes what an update gives.
    public mutating func apply(_ update: SettingsUpdate) {
        locale = update.locale ?? locale
        theme = update.theme ?? theme
        shading = update.shading ?? shading
        delivery = update.delivery ?? delivery
        visibility = update.visibility ?? visibility
        presence = update.presence ?? presence
    }
}

// MARK: - Requests

/// `profile.update`: changes what is given and leaves the rest.
///
/// Source: Protocol/spec/people.md, "profile.update".
public struct ProfileUpdate: DeclaredRequest {
    public typealias Response = ProfileResult
    public static let type = "profile.update"
    public static let permission: Permission? = .profileEdit

    /// One line of at most 100 bytes; empty clears it.
    public var displayName: String?
    /// At most 2000 bytes; empty clears it.
    public var bio: String?
    /// At most five, in place of all there were.
    public var links: [Link]?
    /// Whether everybody may read the profile. `nil`: unchanged.
    public var isPublic: Bool?

    public init(displayName: String? = nil, bio: String? = nil, links: [Link]? = nil, isPublic: Bool? = nil) {
        self.displayName = displayName
        self.bio = bio
        self.links = links
        self.isPublic = isPublic
    }

    public static let declaration = Declaration(
        Member(optional: "display_name", \Self.displayName, .line(bytes: 0...Limits.displayNameBytes.upperBound)),
        Member(optional: "bio", \Self.bio, .text(bytes: Limits.bioBytes)),
        Member(optional: "links", \Self.links, .objects(count: Limits.linkCount)),
        Member(optional: "public", \Self.isPublic, .flag),
        make: Self.init)
}

/// The caller's profile: the answer to `profile.update`, `photo.remove` and to a photo that was sent.
public struct ProfileResult: DeclaredObject, Equatable {
    /// The profile after the request.
    public var profile: Profile

    public init(profile: Profile) { self.profile = profile }

    public static let declaration = Declaration(Member("profile", \Self.profile, .object), make: Self.init)
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
public struct SettingsUpdate: DeclaredRequest {
    public typealias Response = SettingsResult
    public static let type = "settings.update"
    public static let permission: Permission? = .profileEdit

    /// The language of the user interface. `nil`: unchanged.
    public var locale: LocaleCode?
    /// The colours of the user interface. `nil`: unchanged.
    public var theme: Theme?
    /// See `Settings.shading`. `nil`: unchanged.
    public var shading: Bool?
    /// See `Settings.delivery`. `nil`: unchanged.
    public var delivery: Delivery?
    /// See `Settings.visibility`. `nil`: unchanged.
    public var visibility: Visibility?
    /// Who may see in which room the user is. `nil`: unchanged.
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

    public static let declaration = Declaration(
        Member(optional: "locale", \Self.locale, .word),
        Member(optional: "theme", \Self.theme, .word),
        Member(optional: "shading", \Self.shading, .flag),
        Member(optional: "delivery", \Self.delivery, .word),
        Member(optional: "visibility", \Self.visibility, .word),
        Member(optional: "presence", \Self.presence, .word),
        make: Self.init)
}

/// The answer to `settings.update`.
public struct SettingsResult: DeclaredObject, Equatable {
    /// All settings after the request.
    public var settings: Settings

    public init(settings: Settings) { self.settings = settings }

    public static let declaration = Declaration(Member("settings", \Self.settings, .object), make: Self.init)
}

/// `username.check`: whether a username could be had at this moment.
///
/// Source: Protocol/spec/people.md, "username.check".
public struct UsernameCheck: DeclaredRequest {
    public typealias Response = UsernameAvailability
    public static let type = "username.check"

    /// At most 256 bytes of anything: what is no username is an answer, not a fault.
    public var username: String

    public init(username: String) { self.username = username }

    public static let declaration = Declaration(
        Member("username", \Self.username, .text(bytes: Limits.usernameCheckBytes)),
        make: Self.init)
}

/// The answer to `username.check`.
public struct UsernameAvailability: DeclaredObject, Equatable {
    /// Why a username cannot be had.
    public enum Reason: String, CaseIterable, Sendable {
        /// Not of the form of a username.
        case invalid
        /// The server keeps the name for itself.
        case reserved
        /// Somebody has it, or one that looks like it.
        case taken
    }

    /// Whether the name could be claimed when the server answered. Nothing reserves it.
    public var isAvailable: Bool
    /// Why not.
    public var reason: Reason?
    /// The same as a sentence for people.
    public var message: String?
    /// At most five that resemble it and were free.
    public var suggestions: [Username]

    public init(isAvailable: Bool, reason: Reason? = nil, message: String? = nil, suggestions: [Username] = []) {
        self.isAvailable = isAvailable
        self.reason = reason
        self.message = message
        self.suggestions = suggestions
    }

    public static let declaration = Declaration(
        Member("available", \Self.isAvailable, .flag),
        Member(optional: "reason", \Self.reason, .word),
        Member(optional: "message", \Self.message, .text(bytes: Limits.errorMessageBytes)),
        Member("suggestions", \Self.suggestions, .usernames(count: Limits.usernameSuggestionCount)),
        make: Self.init)
}

/// `username.claim`: the first username of an account that has none.
///
/// Source: Protocol/spec/people.md, "username.claim".
public struct UsernameClaim: DeclaredRequest {
    public typealias Response = AccessGrant
    public static let type = "username.claim"
    public static let permission: Permission? = .profileEdit

    /// The name wanted. Refused with `username.invalid` or `username.taken`.
    public var username: Username

    public init(username: Username) { self.username = username }

    public static let declaration = Declaration(Member("username", \Self.username, .newUsername), make: Self.init)
}

/// `username.change`: another username in place of the current one.
///
/// Source: Protocol/spec/people.md, "username.change".
public struct UsernameChange: DeclaredRequest {
    public typealias Response = AccessGrant
    public static let type = "username.change"
    public static let permission: Permission? = .profileEdit

    /// The current one, so that a change is not made twice or by mistake.
    public var oldUsername: Username
    /// The name wanted. Refused with `username.invalid` or `username.taken`.
    public var username: Username

    public init(oldUsername: Username, username: Username) {
        self.oldUsername = oldUsername
        self.username = username
    }

    public static let declaration = Declaration(
        Member("old_username", \Self.oldUsername, .oldUsername),
        Member("username", \Self.username, .newUsername),
        make: Self.init)
}

// MARK: - Forms

extension Form where Value == Username {
    /// The current username. Refused with `username.mismatch` if it is not even of the form of a username.
    fileprivate static var oldUsername: Form {
        .parsed(.username, "the current username", code: .usernameMismatch, Username.init) { $0.rawValue }
    }
}

extension Form where Value == [Username] {
    fileprivate static func usernames(count: ClosedRange<Int>) -> Form {
        Form(
            Schema.username.array(count: count),
            read: { fields, key throws(WireError) in
                guard let texts = try fields.stringsIfPresent(key, bytes: Limits.usernameBytes) else { return nil }
                let usernames = texts.compactMap(Username.init)
                guard usernames.count == texts.count, count.contains(texts.count) else {
                    throw fields.invalid(key, "must hold at most \(count.upperBound) usernames")
                }
                return usernames
            }, write: { usernames, writer in writer.array(usernames) { $1.string($0.rawValue) } })
    }
}

extension Form where Value == HexColor {
    static var hexColor: Form {
        .parsed(
            Schema([
                "type": "string", "minLength": 7, "maxLength": 7, "pattern": "^#[0-9a-f]{6}",
                "description": "Red, green and blue, two lower-case hexadecimal digits each.",
            ]).named("color"), "a colour like #20a0ff", HexColor.init
        ) { $0.rawValue }
    }
}

extension Form where Value == String {
    static var linkURL: Form {
        .parsed(
            Schema.ascii(Limits.linkURLBytes, pattern: "^https?://[!-~]", without: "[^!-~]")
                .described("http or https, visible ASCII."),
            "an http or https URL of at most \(Limits.linkURLBytes.upperBound) bytes",
            { Link.isURL($0) ? $0 : nil }
        ) { $0 }
    }
}
