/// The numbers of the protocol: sizes in bytes, counts, and times.
///
/// Numbers marked "default" can be configured on a server, which announces its own in the welcome. All others are part
/// of the protocol and the same everywhere.
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
    /// The beginning of the path of a request's HTTP form. The request's type follows.
    public static let rpcPathPrefix = "/v1/rpc/"

    // MARK: Messages

    /// Objects and arrays inside one another in a text message, the outermost counted.
    public static let nestingDepthMax = 16
    /// Members of one JSON object. Bounds the search for duplicate keys.
    public static let objectMembersMax = 256
    /// Bytes of a request's or event's type.
    public static let typeBytesMax = 64

    // MARK: Identifiers and texts, in UTF-8 bytes unless said otherwise

    /// Length of a user's identifier.
    public static let userIDBytes = 1...128
    /// Length of a username.
    public static let usernameBytes = 3...24
    /// Length of the cursor that asks for the next page.
    public static let cursorBytes = 1...256
    /// Length of an error's code.
    public static let errorCodeBytes = 3...64
    /// Length of the sentence for people in an error.
    public static let errorMessageBytes = 0...512
    /// Length of the word for programs that gives a reason in an event.
    public static let reasonBytes = 1...64
}
