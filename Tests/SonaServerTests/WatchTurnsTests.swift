import Testing

@testable import SonaServer

struct WatchTurnsTests {
    private var turns = WatchTurns()

    @Test mutating func `the request asked last counts, whichever is done last`() {
        #expect(!turns.mayWatch)
        let (first, second) = (turns.next(), turns.next())
        #expect(turns.mayWatch && turns.watched == nil)
        let isCounted = turns.settle(second, isWatched: false)
        let isFirstCounted = turns.settle(first, isWatched: true)
        #expect(isCounted && !isFirstCounted)
        #expect(turns.watched == nil && !turns.mayWatch)
    }

    @Test mutating func `a request that is never done leaves what is watched`() {
        let first = turns.next()
        _ = turns.next()
        let isCounted = turns.settle(first, isWatched: true)
        #expect(isCounted && turns.watched == first && turns.mayWatch)
    }

    @Test mutating func `behind an end counts what is asked later`() {
        let first = turns.next()
        let ended = turns.end()
        let isFirstCounted = turns.settle(first, isWatched: true)
        #expect(ended == first && !isFirstCounted && !turns.mayWatch)
        let second = turns.next()
        let isCounted = turns.settle(second, isWatched: true)
        #expect(isCounted && turns.watched == second)
    }
}
