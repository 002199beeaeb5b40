internal import SonaCrypto
internal import SonaModel
internal import SonaWire

/// Counts who listens to one broadcast, each once, and how many do at a time.
///
/// It keeps no names: a listener is known by a hash under a key that ends with the broadcast. 16 bytes for each. On the
/// loop; a step costs a hash, and only where somebody comes or goes.
///
/// Source: Protocol/spec/listening.md, "Audience".
struct AudienceDesk {
    /// The room's number of the broadcast.
    var broadcast: Int
    private(set) var audience: Audience
    private let salt: [UInt8]
    private let key: HMACKey
    private var seen: Set<ListenerMark>
    /// Whether it began here, and did not go on where a server had ended.
    let isNew: Bool
    /// Those who were not written yet.
    private var fresh: [ListenerMark] = []
    private(set) var count = 0
    /// When `count` was last added up, µs.
    private var since: Int64
    private var microseconds: Int64 = 0
    /// Who had the seat when listeners were last looked at.
    var host: UserID?

    /// - Parameters:
    ///   - now: µs of the monotonic clock.
    ///   - wall: Milliseconds since 1970.
    init(broadcast: Int, now: Int64, wall: Int64) {
        self.broadcast = broadcast
        isNew = true
        audience = Audience(fromMilliseconds: wall)
        salt = SecureRandom.bytes(32)
        key = HMACKey(salt)
        seen = []
        since = now
    }

    /// Goes on with what was stored when the server ended.
    init(_ stored: OpenAudience, broadcast: Int, now: Int64) {
        self.broadcast = broadcast
        isNew = false
        audience = stored.audience
        salt = stored.salt
        key = HMACKey(salt)
        seen = Set(stored.seen)
        since = now
    }

    /// Somebody listens. Counted once, however often they come.
    mutating func enter(_ user: User) { enter(user.uid.rawValue, isGuest: user.isGuest) }

    /// Somebody listens by HTTP, an account by its signed address, else whoever is at a network address; or a speaker.
    mutating func enter(_ listener: RadioAudience) {
        switch listener {
        case .account(let user): enter(user)
        case .address(let address): enter("http " + address, isGuest: true)
        case .speaker(let speaker): enter("speaker " + speaker, isGuest: true)
        }
    }

    private mutating func enter(_ name: String, isGuest: Bool) {
        let tag = key.tag(name.utf8)
        let mark = tag.withUnsafeBytes {
            ListenerMark(
                high: $0.loadUnaligned(as: Int64.self), low: $0.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        }
        guard seen.insert(mark).inserted else { return }
        fresh.append(mark)
        if isGuest { audience.guests += 1 } else { audience.accounts += 1 }
    }

    /// So many listen from now on.
    mutating func set(_ count: Int, now: Int64, wall: Int64) {
        addUp(now: now)
        self.count = count
        guard count > audience.peak else { return }
        audience.peak = count
        audience.peakMilliseconds = wall
    }

    private mutating func addUp(now: Int64) {
        microseconds += Int64(count) * max(0, now - since)
        since = max(since, now)
        audience.listenedMilliseconds += microseconds / 1_000
        microseconds %= 1_000
    }

    /// What is to be written.
    ///
    /// - Parameter isOver: The broadcast has ended.
    mutating func change(isOver: Bool, now: Int64, wall: Int64) -> AudienceChange {
        addUp(now: now)
        if isOver { audience.untilMilliseconds = max(wall, audience.fromMilliseconds) }
        defer { fresh = [] }
        return AudienceChange(audience: audience, salt: isOver ? nil : salt, fresh: fresh, atMilliseconds: wall)
    }
}
