import Synchronization
import Testing

@testable import SonaServer

/// The end of the server waits for writes that no request waits for.
@Suite struct UnansweredWritesTests {
    @Test func `the end comes at once if no write is under way`() async {
        let begin = ContinuousClock.now
        #expect(await UnansweredWrites().end(within: .seconds(60)) == 0)
        #expect(ContinuousClock.now - begin < .seconds(30))
    }

    @Test func `the end waits for every write that was begun`() async {
        let writes = UnansweredWrites()
        let written = Mutex(0)
        let (gate, opens) = AsyncStream<Void>.makeStream()
        for _ in 0..<20 {
            writes.run {
                for await _ in gate { break }
                written.withLock { $0 += 1 }
            }
        }
        async let left = writes.end(within: .seconds(60))
        opens.finish()
        #expect(await left == 0)
        #expect(written.withLock { $0 } == 20)
    }

    @Test func `a write that does not end is given up after the patience, and counted`() async {
        let writes = UnansweredWrites()
        let (gate, opens) = AsyncStream<Void>.makeStream()
        for _ in 0..<2 { writes.run { for await _ in gate { break } } }
        writes.run {}
        #expect(await writes.end(within: .milliseconds(200)) == 2)
        opens.finish()
        #expect(await writes.end(within: .seconds(60)) == 0)
    }
}
