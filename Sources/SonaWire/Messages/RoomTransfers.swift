extension Limits {
    /// Seconds for which somebody can accept a room that was offered to them: a week.
    public static let transferSeconds: Int64 = 604_800
    /// The name of the feature in the welcome.
    public static let transferFeature = "transfers"
}

/// The offer of a room to another account.
///
/// Source: Protocol/spec/rooms.md, "Handing a room over".
public struct RoomTransfer: DeclaredObject, Hashable {
    public var room: RoomID
    public var title: String
    /// Who owns the room and offers it.
    public var from: User
    /// Who may accept.
    public var to: User
    /// Milliseconds since 1970, UTC, both.
    public var createdMilliseconds: Int64
    public var expiresMilliseconds: Int64

    public init(
        room: RoomID, title: String, from: User, to: User, createdMilliseconds: Int64, expiresMilliseconds: Int64
    ) {
        self.room = room
        self.title = title
        self.from = from
        self.to = to
        self.createdMilliseconds = createdMilliseconds
        self.expiresMilliseconds = expiresMilliseconds
    }

    public static let declaration = Declaration(
        Member("room", \Self.room, .roomID),
        Member("title", \Self.title, .line(bytes: Limits.titleBytes)),
        Member("from", \Self.from, .object),
        Member("to", \Self.to, .object),
        Member("created_ms", \Self.createdMilliseconds, .wallTime),
        Member("expires_ms", \Self.expiresMilliseconds, .wallTime),
        make: Self.init)
}

/// `room.transfer`: offers a room of one's own to another account.
///
/// Source: Protocol/spec/rooms.md, "room.transfer".
public struct RoomTransferOffer: RoomUserRequest {
    public typealias Response = RoomTransferResult
    public static let type = "room.transfer"
    public static let permission: Permission? = .roomsControl

    public var room: RoomReference
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// The answer to `room.transfer`.
public struct RoomTransferResult: DeclaredObject, Equatable {
    public var transfer: RoomTransfer

    public init(transfer: RoomTransfer) { self.transfer = transfer }

    public static let declaration = Declaration(Member("transfer", \Self.transfer, .object), make: Self.init)
}

/// `room.transfers`: offers of rooms, by the caller and to the caller.
///
/// Source: Protocol/spec/rooms.md, "room.transfers".
public struct RoomTransfers: FieldlessRequest {
    public typealias Response = RoomTransferList
    public static let type = "room.transfers"
    public static let permission: Permission? = .roomsControl

    public init() {}
}

/// The answer to `room.transfers`.
public struct RoomTransferList: DeclaredObject, Equatable {
    public var transfers: [RoomTransfer]

    public init(transfers: [RoomTransfer]) { self.transfers = transfers }

    public static let declaration = Declaration(Member("transfers", \Self.transfers, .objects()), make: Self.init)
}

/// `room.accept_transfer`: takes a room that was offered.
///
/// Source: Protocol/spec/rooms.md, "room.accept_transfer".
public struct RoomAcceptTransfer: DeclaredRequest {
    public typealias Response = RoomResult
    public static let type = "room.accept_transfer"
    public static let permission: Permission? = .roomsControl

    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .roomID), make: Self.init)
}

/// `room.refuse_transfer`: refuses a room that was offered, or takes one's own offer back.
///
/// Source: Protocol/spec/rooms.md, "room.refuse_transfer".
public struct RoomRefuseTransfer: DeclaredRequest {
    public typealias Response = Empty
    public static let type = "room.refuse_transfer"
    public static let permission: Permission? = .roomsControl

    public var room: RoomID

    public init(room: RoomID) { self.room = room }

    public static let declaration = Declaration(Member("room", \Self.room, .roomID), make: Self.init)
}

/// `rooms.move`: gives a room another owner, at once.
///
/// Source: Protocol/spec/rooms.md, "rooms.move".
public struct RoomsMove: RoomUserRequest {
    public typealias Response = RoomResult
    public static let type = "rooms.move"
    public static let permission: Permission? = .roomsMove

    public var room: RoomReference
    /// The new owner.
    public var user: UserReference

    public init(room: RoomReference, user: UserReference) {
        self.room = room
        self.user = user
    }
}

/// `room.transfer_changed`: a room was offered, or the offer has ended. To the connections of both accounts.
///
/// Source: Protocol/spec/rooms.md, "room.transfer_changed".
public struct RoomTransferChanged: DeclaredEvent {
    public static let type = "room.transfer_changed"
    public static let scope = EventScope.personal

    /// The states of this revision.
    public enum State: String, CaseIterable, Sendable {
        case offered, accepted, refused, withdrawn
    }

    public var transfer: RoomTransfer
    /// A word of 1 to 64 bytes; new ones may come. See `State`.
    public var state: String

    public init(transfer: RoomTransfer, state: State) { self.init(transfer: transfer, word: state.rawValue) }

    private init(transfer: RoomTransfer, word: String) {
        self.transfer = transfer
        state = word
    }

    public static let declaration = Declaration(
        Member("transfer", \Self.transfer, .object),
        Member("state", \Self.state, .line(bytes: 1...Limits.typeBytesMax)),
        make: Self.init(transfer:word:))
}
