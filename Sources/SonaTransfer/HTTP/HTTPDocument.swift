internal import CCurl
internal import Glibc

/// A small document fetched over HTTP: keys, metadata.
public struct HTTPDocument: Sendable, Equatable {
    /// The final answer's status. Any is a success here: a 404 is an answer too.
    public let status: Int
    /// The body of the final answer, at most `TransferLimits.bodyBytesMax` bytes.
    public let body: [UInt8]
    /// Seconds that the document may be kept, 0 for "ask again each time", `nil` if the server does not say.
    public let maxAgeSeconds: Int?
    /// The `Content-Type` header of the final answer, as sent; `nil` if there was none.
    public let contentType: String?

    /// Redirects followed at most.
    public static let redirectsMax = 3

    /// Fetches `url` with GET.
    ///
    /// On a thread of this module's; two fetches run side by side and some wait. No proxy is used, whatever the
    /// environment says. Redirects are followed to http and https only, and from https to https only.
    ///
    /// - Parameter url: An http or https URL without user and password.
    /// - Throws: `badInput`, `busy`, `cancelled`, `timedOut`, `unreachable`, `nobodyListens`, `insecure`, `tooLarge`,
    ///   `badRedirect`, `brokenAnswer`, `system`.
    ///
    /// ```swift
    /// let keys = try await HTTPDocument.get("https://www.example.org/keys.json", limits: TransferLimits())
    /// ```
    public static func get(
        _ url: String, limits: TransferLimits = TransferLimits()
    ) async throws(TransferError) -> HTTPDocument {
        try await get(url, limits: limits, authorities: nil)
    }

    /// - Parameter authorities: A PEM file of certificates to trust beside the system's, for tests.
    static func get(
        _ url: String, limits: TransferLimits, authorities: String?
    ) async throws(TransferError) -> HTTPDocument {
        let first = try TransferURL(url, schemes: ["http", "https"])
        return try await TransferWorkers.documents.run(within: limits.total) { control throws(TransferError) in
            let flow = TransferFlow(control: control, bodyBytesMax: limits.bodyBytesMax)
            let transfer = try CurlTransfer(flow, protocols: "http,https", limits: limits, control: control)
            if let authorities { try transfer.set(CURLOPT_CAINFO, authorities) }
            return try fetch(first, transfer, flow)
        }
    }

    /// Redirects are followed here and not by libcurl, which cannot be told to stay with https once it is there.
    private static func fetch(
        _ first: TransferURL, _ transfer: CurlTransfer, _ flow: TransferFlow
    ) throws(TransferError) -> HTTPDocument {
        var url = first
        for _ in 0...redirectsMax {
            flow.startAnew()
            try transfer.set(CURLOPT_URL, url.text)
            let result = try transfer.perform()
            guard result == CURLE_OK else { throw TransferError(result, with: url.host, transfer) }
            let status = transfer.number(CURLINFO_RESPONSE_CODE)
            guard [301, 302, 303, 307, 308].contains(status), let next = transfer.text(CURLINFO_REDIRECT_URL) else {
                return HTTPDocument(
                    status: status, body: flow.body,
                    maxAgeSeconds: Freshness.seconds(of: flow.head, now: time(nil)),
                    contentType: transfer.text(CURLINFO_CONTENT_TYPE))
            }
            url = try follow(next, from: url)
        }
        throw TransferError(.badRedirect, "\(first.host) redirects more than \(redirectsMax) times")
    }

    private static func follow(_ next: String, from url: TransferURL) throws(TransferError) -> TransferURL {
        do throws(TransferError) {
            return try TransferURL(next, schemes: url.scheme == "https" ? ["https"] : ["http", "https"])
        } catch {
            throw TransferError(.badRedirect, "\(url.host) redirects to where we do not go: \(error.detail)")
        }
    }
}
