internal import CLibwebsockets

extension WebSocketConnection {
    /// OpenSSL does not believe a certificate of the other side's chain.
    func distrusts(_ verification: OpaquePointer) {
        distrusts(TLSTrust.sentence(verification: Int(X509_STORE_CTX_get_error(verification))))
    }

    /// libwebsockets' message about a connection that failed to open, in better words where there are any.
    func explained(_ text: String, status: UInt32) -> String {
        // LWS's words for an error from SSL_connect, which is there before any HTTP is.
        if text.hasPrefix("connect SSL") { return "the TLS handshake failed (is it an http:// address?)" }
        if text.hasSuffix("rejected redirect") { return "it sends elsewhere, where nobody follows" }
        if status == 426 { return "it wants something else, TLS as a rule (is it an https:// address?)" }
        return text
    }
}
