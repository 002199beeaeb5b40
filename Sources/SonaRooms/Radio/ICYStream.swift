/// MP3 frames as one byte stream without an end, with ICY metadata between them for players that ask for it.
///
/// With metadata, the stream consists of blocks of `metaint` bytes of sound, which are whole frames, each followed by
/// metadata: a byte with its length in units of 16 bytes, and `StreamTitle='…';` where the title has changed. A listener
/// begins with a block, so that all of them are sent the same bytes.
///
/// Source: the convention of SHOUTcast, as Icecast's `format_mp3.c` writes it.
package struct ICYStream: Sendable {
    /// A part of the byte stream.
    package struct Block: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Frames in it.
        package var frames: Int
        /// The sound without metadata.
        fileprivate var sound: Int
        /// The title that its metadata says, or would say if it had not been said before.
        fileprivate var title: String
    }

    private let frameBytes: Int
    private let hasMetadata: Bool
    private let heldMax: Int
    private var frames: [UInt8] = []
    private var title: String
    private var toldTitle: String?
    private var held: [Block] = []

    /// Frames of a block: 48 ms at 48 kHz.
    package static let blockFrames = 2

    /// - Parameters:
    ///   - frameBytes: Bytes of every frame.
    ///   - title: Until the first change.
    ///   - burstMicroseconds: How much sound is kept for those who come in.
    package init(frameBytes: Int, hasMetadata: Bool, title: String, burstMicroseconds: Int64) {
        self.frameBytes = frameBytes
        self.hasMetadata = hasMetadata
        self.title = title
        heldMax = max(1, Int(burstMicroseconds / 48_000))
    }

    /// Bytes of sound between two pieces of metadata.
    package var metaint: Int { frameBytes * Self.blockFrames }

    /// From the next frame on the title is this.
    package mutating func change(to title: String) { self.title = title }

    /// Takes whole frames.
    package mutating func take(_ bytes: [UInt8]) -> [Block] {
        frames += bytes
        var blocks: [Block] = []
        while frames.count >= metaint {
            var block = Block(
                bytes: Array(frames.prefix(metaint)), frames: Self.blockFrames, sound: metaint, title: title)
            frames.removeFirst(metaint)
            if hasMetadata {
                block.bytes += toldTitle == title ? [0] : Self.metadata(title)
                toldTitle = title
            }
            held.append(block)
            if held.count > heldMax { held.removeFirst() }
            blocks.append(block)
        }
        return blocks
    }

    /// What somebody who comes in now is sent first: the newest sound, with the title at once.
    package var burst: [UInt8] {
        guard hasMetadata, let first = held.first else { return held.flatMap(\.bytes) }
        return first.bytes.prefix(first.sound) + Self.metadata(first.title) + held.dropFirst().flatMap(\.bytes)
    }

    private static func metadata(_ title: String) -> [UInt8] {
        // The two characters that end a title can't be in one.
        let text = Array("StreamTitle='\(title.replacing("';", with: "’;"))';".utf8.prefix(255 * 16))
        let units = (text.count + 15) / 16
        return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
    }
}
