/// The codings that a client accepts.
///
/// Source: RFC 9110 §12.5.3 (Accept-Encoding), §12.4.2 (quality values).
struct AcceptEncoding {
    /// By coding, in lower case; quality in thousandths.
    private var qualities: [String: Int] = [:]

    /// - Parameter header: `nil` if the request has none. Malformed elements are ignored.
    init(_ header: String?) {
        for element in (header ?? "").split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let coding = parts.first, !coding.isEmpty else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Self.thousandths($0.dropFirst(2)) }
            qualities[coding == "x-gzip" ? "gzip" : coding] = quality ?? 1000
        }
    }

    /// Whether gzip is accepted, and not preferred less than the plain bytes.
    var prefersGzip: Bool {
        guard let gzip = qualities["gzip"] ?? qualities["*"], gzip > 0 else { return false }
        return gzip >= qualities["identity"] ?? 0
    }

    /// `0.75` in thousandths; 0 for an invalid quality.
    private static func thousandths(_ text: some StringProtocol) -> Int {
        guard let value = Double(String(text)), value >= 0, value <= 1 else { return 0 }
        return Int(value * 1000)
    }
}
