internal import Glibc
package import SonaAudio
package import SonaWire

/// Turns the packets of a room into pieces of sound with their times.
///
/// Confined to the reader of the connection. Every packet is decoded in order of arrival, because the decoder needs it,
/// even one that must not be heard: PREROLL, sound before an epoch's `start_us`, and sound that came too late.
///
/// Source: Protocol/spec/audio.md, "Stream", "AUDIO_DN", "Flags".
package final class StreamDecoder {
    private let decoder: OpusDecoder
    /// The epochs heard of, newest last. Packets of one are on their way while the next is announced.
    private var announced: [StreamInfo] = []
    private var epoch: UInt16?
    /// Whether each epoch is made as loud as it says.
    private let isLevelled: Bool
    /// Packets that were not Opus, or contradicted their header. The protocol treats them as lost.
    package private(set) var undecodable = 0

    /// - Parameter isLevelled: Whether the gain of each epoch is applied.
    /// - Throws: `.codec` if libopus refuses.
    package init(isLevelled: Bool = true) throws(AudioError) {
        self.isLevelled = isLevelled
        decoder = try OpusDecoder(channels: 2)
    }

    /// Says what an epoch is. To be called before its packets: with the snapshot and at each `stream.started`.
    package func announce(_ stream: StreamInfo) {
        announced.removeAll { $0.epoch == stream.epoch }
        announced.append(stream)
        if announced.count > 8 { announced.removeFirst() }
    }

    /// Takes a packet, in the order of the sequence numbers and none twice.
    ///
    /// - Returns: Its sound; nil if none of it is to be heard, or it is no Opus packet.
    package func take(_ packet: AudioPacket) -> SoundPiece? {
        let header = packet.header
        let stream = announced.last { $0.epoch == header.epoch }
        let isOther = epoch != nil && epoch != header.epoch && !(stream?.continues ?? false)
        if header.flags.contains(.discontinuity) || isOther { decoder.reset() }
        epoch = header.epoch
        guard var samples = try? decoder.decode(packet.bytes), samples.count >= 2 * Int(header.samples) else {
            undecodable += 1
            return nil
        }
        samples.removeLast(samples.count - 2 * Int(header.samples))
        let start = stream?.startMicroseconds
        let skipped = header.skippedSamples(before: start)
        guard skipped < header.samples else { return nil }
        samples.removeFirst(2 * skipped)
        if isLevelled, let gain = stream?.gain {
            let factor = Float(pow(10, Double(gain) / 2000))
            for index in samples.indices { samples[index] *= factor }
        }
        let begins = skipped > 0 || header.playAtMicroseconds == start
        // The samples left after the pre-skip sound at the start itself; counting up to it would round once more.
        let time = skipped > 0 ? start ?? header.playAtMicroseconds : header.playAtMicroseconds
        return SoundPiece(
            time: time, samples: samples, isBeginning: begins && stream?.continues == false,
            isEnd: header.flags.contains(.last))
    }
}

extension AudioDown {
    /// Samples at the front of the packet's sound that must not be heard; all of them if the packet is for decoding
    /// only.
    ///
    /// - Parameter start: `start_us` of its epoch, as far as that is known.
    func skippedSamples(before start: Int64?) -> Int {
        let all = Int(samples)
        guard !flags.contains(.preroll) else { return all }
        guard let start else { return 0 }
        let (early, overflow) = start.subtractingReportingOverflow(playAtMicroseconds)
        guard !overflow, early > 0 else { return overflow && start > 0 ? all : 0 }
        // Times are rounded to microseconds, samples are not: the nearest one is meant.
        let (product, isFar) = early.multipliedReportingOverflow(by: 48)
        return isFar ? all : min(all, Int(clamping: (product + 500) / 1000))
    }
}
