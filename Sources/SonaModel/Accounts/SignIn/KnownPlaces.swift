internal import SonaBase
internal import SonaWire

/// From which networks each account was signed in, or stayed signed in, lately: whoever guesses does so from elsewhere.
///
/// In memory, as hashes that are worth nothing elsewhere; a client that stays signed in is known again within minutes of
/// a restart. At most `placesMax`; past that, the tenth that was seen longest ago is forgotten.
final class KnownPlaces: Sendable {
    static let placesMax = 100_000
    static let forgetMilliseconds: Int64 = 30 * 86_400_000

    private let seen = Monitor<[Int: Int64]>([:])

    /// - Parameter address: As `ClientNetwork` takes it; `nil` is no place.
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

    func contains(_ uid: UserID, _ address: String?, now: Int64) -> Bool {
        guard let place = Self.place(uid, address) else { return false }
        return seen.withLock { seen in
            guard let time = seen[place] else { return false }
            return abs(now - time) <= Self.forgetMilliseconds
        }
    }

    /// Swift's hash, which is keyed anew in each process: 64 bits, so that one of ten billion strangers is taken for
    /// somebody known.
    private static func place(_ uid: UserID, _ address: String?) -> Int? {
        guard let address else { return nil }
        var hasher = Hasher()
        hasher.combine(uid)
        hasher.combine(ClientNetwork.smallest(address))
        return hasher.finalize()
    }
}
