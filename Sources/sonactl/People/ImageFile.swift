internal import SonaBase
internal import SonaWire

/// An image to send. What is in it the server looks at.
enum ImageFile {
    /// - Throws: `Failure` 66 if it cannot be read, 65 if it is too large or empty.
    static func read(_ path: String) throws -> [UInt8] {
        let image: [UInt8]
        do throws(WholeFile.Failure) {
            image = try WholeFile.read(path, bytesMax: Limits.photoUploadBytesMax)
        } catch {
            switch error {
            case .system(let operation, _): throw Failure(66, "Cannot \(operation) \(path): \(error).")
            case .tooLong: throw Failure(65, "\(path) is too large: \(ErrorCode.photoTooLarge.meaning)")
            }
        }
        guard !image.isEmpty else { throw Failure(65, "\(path) is empty.") }
        return image
    }
}
