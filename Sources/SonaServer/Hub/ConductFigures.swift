internal import SonaWire

/// Binary messages that were refused, by why. What has not the form of its type is counted with malformed messages.
enum RefusedFrame: String, CaseIterable, Sendable {
    /// From a connection that is not the host.
    case notHost = "not_host"
    /// Of an epoch that is over, or was never begun.
    case wrongEpoch = "wrong_epoch"
    /// Farther ahead than is kept.
    case tooFast = "too_fast"
    /// Not a packet of Opus, or not of the length it says.
    case malformedAudio = "malformed_audio"
    /// A position sooner after the last than positions are taken.
    case hasty
    /// A time probe beyond those that are answered.
    case probe

    /// - Returns: `nil` for what is counted elsewhere.
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

/// Why a connection was closed for what it sent.
enum ConductEnd: String, CaseIterable, Sendable {
    /// Messages that could not be understood: 4400. The others are 4429.
    case malformed
    case requests
    case frames
    /// Too many bytes of text.
    case text
}

/// What was refused, and which ends that came to. Of a loop, or of all sessions.
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
