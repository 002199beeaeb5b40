internal import SonaRooms
internal import SonaWire

/// When people of a room wrote last: so many messages in a while, and in slow mode one at a time.
struct ChatRateLimiter {
    /// Times of a person's messages within the last window, µs, oldest first.
    private var times: [UserID: [Int64]] = [:]

    private static let windowMicroseconds: Int64 = 10_000_000
    private static let messagesMax = 5

    /// - Parameter slowModeSeconds: 0 for none.
    /// - Throws: `chat.slow_mode`, `chat.rate_limited`.
    mutating func admit(_ uid: UserID, slowModeSeconds: Int, now: Int64) throws(WireError) {
        let slow = Int64(slowModeSeconds) * 1_000_000
        let kept = max(Self.windowMicroseconds, slow)
        // People who were silent since need not be remembered.
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
    /// Somebody wants to write.
    ///
    /// - Throws: `chat.slow_mode`, of which moderators are free; `chat.rate_limited`.
    func admitMessage(from user: User, now: Int64) throws(WireError) {
        let isFree = room.capabilities(of: user).contains(.moderate)
        try chatLimiter.admit(user.uid, slowModeSeconds: isFree ? 0 : room.settings.slowModeSeconds, now: now)
    }
}
