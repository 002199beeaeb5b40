internal import CLibwebsockets

/// The special parts of a connection that we opened: libwebsockets frames it.
///
/// Nothing may be written while it holds a partial write (`lws_partial_buffered`): 4.1.6 would then send frames without
/// their headers.
extension WebSocketConnection {
    /// Returns what libwebsockets is told: 0 to go on, -1 to hang up.
    func clientReceived(_ piece: UnsafeRawBufferPointer) -> Int32 {
        guard let wsi else { return -1 }
        guard state == .open else { return closeIfRequested() }
        heardFrom()
        let missing = lws_remaining_packet_payload(wsi)
        take(
            piece, missing: missing, isText: lws_frame_is_binary(wsi) == 0,
            isWhole: missing == 0 && lws_is_final_fragment(wsi) != 0)
        forgetFinished()
        return closeIfRequested()
    }

    /// Masks a message and hands it to libwebsockets. Returns what that says: negative where the connection is dead.
    func sendMasked(_ message: SendQueue.Message) -> Int32 {
        switch message {
        case .frame: preconditionFailure("A client's messages are framed by libwebsockets.")
        case .urgent(let make): sendMasked(make(), isText: false)
        case .client(let bytes, let isText): sendMasked(bytes, isText: isText)
        }
    }

    private func sendMasked(_ bytes: [UInt8], isText: Bool) -> Int32 {
        guard let wsi else { return -1 }
        let headroom = Int(sona_lws_pre)
        core.clientScratch.removeAll(keepingCapacity: true)
        core.clientScratch.append(contentsOf: repeatElement(0, count: headroom))
        core.clientScratch.append(contentsOf: bytes)
        core.figures.messagesOut &+= 1
        core.figures.bytesOut &+= UInt64(bytes.count)
        return core.clientScratch.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return -1 }
            return lws_write(wsi, base + headroom, bytes.count, isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY)
        }
    }

    /// Runs between iterations. Called from inside libwebsockets' receive callback, it would make 4.1.6 read the rest
    /// of a TLS record for ever: the library stores the bytes it may not hand on, and takes that for progress.
    func pauseIfDue() {
        guard isClient, isPaused, state == .open, let wsi else { return }
        lws_rx_flow_control(wsi, 0)
    }
}
