/// What one transfer may take.
public struct TransferLimits: Sendable, Equatable {
    /// For finding the host and for the connection, with its TLS handshake.
    public var connect: Duration
    /// For everything, with waiting for a free thread and all redirects.
    public var total: Duration
    /// Of the answer's body; one byte more and the transfer ends with `tooLarge`.
    public var bodyBytesMax: Int

    public init(connect: Duration = .seconds(10), total: Duration = .seconds(30), bodyBytesMax: Int = 1 << 20) {
        self.connect = connect
        self.total = total
        self.bodyBytesMax = bodyBytesMax
    }
}

extension Duration {
    /// As libcurl and `poll` take it: at least 1, since 0 means forever to libcurl, and at most a day.
    var wholeMilliseconds: Int {
        Int(max(1, min(86_400_000, (self / .milliseconds(1)).rounded(.up))))
    }
}
