internal import CCurl
internal import Glibc

/// The bytes that go through one transfer: libcurl's callbacks take and leave them here.
///
/// Confined to the thread that performs the transfer.
final class TransferFlow {
    /// Most bytes of all headers of one transfer together. Google's have some 600 bytes.
    static let headBytesMax = 65_536

    private let upload: [UInt8]
    private var uploadedCount = 0
    private let bodyBytesMax: Int
    private let control: TransferControl
    private(set) var body: [UInt8] = []
    private(set) var head = ResponseHead()
    private(set) var isTooLarge = false
    private var headBytes = 0
    /// Whether an address was refused: see `refusePrivateAddresses`.
    private(set) var isForbidden = false

    init(control: TransferControl, upload: [UInt8] = [], bodyBytesMax: Int) {
        self.control = control
        self.upload = upload
        self.bodyBytesMax = bodyBytesMax
    }

    /// Forgets the answer, for the next of a chain of redirects.
    func startAnew() {
        body = []
        head = ResponseHead()
    }

    var mustEnd: Bool { control.isCancelled || control.remaining <= .zero }

    /// - Returns: Bytes taken; fewer than there are end the transfer.
    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= bodyBytesMax - body.count else {
            isTooLarge = true
            return 0
        }
        body += bytes
        return bytes.count
    }

    fileprivate func take(headerLine bytes: UnsafeRawBufferPointer) -> Int {
        headBytes += bytes.count
        guard headBytes <= Self.headBytesMax else {
            isTooLarge = true
            return 0
        }
        head.take(line: String(decoding: bytes, as: UTF8.self))
        return bytes.count
    }

    fileprivate func give(into space: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(space.count, upload.count - uploadedCount)
        space.copyBytes(from: upload[uploadedCount..<uploadedCount + count])
        uploadedCount += count
        return count
    }
}

extension TransferFlow {
    /// Makes libcurl use this flow. It must outlive `easy`, which keeps an unretained reference to it.
    func attach(to easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_XFERINFODATA] {
            sona_curl_set_context(easy, option, context)
        }
        sona_curl_set_flow(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            TransferFlow.of(context).take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        sona_curl_set_flow(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            TransferFlow.of(context).take(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        sona_curl_set_flow(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            TransferFlow.of(context).give(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        // Asked once a second even where libcurl waits inside itself, for the answer to a QUIT.
        sona_curl_set_progress(easy) { context, _, _, _, _ in TransferFlow.of(context).mustEnd ? 1 : 0 }
        sona_curl_set_number(easy, CURLOPT_NOPROGRESS, 0)
    }

    /// Connects to addresses of the internet alone.
    ///
    /// libcurl resolves the name once and asks here about each address it is about to connect to, so that what is looked
    /// at is what is connected to, whatever the name means a moment later.
    func refusePrivateAddresses(of easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sona_curl_set_opening(
            easy,
            { context, _, address in
                guard let address else { return CURL_SOCKET_BAD }
                let wanted = address.pointee
                let isPublic = withUnsafePointer(to: &address.pointee.addr) {
                    NetworkAddress.isPublic(UnsafeRawPointer($0), family: wanted.family, bytes: Int(wanted.addrlen))
                }
                guard isPublic else {
                    TransferFlow.of(context).isForbidden = true
                    return CURL_SOCKET_BAD
                }
                return socket(wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.protocol)
            }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> TransferFlow {
        guard let context else { preconditionFailure("libcurl lost the context of its callback.") }
        return Unmanaged<TransferFlow>.fromOpaque(context).takeUnretainedValue()
    }
}
