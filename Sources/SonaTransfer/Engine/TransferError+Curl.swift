internal import CCurl
internal import Glibc

extension TransferError {
    /// The error for libcurl's `result` of a transfer with `peer`, a host or a socket in the file system.
    ///
    /// libcurl's own messages stay out of it, since they quote the server.
    init(_ result: CURLcode, with peer: String, _ transfer: CurlTransfer) {
        let number = Int32(truncatingIfNeeded: transfer.number(CURLINFO_OS_ERRNO))
        switch result {
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timedOut, "\(peer) took longer than allowed", isTemporary: true)
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.unreachable, "The name \(peer) has no address", isTemporary: true)
        case CURLE_COULDNT_CONNECT:
            self.init(noConnectionTo: peer, number)
        case CURLE_URL_MALFORMAT:
            self.init(.badInput, "The URL cannot be used")
        case CURLE_PEER_FAILED_VERIFICATION:
            self.init(.insecure, "The certificate of \(peer) is not one to trust")
        case CURLE_USE_SSL_FAILED:
            self.init(.insecure, "\(peer) offers no TLS")
        case CURLE_SSL_CONNECT_ERROR:
            // A connection that broke in the handshake looks the same.
            self.init(.insecure, "\(peer) and this machine found no common TLS", isTemporary: true)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(.insecure, "This machine has no certificates of authorities; is ca-certificates installed?")
        case CURLE_OUT_OF_MEMORY:
            self.init(.system, "The memory is full", isTemporary: true)
        default:
            self.init(
                .brokenAnswer,
                "\(peer) ended the connection or answered something else than asked for "
                    + "(libcurl \(result.rawValue): \(String(cString: curl_easy_strerror(result))))",
                isTemporary: true, errno: number)
        }
    }

    private init(noConnectionTo peer: String, _ number: Int32) {
        switch number {
        case ENOENT, ECONNREFUSED:
            self.init(.nobodyListens, "Nobody listens at \(peer)", isTemporary: true, errno: number)
        case 0:
            // Nothing failed, and the other side was gone before libcurl looked at the connection.
            self.init(.brokenAnswer, "\(peer) ended the connection at once", isTemporary: true)
        default:
            let reason = String(cString: strerror(number))
            self.init(.unreachable, "No connection to \(peer): \(reason)", isTemporary: true, errno: number)
        }
    }
}
