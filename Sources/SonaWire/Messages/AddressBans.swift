extension Limits {
    /// Bytes of a network address or a range of them.
    public static let addressRangeBytes = 2...64
    /// Bans of network addresses at a time.
    public static let addressBansMax = 1_000
}

/// That the server answers nobody from some network addresses, until when, and why.
///
/// Source: Protocol/spec/permissions.md, "addresses.ban".
public struct AddressBan: DeclaredObject, Hashable {
    /// An address, or a range of them like `203.0.113.0/24`.
    public var range: String
    /// Milliseconds since 1970, UTC; `nil`: for good.
    public var untilMilliseconds: Int64?
    /// One line of at most 200 bytes, for administrators.
    public var reason: String?
    /// Milliseconds since 1970, UTC.
    public var createdMilliseconds: Int64
    /// Who made it; `nil` for the operator, and for accounts that are gone.
    public var by: UserID?

    public init(
        range: String, untilMilliseconds: Int64?, reason: String?, createdMilliseconds: Int64, by: UserID?
    ) {
        self.range = range
        self.untilMilliseconds = untilMilliseconds
        self.reason = reason
        self.createdMilliseconds = createdMilliseconds
        self.by = by
    }

    public static let declaration = Declaration(
        Member("range", \Self.range, .text(bytes: Limits.addressRangeBytes)),
        Member(nullable: "until_ms", \Self.untilMilliseconds, .wallTime),
        Member(nullable: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member(nullable: "by", \Self.by, .userID),
        make: Self.init)
}

/// `addresses.ban`: answers nobody from some network addresses any more.
///
/// Source: Protocol/spec/permissions.md, "addresses.ban".
public struct AddressesBan: DeclaredRequest {
    public typealias Response = AddressBanResult
    public static let type = "addresses.ban"
    public static let permission: Permission? = .addressesBan

    /// An address, or a range of them like `203.0.113.0/24`. Either this or `user`.
    public var range: String?
    /// The user or guest whose connections' addresses are banned.
    public var user: UserID?
    /// 1 to 315 360 000, ten years; absent: for good.
    public var seconds: Int64?
    /// One line of at most 200 bytes.
    public var reason: String?

    public init(range: String? = nil, user: UserID? = nil, seconds: Int64? = nil, reason: String? = nil) {
        self.range = range
        self.user = user
        self.seconds = seconds
        self.reason = reason
    }

    public static let declaration = Declaration(
        Member(optional: "range", \Self.range, .text(bytes: Limits.addressRangeBytes)),
        Member(optional: "user", \Self.user, .userID),
        Member(optional: "seconds", \Self.seconds, .integer(Limits.banSeconds)),
        Member(optional: "reason", \Self.reason, .line(bytes: Limits.banReasonBytes)),
        make: Self.init)
}

/// The bans that `addresses.ban` has made.
public struct AddressBanResult: DeclaredObject, Equatable {
    public var bans: [AddressBan]

    public init(bans: [AddressBan]) { self.bans = bans }

    public static let declaration = Declaration(Member("bans", \Self.bans, .objects()), make: Self.init)
}

/// `addresses.unban`: answers a range of network addresses again.
///
/// Source: Protocol/spec/permissions.md, "addresses.unban".
public struct AddressesUnban: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "addresses.unban"
    public static let permission: Permission? = .addressesBan

    /// As in the ban.
    public var range: String

    public init(range: String) { self.range = range }

    public static let declaration = Declaration(
        Member("range", \Self.range, .text(bytes: Limits.addressRangeBytes)), make: Self.init)
}

/// `addresses.list`: all bans of network addresses that are in force, the newest first.
///
/// Source: Protocol/spec/permissions.md, "addresses.list".
public struct AddressesList: FieldlessRequest {
    public typealias Response = AddressBanResult
    public static let type = "addresses.list"
    public static let permission: Permission? = .addressesBan

    public init() {}
}
