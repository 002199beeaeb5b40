/// Writes each event once, for all its receivers.
///
/// Source: Protocol/spec/connection.md, "Events".
public enum Event {
    /// The text message of an event: its envelope around `data`.
    /// - Parameters:
    ///   - room: The room for an event of the room, `nil` for a personal one.
    ///   - seq: The event's number in the room or session, `nil` for events that are live only.
    ///   - data: Writes one object.
    public static func encode(type: String, room: RoomID?, seq: Int64?, data: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.object { writer in
            writer.member("type", type)
            writer.member("room", ifPresent: room?.rawValue)
            writer.member("seq", ifPresent: seq)
            writer.key("data")
            data(&writer)
        }
        return writer.bytes
    }

    /// The text message of an event of SonaWire, named by its type.
    public static func encode<Data: WireEvent>(_ data: Data, room: RoomID?, seq: Int64?) -> [UInt8] {
        encode(type: Data.type, room: room, seq: seq) { data.encode(into: &$0) }
    }
}
