internal import Glibc
internal import SonaEventLoop

/// The connection of one `HTTPCall`, with TLS or without. Its socket does not block, and is somebody else's to close.
struct HTTPStream {
    enum Reading: Equatable {
        case bytes([UInt8])
        case end
        case nothing
    }

    private let socket: Int32
    private let address: ServerAddress
    private let tls: TLSStream?
    /// The events that poll(2) waits for before reading, or writing, is tried again: TLS may want the other of the two.
    private var readEvents = Int16(POLLIN)
    private var writeEvents = Int16(POLLOUT)

    init(_ socket: Int32, to address: ServerAddress) throws(ClientError) {
        self.socket = socket
        self.address = address
        do {
            tls = try address.trust.map { trust throws(EventLoopError) in
                try TLSStream(socket, host: address.host, trust: trust)
            }
        } catch {
            throw Self.fault(error, address)
        }
    }

    /// The events to wait for when neither call made progress.
    func events(isSending: Bool) -> Int16 { isSending ? readEvents | writeEvents : readEvents }

    mutating func read() throws(ClientError) -> Reading {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        guard let tls else {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count > 0 { return .bytes(Array(bytes[..<count])) }
            if count == 0 { return .end }
            if errno == EINTR || errno == EAGAIN { return .nothing }
            throw .closed(nil, "")
        }
        let outcome: TLSStream.Outcome
        do { outcome = try tls.read(into: &bytes) } catch { throw Self.fault(error, address) }
        switch outcome {
        case .bytes(0): return .end
        case .bytes(let count): return .bytes(Array(bytes[..<count]))
        case .wantsRead: readEvents = Int16(POLLIN)
        case .wantsWrite: readEvents = Int16(POLLOUT)
        }
        return .nothing
    }

    /// Sends of `rest` what goes now. A connection that takes no more is no error yet: the answer may be here already.
    ///
    /// - Returns: Whether anything changed.
    mutating func write(_ rest: inout ArraySlice<UInt8>) throws(ClientError) -> Bool {
        guard let tls else {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR || errno == EAGAIN { return false }
            rest = count < 0 ? [] : rest.dropFirst(count)
            return true
        }
        do throws(EventLoopError) {
            switch try tls.write(rest) {
            case .bytes(let count):
                rest = rest.dropFirst(count)
                return true
            case .wantsRead: writeEvents = Int16(POLLIN)
            case .wantsWrite: writeEvents = Int16(POLLOUT)
            }
            return false
        } catch {
            guard error.code == .closed else { throw Self.fault(error, address) }
            rest = []
            return true
        }
    }

    private static func fault(_ error: EventLoopError, _ address: ServerAddress) -> ClientError {
        switch error.code {
        case .untrusted, .badCertificate: .untrusted(address, error.detail)
        case .closed: .closed(nil, "")
        default: ClientError(.unreachable, "\(address) cannot be reached: \(error.detail).")
        }
    }
}
