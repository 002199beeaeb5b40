/// The addresses at which the codes of mails are used: pages of this server.
///
/// The code follows `#`, a part that browsers send to no server.
struct AccountLinks: Sendable {
    /// Without a slash at the end; `nil` if the public address of this server is not configured.
    private let base: String?

    init(publicAddress: String?) {
        base = publicAddress.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    var home: String? { base.map { "\($0)/" } }
    var signIn: String? { base.map { "\($0)/sign-in" } }
    func recovery(_ code: String) -> String? { base.map { "\($0)/account/recover#\(code)" } }
    func setup(_ code: String) -> String? { base.map { "\($0)/setup#\(code)" } }
    func confirmation(_ code: String) -> String? { base.map { "\($0)/account/confirm#\(code)" } }
}
