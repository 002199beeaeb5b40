internal import SonaWire

/// Requests of others that wait for the host to act on them.
final class HostCommands {
    private var waiting: [Int64: (Result<PlaybackResult, WireError>) -> Void] = [:]
    private var last: Int64 = 0

    /// - Returns: The number under which the host answers.
    func add(_ completion: @escaping (Result<PlaybackResult, WireError>) -> Void) -> Int64 {
        last += 1
        waiting[last] = completion
        return last
    }

    /// Answers a request; nothing happens if it was answered already.
    func complete(_ number: Int64, _ result: Result<PlaybackResult, WireError>) {
        waiting.removeValue(forKey: number)?(result)
    }

    func failAll(_ error: WireError) {
        let all = waiting
        waiting = [:]
        for completion in all.values { completion(.failure(error)) }
    }
}
