internal import SonaWire

/// Reasons for which binary messages are refused. A message that does not fit its type is counted as malformed instead.
enum RefusedFrame: String, CaseIterable, Sendable {
    /// From a connection that is not the host.
    case notHost = "not_host"
    /// Its epoch is over, or was never begun.
    case wrongEpoch = "wrong_epoch"
    /// Farther ahead than the server keeps packets.
    case tooFast = "too_fast"
    /// Not an Opus packet, a packet whose header states another duration, or one that lies an hour or more ahead of the
    /// packet before.
    case malformedAudio = "malformed_audio"
    /// A position too soon after the one before.
    case hasty
    /// A time probe beyond those that are answered.
    case probe

    /// - Returns: `nil` for errors that are counted elsewhere.
    init?(_ code: ErrorCode) {
        switch code {
        case .hostNotHost: self = .notHost
        case .audioWrongEpoch: self = .wrongEpoch
        case .audioTooFast: self = .tooFast
        case .audioMalformed: self = .malformedAudio
        case .requestRateLimited: self = .hasty
        default: return nil
        }
    }
}

/// Reasons for which a connection is closed because of its messages.
enum ConductEnd: String, CaseIterable, Sendable {
    /// Messages that could not be understood: closed with 4400. The other reasons close with 4429.
    case malformed
    case requests
    case frames
    /// Too many bytes of text.
    case text
}

/// Numbers of refused frames and of connections closed for conduct. Of a loop, or of all sessions.
struct ConductFigures: Sendable {
    private(set) var refused: [RefusedFrame: UInt64] = [:]
    private(set) var ends: [ConductEnd: UInt64] = [:]

    mutating func count(_ frame: RefusedFrame) { refused[frame, default: 0] &+= 1 }
    mutating func count(_ end: ConductEnd) { ends[end, default: 0] &+= 1 }

    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.refused.merge(other.refused, uniquingKeysWith: &+)
        sum.ends.merge(other.ends, uniquingKeysWith: &+)
        return sum
    }
}
