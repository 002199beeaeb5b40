extension Limits {
    /// Seconds for which an invitation to a playlist works.
    public static let playlistInviteSeconds: ClosedRange<Int64> = 60...2_592_000
    /// The same if the request says nothing: a week.
    public static let playlistInviteSecondsDefault = 604_800
    /// Characters of the code of an invitation to a playlist.
    public static let playlistInviteCodeCount = 22
}

/// `playlist.invite`: a link by which accounts may become collaborators, or none any more.
///
/// Source: Protocol/spec/playlists.md, "playlist.invite".
public struct PlaylistInvite: DeclaredRequest {
    public typealias Response = PlaylistInvitation
    public static let type = "playlist.invite"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    /// How long the link works.
    public var expiresSeconds: Int
    /// Ends the link that there is, and makes none.
    public var isRevoked: Bool

    public init(
        playlist: MusicID, expiresSeconds: Int = Limits.playlistInviteSecondsDefault, isRevoked: Bool = false
    ) {
        self.playlist = playlist
        self.expiresSeconds = expiresSeconds
        self.isRevoked = isRevoked
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID),
        Member(
            "expires_in_s", \Self.expiresSeconds, .integer(Limits.playlistInviteSeconds),
            default: Limits.playlistInviteSecondsDefault),
        Member("revoke", \Self.isRevoked, .flag, default: false),
        make: Self.init)
}

/// The answer to `playlist.invite`. The code is told once.
public struct PlaylistInvitation: DeclaredObject, Equatable {
    /// `nil` after a link was ended.
    public var code: String?
    /// The path of the page, with the code.
    public var path: String?
    /// Milliseconds since 1970, UTC.
    public var expiresMilliseconds: Int64?

    public init(code: String?, path: String?, expiresMilliseconds: Int64?) {
        self.code = code
        self.path = path
        self.expiresMilliseconds = expiresMilliseconds
    }

    public static let declaration = Declaration(
        Member(nullable: "code", \Self.code, .playlistCode),
        Member(nullable: "path", \Self.path, .line(bytes: 1...200)),
        Member(nullable: "expires_ms", \Self.expiresMilliseconds, .wallTime),
        make: Self.init)
}

/// `playlist.accept`: becomes a collaborator by the code of a link.
///
/// Source: Protocol/spec/playlists.md, "playlist.accept".
public struct PlaylistAccept: DeclaredRequest {
    public typealias Response = PlaylistResult
    public static let type = "playlist.accept"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    public var code: String

    public init(playlist: MusicID, code: String) {
        self.playlist = playlist
        self.code = code
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID), Member("code", \Self.code, .playlistCode), make: Self.init)
}

/// `playlist.collaborators`: who may edit a playlist besides its owner.
///
/// Source: Protocol/spec/playlists.md, "playlist.collaborators".
public struct PlaylistCollaborators: DeclaredRequest {
    public typealias Response = PlaylistCollaboratorList
    public static let type = "playlist.collaborators"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID

    public init(playlist: MusicID) { self.playlist = playlist }

    public static let declaration = Declaration(Member("playlist", \Self.playlist, .musicID), make: Self.init)
}

/// The answer to `playlist.collaborators`.
public struct PlaylistCollaboratorList: DeclaredObject, Equatable {
    /// In the order in which they came.
    public var people: [User]
    /// When the link that there is ends, milliseconds since 1970; `nil` if there is none, or the caller is not the
    /// owner.
    public var inviteExpiresMilliseconds: Int64?

    public init(people: [User], inviteExpiresMilliseconds: Int64?) {
        self.people = people
        self.inviteExpiresMilliseconds = inviteExpiresMilliseconds
    }

    public static let declaration = Declaration(
        Member("people", \Self.people, .objects()),
        Member(nullable: "invite_expires_ms", \Self.inviteExpiresMilliseconds, .wallTime),
        make: Self.init)
}

/// `playlist.leave`: ends a collaboration: one's own, or for the owner that of another account.
///
/// Source: Protocol/spec/playlists.md, "playlist.leave".
public struct PlaylistLeave: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "playlist.leave"
    public static let permission: Permission? = .libraryCollect

    public var playlist: MusicID
    /// Who leaves. `nil`: the caller.
    public var user: UserReference?

    public init(playlist: MusicID, user: UserReference? = nil) {
        self.playlist = playlist
        self.user = user
    }

    public static let declaration = Declaration(
        Member("playlist", \Self.playlist, .musicID), Member(optional: "user", \Self.user, .userReference),
        make: Self.init)
}

extension Form where Value == String {
    /// The code of an invitation to a playlist.
    fileprivate static var playlistCode: Form {
        .parsed(
            Schema.ascii(
                Limits.playlistInviteCodeCount...Limits.playlistInviteCodeCount, without: "[^0-9A-Za-z]"),
            "22 letters and digits",
            { text in
                let isFine =
                    text.utf8.count == Limits.playlistInviteCodeCount
                    && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
                return isFine ? text : nil
            }, text: { $0 })
    }
}
