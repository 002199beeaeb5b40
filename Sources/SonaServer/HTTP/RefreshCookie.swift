internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// The cookie that keeps a page's refresh token out of reach of scripts.
///
/// The browser sends it only to paths below `/v1/cookie/`, and with no request that another site makes. It is `Secure`
/// if the page came over TLS. Cookies do not distinguish the ports of a host (RFC 6265 §8.5), so the cookie's name
/// does.
struct RefreshCookie {
    private let name: String
    private let isSecure: Bool

    /// - Parameter request: Its `Host` names the port, its `Origin` tells whether the page came over TLS. A reverse
    ///   proxy may change the `Host`, as long as it always does so in the same way.
    init(for request: HTTPRequest) {
        let port = request.host.flatMap(HostName.port)
        name = port.map { "sona_refresh_\($0)" } ?? "sona_refresh"
        isSecure = request.isSecure || request.origin?.lowercased().hasPrefix("https://") == true
    }

    /// The refresh token in a request; `nil` if there is none, or if there are two. With two, one of them was set by
    /// somebody else, such as a neighbouring host of the same domain.
    func token(of request: HTTPRequest) -> String? {
        let prefix = name + "="
        let values = (request.headers["cookie"] ?? "").split(separator: ";")
            .map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(prefix) }
        guard values.count == 1, let value = values.first else { return nil }
        return String(value.dropFirst(prefix.count))
    }

    /// A header that makes the browser keep a refresh token for as long as it is valid (RFC 6265 §4.1).
    func kept(_ token: String) -> (name: String, value: String) {
        header(token, seconds: Int(Accounts.refreshTokenSeconds))
    }

    /// A header that makes the browser delete the token.
    var removed: (name: String, value: String) { header("", seconds: 0) }

    private func header(_ value: String, seconds: Int) -> (name: String, value: String) {
        let limits = "Path=\(Limits.cookiePath); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        return (name: "set-cookie", value: "\(name)=\(value); \(limits)\(isSecure ? "; Secure" : "")")
    }

    /// Whether a text is valid as a cookie's value without quoting (RFC 6265 §4.1.1, cookie-octet).
    static func canHold(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && ![0x22, 0x2C, 0x3B, 0x5C].contains(byte)
        }
    }
}
