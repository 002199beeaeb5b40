/// The headers that limit what a browser does with our page.
enum SitePolicy {
    /// - Parameters:
    ///   - host: The `Host` header. Browsers differ in whether `'self'` covers WebSockets, so these are named.
    ///   - isPage: Whether the response is a page: only there do permissions matter.
    ///   - mayBeFramed: Whether pages of other sites may show it in a frame: the embedded player, which changes
    ///     nothing on the server beyond listening, and the page that asks a room for tracks, as anybody may without it.
    static func headers(
        host: String?, isPage: Bool, mayBeFramed: Bool = false
    ) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = [
            (name: "content-security-policy", value: contentSecurity(host: host, mayBeFramed: mayBeFramed)),
            (name: "x-content-type-options", value: "nosniff"),
            (name: "referrer-policy", value: "same-origin"),
            // Isolated, so that the clock is read in steps of 5 µs instead of 100, and memory can be shared with the
            // worklet that plays. Workers and worklets need these headers on their own responses, too.
            (name: "cross-origin-opener-policy", value: "same-origin"),
            (name: "cross-origin-embedder-policy", value: "require-corp"),
            (name: "cross-origin-resource-policy", value: mayBeFramed ? "cross-origin" : "same-origin"),
        ]
        if isPage { headers.append((name: "permissions-policy", value: permissions)) }
        return headers
    }

    /// The headers of what pages of other origins may have: the client library, and its examples.
    static let shared: [(name: String, value: String)] = [
        (name: "access-control-allow-origin", value: "*"),
        (name: "content-security-policy", value: "default-src 'self'; connect-src *; worker-src 'self' blob:"),
        (name: "x-content-type-options", value: "nosniff"),
        (name: "cross-origin-resource-policy", value: "cross-origin"),
        (name: "cross-origin-embedder-policy", value: "require-corp"),
    ]

    private static func contentSecurity(host: String?, mayBeFramed: Bool) -> String {
        let sockets = host.flatMap { isPlain($0) ? " ws://\($0) wss://\($0)" : nil } ?? ""
        return [
            "default-src 'self'", "connect-src 'self'\(sockets)", "img-src 'self' data: blob:",
            "media-src 'self' blob:", "object-src 'none'", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors \(mayBeFramed ? "*" : "'none'")", "require-trusted-types-for 'script'",
            "trusted-types default",
        ].joined(separator: "; ")
    }

    /// Whether a host can stand in a policy without ending it: letters, digits and `.-:[]`.
    static func isPlain(_ host: String) -> Bool {
        host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// A host may speak and share a tab's sound; the page needs nothing else of the device.
    private static let permissions = [
        "autoplay=(self)", "microphone=(self)", "display-capture=(self)", "clipboard-write=(self)",
        "screen-wake-lock=(self)", "fullscreen=(self)", "camera=()", "geolocation=()",
        "payment=()", "usb=()", "serial=()", "midi=()", "browsing-topics=()",
    ].joined(separator: ", ")
}
