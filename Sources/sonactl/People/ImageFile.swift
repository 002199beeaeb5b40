internal import Glibc
internal import SonaWire

/// An image to send. What is in it the server looks at.
enum ImageFile {
    /// - Throws: `Failure` 66 if it cannot be read, 65 if it is too large or empty.
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var image: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while image.count <= Limits.photoUploadBytesMax {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read", path)
            }
            if count == 0 { break }
            image += bytes[..<count]
        }
        guard image.count <= Limits.photoUploadBytesMax else {
            throw Failure(65, "\(path) is too large: \(ErrorCode.photoTooLarge.meaning)")
        }
        guard !image.isEmpty else { throw Failure(65, "\(path) is empty.") }
        return image
    }

    private static func failure(_ attempted: String, _ path: String) -> Failure {
        Failure(66, "Cannot \(attempted) \(path): \(String(cString: strerror(errno))).")
    }
}
