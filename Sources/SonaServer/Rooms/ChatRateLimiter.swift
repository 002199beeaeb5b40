internal import SonaRooms
internal import SonaWire

/// Limits how often people write in a room: a number of messages per window, and in slow mode one per interval.
struct ChatRateLimiter {
    /// Times of a person's messages within the last window, µs, oldest first.
    private var times: [UserID: [Int64]] = [:]

    private static let windowMicroseconds: Int64 = 10_000_000
    private static let messagesMax = 5

    /// - Parameter slowModeSeconds: 0: no slow mode.
    /// - Throws: `chat.slow_mode`, `chat.rate_limited`.
    mutating func admit(_ uid: UserID, slowModeSeconds: Int, now: Int64) throws(WireError) {
        let slow = Int64(slowModeSeconds) * 1_000_000
        let kept = max(Self.windowMicroseconds, slow)
        // Drops people who have been silent for the whole window, so that the table stays small.
        if times.count > 1_000 { times = times.filter { ($0.value.last ?? .min) > now - kept } }
        let mine = (times[uid] ?? []).filter { $0 > now - kept }
        if slow > 0, let last = mine.last, last > now - slow {
            throw WireError(.chatSlowMode, retryAfterMilliseconds: Int((last + slow - now) / 1_000) + 1)
        }
        let recent = mine.filter { $0 > now - Self.windowMicroseconds }
        if recent.count >= Self.messagesMax {
            let wait = recent[recent.count - Self.messagesMax] + Self.windowMicroseconds - now
            throw WireError(.chatRateLimited, retryAfterMilliseconds: Int(wait / 1_000) + 1)
        }
        times[uid] = (mine + [now]).suffix(Self.messagesMax)
    }
}

extension RoomHome {
    /// Decides whether a user may write now.
    ///
    /// - Throws: `chat.slow_mode`, never for moderators; `chat.rate_limited`.
    func admitMessage(from user: User, now: Int64) throws(WireError) {
        let isFree = room.capabilities(of: user).contains(.moderate)
        try chatLimiter.admit(user.uid, slowModeSeconds: isFree ? 0 : room.settings.slowModeSeconds, now: now)
    }
}
