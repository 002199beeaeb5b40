/// Where the codes of mails are taken: pages of this server.
///
/// The code stands behind `#`, which browsers send to nobody.
struct AccountLinks: Sendable {
    /// Without a slash at the end; `nil` if nobody has said where people reach this server.
    private let base: String?

    init(publicAddress: String?) {
        base = publicAddress.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    func recovery(_ code: String) -> String? { base.map { "\($0)/account/recover#\(code)" } }
    func confirmation(_ code: String) -> String? { base.map { "\($0)/account/confirm#\(code)" } }
}
