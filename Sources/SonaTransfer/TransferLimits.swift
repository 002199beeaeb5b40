/// Limits on the time and the size of one transfer.
public struct TransferLimits: Sendable, Equatable {
    /// Time for finding the host and for connecting, the TLS handshake included.
    public var connect: Duration
    /// Time for the whole transfer, including the wait for a free thread and all redirects.
    public var total: Duration
    /// Most bytes of the answer's body; one byte more and the transfer ends with `tooLarge`.
    public var bodyBytesMax: Int

    /// The defaults are 10 s to connect, 30 s for all of it, and a body of 1 MiB.
    public init(connect: Duration = .seconds(10), total: Duration = .seconds(30), bodyBytesMax: Int = 1 << 20) {
        self.connect = connect
        self.total = total
        self.bodyBytesMax = bodyBytesMax
    }
}

extension Duration {
    /// The duration in ms for libcurl and `poll`: at least 1, since 0 means forever to libcurl, and at most a day.
    var wholeMilliseconds: Int {
        Int(max(1, min(86_400_000, (self / .milliseconds(1)).rounded(.up))))
    }
}
