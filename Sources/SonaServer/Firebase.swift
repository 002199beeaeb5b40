internal import SonaModel
internal import SonaTransfer

extension FirebaseTokens {
    /// - Parameter log: Told each time that keys cannot be fetched.
    init(
        project: String, keys configuredKeys: String?, clock: WallClock, log: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        let tell = { @Sendable (error: any Error) in log("Firebase's keys can't be loaded: \(error)") }
        let keys: FirebaseKeys
        let source = configuredKeys ?? FirebaseKeys.googleAddress
        if source.hasPrefix("http://"), !Self.isOnThisMachine(source) {
            throw .configuration("Over plain HTTP, whoever is on the way could sign in as anybody: \(source)")
        }
        if source.hasPrefix("http://") || source.hasPrefix("https://") {
            keys = FirebaseKeys(address: source, clock: clock, log: tell) { address in
                let limits = TransferLimits(connect: .seconds(5), total: .seconds(15), bodyBytesMax: 256 << 10)
                let document = try await HTTPDocument.get(address, limits: limits)
                guard document.status == 200 else {
                    throw TransferError(.refused, "The answer's status is \(document.status)")
                }
                return (document.body, document.maxAgeSeconds)
            }
        } else {
            keys = FirebaseKeys(file: source, clock: clock, log: tell)
        }
        guard let tokens = FirebaseTokens(project: project, keys: keys, clock: clock) else {
            throw .configuration("\"\(project)\" is not the ID of a Firebase project")
        }
        self = tokens
    }

    private static func isOnThisMachine(_ address: String) -> Bool {
        let rest = address.dropFirst("http://".count)
        let host = rest.prefix { $0 != "/" && $0 != ":" }
        return host == "127.0.0.1" || host == "localhost" || rest.hasPrefix("[::1]")
    }
}
