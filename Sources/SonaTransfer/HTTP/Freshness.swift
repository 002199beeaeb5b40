internal import CCurl
internal import Glibc

/// How long an answer may be used without asking again, for a cache that serves one program.
///
/// Source: RFC 9111, sections 4.2.1 (lifetime), 4.2.3 (age), 5.2.2 (directives) and 5.3 (Expires).
enum Freshness {
    /// - Parameter now: Seconds since 1970, for an answer without a Date.
    /// - Returns: Whole seconds, 0 for an answer that is stale already or must not be kept, `nil` if the server does
    ///   not say.
    static func seconds(of head: ResponseHead, now: Int) -> Int? {
        let directives = directives(of: head)
        if directives.contains(where: { $0.name == "no-store" || $0.name == "no-cache" }) { return 0 }
        guard let lifetime = maxAge(directives) ?? expiry(head, now: now) else { return nil }
        return max(0, lifetime - age(head))
    }

    private static func maxAge(_ directives: [(name: String, value: String)]) -> Int? {
        // The shortest time of contradictory directives counts. One that is not a number means stale (section 4.2.1).
        directives.filter { $0.name == "max-age" }.map { deltaSeconds($0.value) ?? 0 }.min()
    }

    private static func expiry(_ head: ResponseHead, now: Int) -> Int? {
        guard let expires = head.values(of: "expires").first else { return nil }
        guard let end = time(expires) else { return 0 }
        let start = head.values(of: "date").first.flatMap(time) ?? now
        return max(0, min(deltaMax, end - start))
    }

    private static func age(_ head: ResponseHead) -> Int {
        head.values(of: "age").first.flatMap(deltaSeconds) ?? 0
    }

    /// `name` or `name=value` or `name="value"`; no directive of ours has a comma in its value.
    private static func directives(of head: ResponseHead) -> [(name: String, value: String)] {
        head.values(of: "cache-control").flatMap { $0.split(separator: ",") }.map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count == 2 ? sides[1].filter { $0 != " " && $0 != "\t" } : ""
            let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
            return (
                sides[0].filter { $0 != " " && $0 != "\t" }.lowercased(),
                isQuoted ? String(value.dropFirst().dropLast()) : value
            )
        }
    }

    /// Longer than any number we count with is 2^31 (section 1.2.2).
    private static let deltaMax = 1 << 31

    private static func deltaSeconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return min(deltaMax, Int(text) ?? deltaMax)
    }

    /// Each of the three forms of RFC 9110, section 5.6.7, has a clock time; libcurl would take less.
    private static func time(_ text: String) -> Int? {
        guard text.contains(":"), !text.utf8.contains(0) else { return nil }
        let time = curl_getdate(text, nil)
        return time == -1 ? nil : time
    }
}
