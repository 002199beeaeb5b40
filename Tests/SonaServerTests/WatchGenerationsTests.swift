import Testing

@testable import SonaServer

struct WatchGenerationsTests {
    private var generations = WatchGenerations()

    @Test mutating func `the request begun last counts, whichever is done last`() {
        #expect(!generations.mayWatch)
        let (first, second) = (generations.next(), generations.next())
        #expect(generations.mayWatch && generations.watched == nil)
        let isCounted = generations.settle(second, isWatched: false)
        let isFirstCounted = generations.settle(first, isWatched: true)
        #expect(isCounted && !isFirstCounted)
        #expect(generations.watched == nil && !generations.mayWatch)
    }

    @Test mutating func `a request that is never done leaves the watched list`() {
        let first = generations.next()
        _ = generations.next()
        let isCounted = generations.settle(first, isWatched: true)
        #expect(isCounted && generations.watched == first && generations.mayWatch)
    }

    @Test mutating func `after an end only later requests count`() {
        let first = generations.next()
        let ended = generations.end()
        let isFirstCounted = generations.settle(first, isWatched: true)
        #expect(ended == first && !isFirstCounted && !generations.mayWatch)
        let second = generations.next()
        let isCounted = generations.settle(second, isWatched: true)
        #expect(isCounted && generations.watched == second)
    }
}
