import Glibc
import Synchronization
import Testing

@testable import SonaTransfer

@Suite(.timeLimit(.minutes(1))) struct TransferWorkersTests {
    /// Keeps a worker's thread until it is opened or the transfer is to end.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)
        private let waiting = Mutex(0)

        func open() { isOpen.withLock { $0 = true } }

        func wait(_ control: TransferControl) throws(TransferError) {
            waiting.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) {
                try control.check()
                usleep(1_000)
            }
        }

        func reached(_ count: Int) async throws {
            while waiting.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func start(
        _ workers: TransferWorkers, _ gate: Gate, within limit: Duration = .seconds(3_600)
    ) -> Task<Result<Int, TransferError>, Never> {
        Task {
            do throws(TransferError) {
                return .success(
                    try await workers.run(within: limit) { control throws(TransferError) in
                        try gate.wait(control)
                        return 7
                    })
            } catch {
                return .failure(error)
            }
        }
    }

    private func code(_ task: Task<Result<Int, TransferError>, Never>) async -> TransferError.Code? {
        if case .failure(let error) = await task.value { error.code } else { nil }
    }

    @Test func `as many run as there are threads, as many wait as the queue holds, one more is refused`() async throws {
        let workers = TransferWorkers("test", threadsMax: 2, queueMax: 3)
        let gate = Gate()
        let running = [start(workers, gate), start(workers, gate)]
        try await gate.reached(2)
        let waiting = (1...3).map { _ in start(workers, gate) }
        while workers.waiting < 3 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(await code(start(workers, gate)) == .busy)
        gate.open()
        for task in running + waiting { #expect(try await task.value.get() == 7) }
        #expect(try await start(workers, gate).value.get() == 7)
    }

    @Test func `a waiting transfer ends at once when cancelled or timed out`() async throws {
        let workers = TransferWorkers("test", threadsMax: 1, queueMax: 2)
        let gate = Gate()
        let running = start(workers, gate)
        try await gate.reached(1)
        let cancelled = start(workers, gate)
        while workers.waiting < 1 { try await Task.sleep(for: .milliseconds(1)) }
        cancelled.cancel()
        #expect(await code(cancelled) == .cancelled)
        #expect(await code(start(workers, gate, within: .milliseconds(20))) == .timedOut)
        #expect(workers.waiting == 0)
        gate.open()
        #expect(try await running.value.get() == 7)
    }

    @Test func `a task that is cancelled already starts nothing`() async throws {
        let workers = TransferWorkers("test")
        let task = Task {
            try? await Task.sleep(for: .seconds(3_600))
            return try await workers.run(within: .seconds(5)) { _ throws(TransferError) in 7 }
        }
        task.cancel()
        let error = await #expect(throws: TransferError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `cancelling wakes the waiting thread, whichever comes first`() throws {
        let early = TransferControl(deadline: .now + .seconds(60))
        early.cancel()
        try early.whileWaiting { event throws(TransferError) in #expect(isReadable(event)) }
        let late = TransferControl(deadline: .now + .seconds(60))
        try late.whileWaiting { event throws(TransferError) in
            #expect(!isReadable(event))
            late.cancel()
            #expect(isReadable(event))
        }
        late.cancel()
        let error = #expect(throws: TransferError.self) { try late.check() }
        #expect(error?.code == .cancelled)
    }

    private func isReadable(_ file: Int32) -> Bool {
        var files = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&files, 1, 0) == 1
    }
}
