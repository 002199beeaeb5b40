/// One socket of the generator. Only plain values, so that the loop over them neither counts references nor copies.
///
/// connecting → securing (TLS) → upgrading → listening, with servers that know nothing but messages;
/// … upgrading → greeting → joining → listening with Sona, and with a host's connection → starting → hosting.
/// Any → closed. All transitions are in Generator+Opening.swift, but `closed` in `Generator.close`.
struct Connection {
    enum Phase: UInt8 { case connecting, securing, upgrading, greeting, joining, starting, open, closed }

    var descriptor: Int32 = -1
    var phase = Phase.connecting
    var hosts = false
    /// There before the room's first packet, so every packet is due to it.
    var complete = false
    var room: Int32 = 0
    /// Number that the next packet should have.
    var expected: UInt64 = 0
    /// Packets it got, each counted once.
    var received: UInt64 = 0
    /// The beginning of a message whose rest has not come.
    var kept: UnsafeMutablePointer<UInt8>?
    var keptCount = 0
    var session: OpaquePointer?
}

/// The address of listeners, and the messages that they must send to get there.
final class Room {
    let side: Int
    let port: UInt16
    let upgrade: [UInt8]
    /// Nil with servers that know no rooms.
    let join: [UInt8]?
    let secure: Secure?
    /// Packets the host has sent.
    var sent: UInt64 = 0
    var epoch: UInt16 = 0
    /// `hello` and `room.join` of the host.
    let hostGreeting: [UInt8]
    let hostJoin: [UInt8]
    let hostUpgrade: [UInt8]

    init(
        side: Int, port: UInt16, upgrade: [UInt8], hostUpgrade: [UInt8], join: [UInt8]?, hostGreeting: [UInt8],
        hostJoin: [UInt8], secure: Secure?
    ) {
        self.side = side
        self.port = port
        self.upgrade = upgrade
        self.hostUpgrade = hostUpgrade
        self.join = join
        self.hostGreeting = hostGreeting
        self.hostJoin = hostJoin
        self.secure = secure
    }
}

/// The packets received from one server.
package struct Tally {
    package var deliveries: UInt64 = 0
    /// Came a second time, or after a later one.
    package var disordered: UInt64 = 0
    /// Skipped numbers. Packets missing at the end are counted by `Generator.missing`.
    package var skipped: UInt64 = 0
    package var closed: UInt64 = 0
    /// Messages other than packets: events, replies, pings.
    package var others: UInt64 = 0
    package var delays = Delays()
}
