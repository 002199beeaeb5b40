import SonaWire
import Testing

@testable import SonaServer

/// The limits on how often a user may write, to the microsecond.
@Suite struct ChatRateLimiterTests {
    private static let second: Int64 = 1_000_000
    private let fay = UserID("fay")!
    private let gil = UserID("gil")!

    /// - Returns: The code and the wait of a refusal; `nil` if the message was admitted.
    private func refusal(
        _ limiter: inout ChatRateLimiter, _ uid: UserID, slowModeSeconds: Int = 0, now: Int64
    ) -> (code: ErrorCode, milliseconds: Int?)? {
        do throws(WireError) {
            try limiter.admit(uid, slowModeSeconds: slowModeSeconds, now: now)
            return nil
        } catch { return (error.code, error.retryAfterMilliseconds) }
    }

    @Test func `a user writes five times in ten seconds, and a sixth time when the first is ten seconds old`() {
        var limiter = ChatRateLimiter()
        for number in 0..<5 as Range<Int64> {
            #expect(refusal(&limiter, fay, now: number * Self.second) == nil, "message \(number)")
        }
        let sixth = refusal(&limiter, fay, now: 5 * Self.second)
        #expect(sixth?.code == .chatRateLimited)
        // The first was at 0: five seconds are left, and a millisecond is added so that they have certainly passed.
        #expect(sixth?.milliseconds == 5_001)
        #expect(refusal(&limiter, fay, now: 10 * Self.second - 1)?.code == .chatRateLimited)
        #expect(refusal(&limiter, fay, now: 10 * Self.second) == nil)
        #expect(refusal(&limiter, fay, now: 10 * Self.second)?.code == .chatRateLimited, "the second is 9 s old")
        #expect(refusal(&limiter, fay, now: 11 * Self.second) == nil)
    }

    @Test func `a refused message is not counted`() {
        var limiter = ChatRateLimiter()
        for _ in 0..<5 { #expect(refusal(&limiter, fay, now: 0) == nil) }
        for step in 1...100 as ClosedRange<Int64> { #expect(refusal(&limiter, fay, now: step) != nil) }
        for _ in 0..<5 { #expect(refusal(&limiter, fay, now: 10 * Self.second) == nil) }
    }

    @Test func `one user's messages take nothing from another's limit`() {
        var limiter = ChatRateLimiter()
        for _ in 0..<5 { #expect(refusal(&limiter, fay, now: 0) == nil) }
        #expect(refusal(&limiter, fay, now: 0) != nil)
        for _ in 0..<5 { #expect(refusal(&limiter, gil, now: 0) == nil) }
    }

    @Test func `in slow mode a user waits the set time after their last message`() {
        var limiter = ChatRateLimiter()
        #expect(refusal(&limiter, fay, slowModeSeconds: 30, now: 0) == nil)
        let early = refusal(&limiter, fay, slowModeSeconds: 30, now: 20 * Self.second)
        #expect(early?.code == .chatSlowMode && early?.milliseconds == 10_001)
        #expect(refusal(&limiter, fay, slowModeSeconds: 30, now: 30 * Self.second - 1)?.code == .chatSlowMode)
        #expect(refusal(&limiter, fay, slowModeSeconds: 30, now: 30 * Self.second) == nil)
    }

    @Test func `slow mode of less than two seconds does not lift the limit of five`() {
        var limiter = ChatRateLimiter()
        for number in 0..<5 as Range<Int64> {
            #expect(refusal(&limiter, fay, slowModeSeconds: 1, now: number * Self.second) == nil)
        }
        #expect(refusal(&limiter, fay, slowModeSeconds: 1, now: 5 * Self.second)?.code == .chatRateLimited)
    }

    @Test func `a longer slow mode counts messages from before it was set`() {
        var limiter = ChatRateLimiter()
        #expect(refusal(&limiter, fay, now: 0) == nil)
        #expect(refusal(&limiter, fay, slowModeSeconds: 3_600, now: 9 * Self.second)?.code == .chatSlowMode)
    }

    @Test func `only people who were silent for the whole window are forgotten`() {
        var limiter = ChatRateLimiter()
        for _ in 0..<5 { #expect(refusal(&limiter, fay, now: 9 * Self.second) == nil) }
        for number in 0..<2_000 { #expect(refusal(&limiter, UserID("u\(number)")!, now: 10 * Self.second) == nil) }
        #expect(refusal(&limiter, fay, now: 19 * Self.second - 1)?.code == .chatRateLimited)
    }
}
