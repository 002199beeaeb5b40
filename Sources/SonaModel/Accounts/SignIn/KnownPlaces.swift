internal import SonaBase
internal import SonaWire

/// The networks from which each account recently signed in or refreshed its tokens. Guessers come from other networks.
///
/// In memory, as hashes that are useless outside this process. After a restart a signed-in client is known again within
/// minutes. At most `placesMax`; beyond that, the tenth that was seen longest ago is forgotten.
final class KnownPlaces: Sendable {
    static let placesMax = 100_000
    static let forgetMilliseconds: Int64 = 30 * 86_400_000

    private let seen = Monitor<[Int: Int64]>([:])

    /// Notes that an account was used from a network.
    ///
    /// - Parameter address: An address in a form of `ClientNetwork`. `nil`: nothing is noted.
    func note(_ uid: UserID, _ address: String?, now: Int64) {
        guard let place = Self.place(uid, address) else { return }
        seen.withLock { seen in
            if seen[place] == nil, seen.count >= Self.placesMax {
                let bound = seen.values.sorted()[Self.placesMax / 10]
                seen = seen.filter { $0.value > bound }
            }
            seen[place] = now
        }
    }

    /// Whether the account was used from the network within `forgetMilliseconds`.
    func contains(_ uid: UserID, _ address: String?, now: Int64) -> Bool {
        guard let place = Self.place(uid, address) else { return false }
        return seen.withLock { seen in
            guard let time = seen[place] else { return false }
            return abs(now - time) <= Self.forgetMilliseconds
        }
    }

    /// Swift's hash of 64 bits, keyed anew in each process. About one of ten billion strangers is taken for a known
    /// user.
    private static func place(_ uid: UserID, _ address: String?) -> Int? {
        guard let address else { return nil }
        var hasher = Hasher()
        hasher.combine(uid)
        hasher.combine(ClientNetwork.smallest(address))
        return hasher.finalize()
    }
}
