import SonaBase
import Testing

struct MonitorTests {
    private struct Refusal: Error {}

    /// Goal: no change is lost between threads. Way: four threads count, each of them with a look before it writes.
    @Test func `changes by several threads add up`() {
        let state = Monitor((sum: 0, ended: 0))
        for _ in 0..<4 {
            let started = WorkerThread.start("count") {
                for _ in 0..<5_000 {
                    state.withLock { state in
                        let before = state.sum
                        state.sum = before + 1
                    }
                }
                state.notify { $0.ended += 1 }
            }
            #expect(started)
        }
        #expect(state.wait { $0.ended == 4 ? $0.sum : nil } == 20_000)
    }

    @Test func `an error releases the lock and keeps the changes made before it`() {
        let state = Monitor(0)
        #expect(throws: Refusal.self) {
            try state.withLock { state throws(Refusal) in
                state = 7
                throw Refusal()
            }
        }
        #expect(state.withLock { $0 } == 7)
    }

    @Test func `a waiting condition is checked again after each notify, and only then`() {
        let state = Monitor((turn: 0, asked: 0))
        let answer = Monitor<Int?>(nil)
        let started = WorkerThread.start("wait") {
            let asked = state.wait { state -> Int? in
                state.asked += 1
                return state.turn == 3 ? state.asked : nil
            }
            answer.notify { $0 = asked }
        }
        #expect(started)
        func waitUntilAsked(_ times: Int) {
            while state.withLock({ $0.asked }) < times { WorkerPause.short() }
        }
        waitUntilAsked(1)
        state.notifyIf { state in
            state.turn = 1
            return (false, ())
        }
        state.notify { $0.turn = 2 }
        waitUntilAsked(2)
        state.notifyIf { state in
            state.turn = 3
            return (true, ())
        }
        #expect(answer.wait { $0 } == 3)
    }

    @Test func `the state is released with the monitor`() {
        final class Held {}
        weak var seen: Held?
        do {
            let held = Held()
            seen = held
            let state = Monitor(held)
            #expect(state.withLock { $0 === held })
        }
        #expect(seen == nil)
    }
}
