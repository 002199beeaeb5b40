internal import SonaWire

/// Requests of other members that wait for the host to act on them.
final class HostCommands {
    private var waiting: [Int64: (Result<PlaybackResult, WireError>) -> Void] = [:]
    private var last: Int64 = 0

    /// - Returns: The number by which the host's answer names the request.
    func add(_ completion: @escaping (Result<PlaybackResult, WireError>) -> Void) -> Int64 {
        last += 1
        waiting[last] = completion
        return last
    }

    /// Completes a request; has no effect if it was completed already.
    func complete(_ number: Int64, _ result: Result<PlaybackResult, WireError>) {
        waiting.removeValue(forKey: number)?(result)
    }

    func failAll(_ error: WireError) {
        let all = waiting
        waiting = [:]
        for completion in all.values { completion(.failure(error)) }
    }
}
