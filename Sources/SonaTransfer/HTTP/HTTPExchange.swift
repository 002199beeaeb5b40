internal import CCurl
internal import Glibc

/// One request to a service whose address somebody else has named, and its answer.
///
/// Only http and https; no proxy, no cookies, no redirects, at most `answerBytesMax` bytes of answer. Unless
/// `mayBePrivate` is said, hosts of this machine and of private networks are refused, by the address that is connected to.
public struct HTTPExchange: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// As `address(_:)` gives it, and what is put after it.
    public var url: String
    /// `Name: value`; printable ASCII. They may hold secrets, which are in no error.
    public var headers: [String]
    /// The body; empty for none.
    public var body: [UInt8]
    /// Whether the host may be of this machine or of a private network.
    public var mayBePrivate: Bool

    /// An answer, whatever its status.
    public struct Answer: Sendable, Equatable {
        /// The status, 200 to 599.
        public let status: Int
        /// The body.
        public let body: [UInt8]
        /// Seconds after which the service wants to be asked again (`Retry-After`, and what ListenBrainz has for it); `nil`
        /// if it says nothing.
        public let retryAfterSeconds: Int?
    }

    /// Bytes of an answer that are read.
    public static let answerBytesMax = 1 << 18
    /// Bytes of an address.
    public static let addressBytes = 1...500

    /// - Parameter url: As `address(_:)` gives it, and what is put after it.
    public init(
        _ method: String, _ url: String, headers: [String] = [], body: [UInt8] = [], mayBePrivate: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.mayBePrivate = mayBePrivate
    }

    /// The address as it is used: http or https, no user, no query, no fragment, and no slash at its end.
    ///
    /// - Parameter mayHaveQuery: It is used whole, and may have a query.
    /// - Throws: `badInput`.
    public static func address(_ text: String, mayHaveQuery: Bool = false) throws(TransferError) -> String {
        guard addressBytes.contains(text.utf8.count), text.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            throw TransferError(.badInput, "An address has 1 to 500 bytes of printable ASCII")
        }
        var url = try TransferURL(text, schemes: ["http", "https"]).text
        if mayHaveQuery { return url }
        guard !url.contains("?"), !url.contains("#") else {
            throw TransferError(.badInput, "The address has no query and no fragment")
        }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// Sends the request and gives the answer, whatever its status.
    ///
    /// On a thread of this module's; four run side by side and some wait.
    ///
    /// - Throws: `forbiddenAddress`, and `badInput`, `busy`, `cancelled`, `timedOut`, `unreachable`, `nobodyListens`,
    ///   `insecure`, `tooLarge`, `brokenAnswer`, `system`.
    public func send(within limit: Duration = .seconds(15)) async throws(TransferError) -> Answer {
        guard headers.allSatisfy({ $0.utf8.allSatisfy { 32...126 ~= $0 } }) else {
            throw TransferError(.badInput, "A header is printable ASCII")
        }
        let target = try TransferURL(url, schemes: ["http", "https"])
        let limits = TransferLimits(connect: limit, total: limit, bodyBytesMax: Self.answerBytesMax)
        return try await TransferWorkers.services.run(within: limit) { control throws(TransferError) in
            let flow = TransferFlow(control: control, upload: body, bodyBytesMax: limits.bodyBytesMax)
            let transfer = try CurlTransfer(flow, protocols: "http,https", limits: limits, control: control)
            if !mayBePrivate { transfer.refusePrivateAddresses() }
            try transfer.set(CURLOPT_URL, target.text)
            if !body.isEmpty {
                try transfer.set(CURLOPT_POST, 1)
                try transfer.set(CURLOPT_POSTFIELDSIZE, body.count)
            }
            try transfer.set(CURLOPT_CUSTOMREQUEST, method)
            // Without "Expect:" libcurl waits a second for a 100 before it sends a long body.
            try transfer.set(CURLOPT_HTTPHEADER, headers + ["Expect:"])
            let result = try transfer.perform()
            guard result == CURLE_OK else { throw TransferError(result, with: target.host, transfer) }
            return Answer(
                status: transfer.number(CURLINFO_RESPONSE_CODE), body: flow.body,
                retryAfterSeconds: Self.retryAfter(flow.head))
        }
    }

    /// A number of seconds or a date (RFC 9110, section 10.2.3), at most a day.
    private static func retryAfter(_ head: ResponseHead) -> Int? {
        for name in ["retry-after", "x-ratelimit-reset-in"] {
            guard let value = head.values(of: name).first else { continue }
            if let seconds = Int(value) { return max(0, min(86_400, seconds)) }
            let date = curl_getdate(value, nil)
            if date != -1 { return max(0, min(86_400, date - time(nil))) }
        }
        return nil
    }
}
