internal import CTagLib
internal import Glibc
internal import SonaImages
internal import SonaTranscode

/// The worker `cover`: the file at descriptor 0 is a picture, or a music file with a picture in it.
enum CoverPicture {
    /// The answer of `picture`, in the sizes of covers.
    static func answer() -> [UInt8] {
        PictureMessage.answer(to: bytes(), sides: Photo.coverSquareSides)
    }

    private static func bytes() -> [UInt8] {
        var start = [UInt8](repeating: 0, count: 16)
        let count = pread(STDIN_FILENO, &start, start.count, 0)
        guard ImageKind(sniffing: start.prefix(max(0, count))) == nil else {
            return WorkerKind.readInput(bytesMax: PictureMessage.inputBytesMax)
        }
        var bytes: [UInt8] = []
        guard let kind = Transcoder.kind(of: STDIN_FILENO), kind.hasTags else { return bytes }
        withUnsafeMutablePointer(to: &bytes) { pointer in
            _ = sona_tags_picture(
                STDIN_FILENO, kind.rawValue,
                { context, bytes, count in
                    guard let context, let bytes, count <= PictureMessage.inputBytesMax else { return }
                    context.assumingMemoryBound(to: [UInt8].self).pointee = Array(
                        UnsafeBufferPointer(start: bytes, count: count))
                }, pointer)
        }
        return bytes
    }
}
