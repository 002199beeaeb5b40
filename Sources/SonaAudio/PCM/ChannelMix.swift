/// Brings sound of any number of channels to one or two.
///
/// One channel stays one and two stay two, to the bit. More are mixed down in the usual way. Channels in the middle and
/// at the back go to both sides or to their own, 3 dB lower; the bass effects are left out. Then all is made quieter,
/// so that mixing clips nothing that was not clipped before.
///
/// Source: ITU-R BS.775-3, annex 4; the order of channels is that of WAV files.
public struct ChannelMix: Sendable {
    /// Channels of the samples that go in, 1 to 8.
    public let channels: Int
    /// 1 or 2.
    public let mixedChannels: Int
    private let left: [Float]
    private let right: [Float]

    /// - Parameter channels: 1 to 8.
    public init(channels: Int) {
        self.channels = channels
        mixedChannels = min(channels, 2)
        let sides = Self.layouts[min(max(channels, 1), 8) - 1]
        var left: [Float] = []
        var right: [Float] = []
        for place in sides {
            left.append(place.left)
            right.append(place.right)
        }
        let loudest = max(left.reduce(0, +), right.reduce(0, +), 1)
        self.left = left.map { $0 / loudest }
        self.right = right.map { $0 / loudest }
    }

    /// - Parameter frames: Whole frames, interleaved.
    public func mix(_ frames: [Float]) -> [Float] {
        guard channels > 2 else { return frames }
        var mixed: [Float] = []
        mixed.reserveCapacity(frames.count / channels * 2)
        for frame in stride(from: 0, to: frames.count - frames.count % channels, by: channels) {
            var (one, other): (Float, Float) = (0, 0)
            for channel in 0..<channels {
                one += left[channel] * frames[frame + channel]
                other += right[channel] * frames[frame + channel]
            }
            mixed.append(one)
            mixed.append(other)
        }
        return mixed
    }

    private struct Place: Sendable {
        var left: Float
        var right: Float

        static let left = Place(left: 1, right: 0)
        static let right = Place(left: 0, right: 1)
        static let middle = Place(left: 0.707_106_77, right: 0.707_106_77)
        static let behindLeft = Place(left: 0.707_106_77, right: 0)
        static let behindRight = Place(left: 0, right: 0.707_106_77)
        static let behind = Place(left: 0.5, right: 0.5)
        static let bass = Place(left: 0, right: 0)
    }

    private static let layouts: [[Place]] = [
        [.left], [.left, .right], [.left, .right, .middle], [.left, .right, .behindLeft, .behindRight],
        [.left, .right, .middle, .behindLeft, .behindRight],
        [.left, .right, .middle, .bass, .behindLeft, .behindRight],
        [.left, .right, .middle, .bass, .behind, .behindLeft, .behindRight],
        [.left, .right, .middle, .bass, .behindLeft, .behindRight, .behindLeft, .behindRight],
    ]
}
