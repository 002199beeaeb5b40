internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// `addresses.*`: bans of network addresses, by administrators and the operator.
struct AddressMethods: MethodArea {
    let model: Model
    let banned: BannedAddresses
    let shard: Shard

    static func area(of methods: Methods) -> AddressMethods { methods.addresses }

    static var methods: [Method] { [signedIn(list), signedIn(ban), signedIn(unban)] }

    /// A wider range would shut out whole countries by a slip of the pen.
    static let bitsMin = (ipv4: 8, ipv6: 16)

    /// - Parameter asker: `nil` for the operator, here and below.
    func list(_ request: AddressesList, _ asker: Asker?) async throws -> AddressBanResult {
        AddressBanResult(bans: try await model.addressBans.list())
    }

    func ban(_ request: AddressesBan, _ asker: Asker?) async throws -> AddressBanResult {
        let ranges = try await ranges(request)
        if let uid = asker?.uid, case let own = await shard.addresses(of: uid),
            ranges.contains(where: { $0.holds(own) })
        {
            throw WireError(.requestInvalid, "You are at such an address yourself.", field: "data.range")
        }
        let (made, current) = try await model.addressBans.ban(
            ranges.map(\.canonical), seconds: request.seconds, reason: request.reason, by: asker?.account)
        banned.replace(current)
        await shard.perform { $0.expelBanned() }
        return AddressBanResult(bans: made)
    }

    func unban(_ request: AddressesUnban, _ asker: Asker?) async throws -> Empty {
        banned.replace(
            try await model.addressBans.unban(Self.canonical(request.range), by: asker?.account))
        return Empty()
    }

    /// A range that may be banned.
    ///
    /// - Throws: `request.invalid`.
    static func range(_ text: String) throws(WireError) -> AddressRange {
        guard let range = AddressRange(text) else {
            throw WireError(.requestInvalid, "This is not an address or a range of them.", field: "data.range")
        }
        guard range.commonBits >= (range.isIPv6 ? bitsMin.ipv6 : bitsMin.ipv4) else {
            throw WireError(
                .requestInvalid, "A range has at least /\(bitsMin.ipv4) or, of IPv6, /\(bitsMin.ipv6).",
                field: "data.range")
        }
        return range
    }

    /// The one form of a range. What was banned once can be lifted, whatever may be banned today.
    static func canonical(_ text: String) -> String { AddressRange(text)?.canonical ?? text }

    private func ranges(_ request: AddressesBan) async throws -> [AddressRange] {
        switch (request.range, request.user) {
        case (let text?, nil): return [try Self.range(text)]
        case (nil, let uid?):
            // An IPv6 address counts with its network, as for every limit.
            let ranges = await shard.addresses(of: uid).compactMap { AddressRange(RemoteAddress(text: $0).group) }
            guard !ranges.isEmpty else { throw WireError(.userNotFound, "This user is not connected.") }
            return ranges
        default: throw WireError(.requestInvalid, "Name either a range or a user.", field: "data.range")
        }
    }
}

extension AddressRange {
    /// Whether one of the addresses is in the range.
    fileprivate func holds(_ addresses: Set<String>) -> Bool {
        addresses.contains { contains(RemoteAddress(text: $0)) }
    }
}

extension Shard {
    /// The network addresses of a user's or guest's connections.
    fileprivate func addresses(of uid: UserID) async -> Set<String> { perform { $0.addresses(of: uid) } }
}
