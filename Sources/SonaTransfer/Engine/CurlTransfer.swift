internal import CCurl
internal import Glibc

/// One use of libcurl, or a chain of them over one connection. Confined to a thread.
///
/// The multi interface with a single transfer: unlike `curl_easy_perform` it can be woken, so cancelling takes effect
/// at once, or within a second where libcurl 7 waits inside itself (for the answer to the end of a mail).
///
/// The settings of every transfer are made here: TLS 1.2 or later with the certificate checked against the system's
/// authorities, no signals, no proxy (the environment's `http_proxy` and its kin are not looked at), no `.netrc`, no
/// cookies.
final class CurlTransfer {
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let flow: TransferFlow
    private let control: TransferControl
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    /// Once in the life of the process. Debian's libcurl is thread-safe in this too.
    private static let isReady = sona_curl_start() == CURLE_OK

    /// - Parameter protocols: The schemes that libcurl may use, divided by commas.
    /// - Throws: `system` if libcurl cannot be used.
    init(
        _ flow: TransferFlow, protocols: String, limits: TransferLimits, control: TransferControl
    ) throws(TransferError) {
        guard Self.isReady, let easy = curl_easy_init() else { throw Self.unusable }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            throw Self.unusable
        }
        self.easy = easy
        self.multi = multi
        self.flow = flow
        self.control = control
        flow.attach(to: easy)
        try set(CURLOPT_NOSIGNAL, 1)
        // Names are resolved on a thread of libcurl's, which nobody has to wait for when the transfer has ended.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_PROTOCOLS_STR, protocols)
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
    }

    deinit {
        stopReading()
        curl_multi_remove_handle(multi, easy)
        curl_multi_cleanup(multi)
        curl_easy_cleanup(easy)
        for list in lists { curl_slist_free_all(list) }
    }

    /// See `TransferFlow.refusePrivateAddresses`.
    func refusePrivateAddresses() { flow.refusePrivateAddresses(of: easy) }

    func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
        guard sona_curl_set_number(easy, option, value) == CURLE_OK else { throw Self.unusable }
    }

    /// - Throws: `badInput` for a text with a NUL, of which C would see the beginning only.
    func set(_ option: CURLoption, _ value: String) throws(TransferError) {
        guard !value.utf8.contains(0) else { throw TransferError(.badInput, "A text holds a NUL") }
        guard sona_curl_set_text(easy, option, value) == CURLE_OK else { throw Self.unusable }
    }

    /// The entries must not hold NULs or line breaks.
    func set(_ option: CURLoption, _ values: [String]) throws(TransferError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            precondition(!value.utf8.contains { $0 < 32 }, "A list for libcurl holds a control character.")
            guard let longer = curl_slist_append(list, value) else {
                curl_slist_free_all(list)
                throw Self.unusable
            }
            list = longer
        }
        if let list { lists.append(list) }
        guard sona_curl_set_list(easy, option, list) == CURLE_OK else { throw Self.unusable }
    }

    /// Performs the transfer that was set up and waits for its end.
    ///
    /// - Returns: libcurl's outcome, which only the caller's protocol can judge.
    /// - Throws: `cancelled`, `timedOut`, `tooLarge`, `system`.
    func perform() throws(TransferError) -> CURLcode {
        try control.check()
        try set(CURLOPT_TIMEOUT_MS, control.remaining.wholeMilliseconds)
        // It stays in after its end, until the next or `deinit`: taken out it would no longer know its socket.
        curl_multi_remove_handle(multi, easy)
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw Self.unusable }
        let result = try control.whileWaiting { event throws(TransferError) in try wait(event) }
        if control.isCancelled { throw .cancelled }
        if flow.isForbidden, result == CURLE_COULDNT_CONNECT { throw .forbiddenAddress }
        if flow.isTooLarge { throw TransferError(.tooLarge, "The answer is longer than allowed") }
        if result == CURLE_ABORTED_BY_CALLBACK { throw .timedOut }
        return result
    }

    private func wait(_ event: Int32) throws(TransferError) -> CURLcode {
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { throw Self.unusable }
            if running == 0 { return result() }
            if control.isCancelled { throw .cancelled }
            var wakeup = curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            guard curl_multi_poll(multi, &wakeup, 1, 1000, nil) == CURLM_OK else { throw Self.unusable }
        }
    }

    private func result() -> CURLcode {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return CURLE_RECV_ERROR
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return sona_curl_get_number(easy, info, &value) == CURLE_OK ? value : 0
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard sona_curl_get_text(easy, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    /// libcurl says QUIT to a mail server as it closes the connection and would wait two minutes for the answer,
    /// whatever the limits are. On a socket that can no longer be read it only says it.
    private func stopReading() {
        var socket: curl_socket_t = -1
        guard sona_curl_get_socket(easy, &socket) == CURLE_OK, socket >= 0 else { return }
        shutdown(socket, Int32(SHUT_RD))
    }

    private static let unusable = TransferError(.system, "libcurl cannot be used", isTemporary: true)
}
