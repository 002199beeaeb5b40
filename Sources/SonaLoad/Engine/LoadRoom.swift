internal import Glibc
package import SonaWire

extension Engine {
    /// A room that there is for the test.
    package struct Room: Sendable {
        package var id: RoomID
        /// The owner's.
        package var token: String
        /// The owner's account; nil if only its token is known.
        package var account: ThrowawayAccount?

        package init(id: RoomID, token: String, account: ThrowawayAccount? = nil) {
            self.id = id
            self.token = token
            self.account = account
        }
    }
}

/// A room of the test, and the next messages of its host.
final class LoadRoom {
    let id: RoomID
    /// The owner's.
    var token: String
    /// The account with which the owner signs in again when the token is old; nil: nobody can.
    var account: ThrowawayAccount?
    let join: [UInt8]
    let hostJoin: [UInt8]
    /// Packets that were due so far: the number of the next.
    var sent: UInt64 = 0
    /// When number 0 was due.
    var start: UInt64 = 0
    var epoch: UInt16 = 0
    /// The number of the packet that the epoch began with.
    var epochFirst: UInt64 = 0
    /// The place in the bank of packet number 0.
    var firstPacket = 0
    /// Numbers of packets that were due and that the server did not take.
    var unsent: [Range<UInt64>] = []
    /// Whether the host has its seat.
    var isPlaying = false
    /// The host's WebSocket frame, made anew for each packet.
    let message: UnsafeMutableRawPointer

    init(_ room: Engine.Room, bank: PacketBank) {
        id = room.id
        token = room.token
        account = room.account
        let reference = RoomReference.id(id)
        join = WebSocketFrames.frame(
            WebSocketFrames.text, Request.encode(id: RequestNumber.join, RoomJoin(room: reference)))
        hostJoin = WebSocketFrames.frame(
            WebSocketFrames.text, Request.encode(id: RequestNumber.join, RoomJoin(room: reference, wantsAudio: false)))
        message = .allocate(byteCount: 8 + AudioUp.headerBytes + bank.bytesMax, alignment: 8)
    }

    deinit { message.deallocate() }
}

/// Numbers of requests. They encode the kind of request and its time, so that nothing has to be remembered until the
/// answer.
enum RequestNumber {
    static let hello: Int64 = 1
    static let join: Int64 = 2
    static let start: Int64 = 3
    static let stop: Int64 = 4
    static let signIn: Int64 = 5

    enum Kind: Int64 { case chat = 1, reaction }
    /// Numbers from here on hold the kind, then the microseconds since the engine was made.
    private static let timed: Int64 = 1 << 50

    static func make(_ kind: Kind, microseconds: Int64) -> Int64 {
        timed * kind.rawValue + (microseconds & (timed - 1))
    }

    static func read(_ number: Int64) -> (kind: Kind, microseconds: Int64)? {
        guard let kind = Kind(rawValue: number / timed) else { return nil }
        return (kind, number % timed)
    }
}
