/// The numbers of the protocol: sizes in bytes, counts, and times.
///
/// Those marked "default" can be configured on a server, which announces what it uses in the welcome; the others are
/// part of the protocol and the same everywhere.
///
/// Source: Protocol/spec/connection.md, "Limits", and the pages of the fields concerned.
public enum Limits {
    // MARK: Numbers

    /// The largest integer a text message may carry, 2^53 − 1: the largest every JSON implementation holds exactly.
    public static let integerMax: Int64 = 9_007_199_254_740_991
    /// The revision of the protocol that this module speaks.
    public static let protocolVersion = 1
    /// The WebSocket subprotocol that names the protocol and its major version.
    public static let subprotocol = "sona.v1"
    /// The path of the WebSocket endpoint.
    public static let webSocketPath = "/v1/ws"
    /// What precedes a request's type in the path of its HTTP form.
    public static let rpcPathPrefix = "/v1/rpc/"

    // MARK: Messages

    /// Objects and arrays inside one another in a text message, the outermost counted.
    public static let nestingDepthMax = 16
    /// Members of one JSON object. Bounds the search for duplicate keys.
    public static let objectMembersMax = 256
    /// Bytes of a request's or event's type.
    public static let typeBytesMax = 64

    // MARK: Identifiers and texts, in UTF-8 bytes unless said otherwise

    public static let userIDBytes = 1...128
    public static let usernameBytes = 3...24
    public static let cursorBytes = 1...256
    public static let errorCodeBytes = 3...64
    public static let errorMessageBytes = 0...512
    public static let reasonBytes = 1...64
}
