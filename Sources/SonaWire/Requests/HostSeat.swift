/// `host.request`: asks for the host seat of the room the connection is in.
///
/// Source: Protocol/spec/hosting.md, "host.request".
public struct HostRequest: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.request"
    public static let permission: Permission? = .roomsControl

    public init() {}
}

/// `host.offer`: holds the host seat out to somebody in the room, for 60 s.
///
/// Source: Protocol/spec/hosting.md, "host.offer".
public struct HostOffer: UserRequest {
    public typealias Response = Empty
    public static let type = "host.offer"
    public static let permission: Permission? = .roomsControl

    public var user: UserReference

    public init(user: UserReference) { self.user = user }
}

/// `host.take_back`: makes the host seat vacant. If it is, nothing happens.
///
/// Source: Protocol/spec/hosting.md, "host.take_back".
public struct HostTakeBack: FieldlessRequest {
    public typealias Response = Empty
    public static let type = "host.take_back"
    public static let permission: Permission? = .roomsControl

    public init() {}
}
