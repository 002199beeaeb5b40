internal import CLibwebsockets
internal import SonaBase

/// The keys that seal session tickets (RFC 5077 §4, RFC 8446 §4.6.1), the same on every loop, and new every day: what
/// was sealed with older ones is of no use to who may find out the present ones, and merely fails to resume.
///
/// They are in memory only: a server that was started anew resumes nobody, unless it took over from one that ran.
final class TLSTicketKeys: Sendable {
    /// Name, HMAC key and AES key, as `SSL_CTX_set_tlsext_ticket_keys` takes them.
    static let bytes = 80
    static let lifeMicroseconds: Int64 = 24 * 3_600 * 1_000_000

    struct Keys {
        var bytes: [UInt8]
        /// When they are no longer to be used, µs of `MonotonicClock`.
        var end: Int64
    }

    private let current = Monitor<Keys?>(nil)

    /// The keys to hand to another process; nil if there are none.
    var handed: Keys? { current.withLock { $0 } }

    /// Goes on with the keys of another process.
    func take(_ keys: Keys) {
        guard keys.bytes.count == Self.bytes else { return }
        current.withLock { $0 = keys }
    }

    /// The keys of this moment; nil if the system has no random numbers, and no tickets are to be given then.
    func keys(now: Int64) -> Keys? {
        current.withLock { current in
            if let current, now < current.end { return current }
            var bytes = [UInt8](repeating: 0, count: Self.bytes)
            guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return nil }
            let fresh = Keys(bytes: bytes, end: now + Self.lifeMicroseconds)
            current = fresh
            return fresh
        }
    }
}
