/// `host.command`: the room's owner asks its host for something. To the host alone.
///
/// Source: Protocol/spec/hosting.md, "host.command".
public struct HostCommand: WireEvent {
    public static let type = "host.command"

    public enum Action: String, CaseIterable, Sendable {
        case play
        case pause
        case seek
    }

    /// The host's answer repeats it.
    public var command: Int64
    public var action: Action
    /// Microseconds; always there for `seek`, never for `pause`.
    public var positionMicroseconds: Int64?

    public init(command: Int64, action: Action, positionMicroseconds: Int64? = nil) {
        self.command = command
        self.action = action
        self.positionMicroseconds = positionMicroseconds
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        command = try fields.command()
        action = try fields.word("action", as: Action.self)
        positionMicroseconds = try fields.integerIfPresent("position_us", in: 0...Limits.integerMax)
        if action == .seek, positionMicroseconds == nil { throw fields.invalid("position_us", "is missing") }
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("command", command)
            writer.member("action", action.rawValue)
            writer.member("position_us", ifPresent: positionMicroseconds)
        }
    }
}

/// `server.draining`: the server is about to stop; come back after a while. To every connection.
///
/// Source: Protocol/spec/connection.md, "server.draining".
public struct ServerDraining: WireEvent {
    public static let type = "server.draining"

    /// How long to wait before connecting again, counted from the close.
    public var reconnectInMilliseconds: Int

    public init(reconnectInMilliseconds: Int) { self.reconnectInMilliseconds = reconnectInMilliseconds }

    public init(_ json: JSON) throws(WireError) {
        reconnectInMilliseconds = Int(try Fields(json).integer("reconnect_in_ms", in: 0...Limits.integerMax))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { $0.member("reconnect_in_ms", reconnectInMilliseconds) }
    }
}
