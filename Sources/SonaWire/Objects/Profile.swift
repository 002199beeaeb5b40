/// A place elsewhere that a user points to.
///
/// Source: Protocol/spec/people.md, "Profile".
public struct Link: WireObject, Hashable {
    /// One line of 1 to 50 bytes.
    public var title: String?
    /// `http://` or `https://` and more: 1 to 300 bytes of visible ASCII.
    public var url: String

    public init(title: String? = nil, url: String) {
        self.title = title
        self.url = url
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        title = try fields.lineIfPresent("title", bytes: Limits.linkTitleBytes)
        url = try fields.parsed("url", "an http or https URL of at most \(Limits.linkURLBytes.upperBound) bytes") {
            Self.isURL($0) ? $0 : nil
        }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("title", ifPresent: title)
            writer.member("url", url)
        }
    }

    /// Other schemes are refused, because whoever is shown the link follows it: `javascript:` would run in their page.
    static func isURL(_ text: String) -> Bool {
        guard Limits.linkURLBytes.contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return false
        }
        return ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}

/// What a user says about themself.
///
/// Source: Protocol/spec/people.md, "Profile".
public struct Profile: WireObject, Hashable {
    /// One line of at most 100 bytes.
    public var displayName: String?
    /// At most 2000 bytes; may hold line breaks.
    public var bio: String?
    /// Whether others may see it.
    public var isPublic: Bool
    /// At most five, in the order the user gave them.
    public var links: [Link]
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

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        displayName = try fields.lineIfPresent("display_name", bytes: Limits.displayNameBytes)
        bio = try fields.stringIfPresent("bio", bytes: Limits.bioBytes)
        isPublic = try fields.bool("public")
        links = try fields.arrayIfPresent("links", of: Link.self, count: Limits.linkCount) ?? []
        photo = try fields.objectIfPresent("photo", as: Photo.self)
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("display_name", orNull: displayName)
            writer.member("bio", orNull: bio)
            writer.member("public", isPublic)
            writer.member("links", links)
            writer.member("photo", orNull: photo)
        }
    }
}
