/// Writes replies: over the WebSocket with the request's id, over HTTP without.
///
/// Source: Protocol/spec/connection.md, "Replies" and "The same over HTTP".
public enum Reply {
    /// `{"type":"ok","id":…,"data":…}`, the data written by `write`, which must write one object.
    public static func ok(id: Int64, write: (inout JSONWriter) -> Void) -> [UInt8] {
        reply("ok") { writer in
            writer.member("id", id)
            writer.key("data")
            write(&writer)
        }
    }

    /// `{"type":"ok","id":…,"data":…}`.
    public static func ok(id: Int64, _ data: some WireObject) -> [UInt8] {
        ok(id: id) { data.encode(into: &$0) }
    }

    /// `{"type":"error","id":…,"error":…}`.
    /// - Parameter id: `nil`, written as `null`, if the id could not be read or a binary message is answered.
    public static func error(id: Int64?, _ error: WireError) -> [UInt8] {
        reply("error") { writer in
            writer.member("id", orNull: id)
            writer.member("error", error)
        }
    }

    /// The body of a successful HTTP answer: the reply without `id`.
    public static func okBody(_ data: some WireObject) -> [UInt8] {
        reply("ok") { $0.member("data", data) }
    }

    /// The body of an HTTP answer of status `error.code.httpStatus`: the reply without `id`.
    public static func errorBody(_ error: WireError) -> [UInt8] {
        reply("error") { $0.member("error", error) }
    }

    private static func reply(_ type: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        writer.object { writer in
            writer.member("type", type)
            members(&writer)
        }
        return writer.bytes
    }
}
