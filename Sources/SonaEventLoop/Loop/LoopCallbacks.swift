internal import CLibwebsockets

/// The functions by which libwebsockets enters Swift. All are at file scope: a closure literal written inside isolated
/// code takes that isolation with it and traps when called from C.
typealias LoopCallback =
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32

/// Returned to keep the connection, and to end it.
private let goOn: Int32 = 0
private let hangUp: Int32 = -1

/// Accepted connections: bytes in, room for bytes out, and the end.
let serverCallback: LoopCallback = { wsi, reason, user, input, length in
    guard let wsi else { return goOn }
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        // Sent to every protocol of the context; the table's first entry drains for all.
        guard lws_get_protocol(wsi)?.pointee.id == ProtocolNames.drainID else { return goOn }
        // And to those of every virtual host.
        if let core = LoopCore.of(wsi), lws_get_vhost(wsi) == core.vhost { core.loop.drainInbox() }
        return goOn
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        guard let user else { return hangUp }
        return LoopCore.of(wsi)?.prepareTLS(OpaquePointer(user)) ?? hangUp
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
        // The context's first protocol gets this call for every connection. `length` is OpenSSL's verdict, which
        // stands.
        guard length == 0, let user else { return goOn }
        LoopSocket.connection(wsi)?.webSocket?.distrusts(OpaquePointer(user))
        return goOn
    case LWS_CALLBACK_WSI_CREATE:
        LoopCore.of(wsi)?.isAdoptionMade = true
        return goOn
    default: break
    }
    guard let socket = LoopSocket.connection(wsi) else { return goOn }
    switch reason {
    case LWS_CALLBACK_RAW_ADOPT:
        socket.adopted(wsi)
        return goOn
    case LWS_CALLBACK_RAW_RX:
        return socket.received(UnsafeMutableRawBufferPointer(start: input, count: length)) ? goOn : hangUp
    case LWS_CALLBACK_RAW_WRITEABLE:
        return socket.writable() ? goOn : hangUp
    case LWS_CALLBACK_RAW_CLOSE:
        socket.closed()
        return goOn
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(wsi, nil)
        socket.core.remove(socket)
        return goOn
    default:
        return goOn
    }
}

/// A listening socket of ours has connections waiting.
let acceptCallback: LoopCallback = { wsi, reason, _, _, _ in
    guard reason == LWS_CALLBACK_RAW_RX_FILE, let wsi, let acceptor = LoopEndpoint.of(wsi) as? Acceptor else {
        return goOn
    }
    return acceptor.acceptWaiting() ? goOn : hangUp
}

/// WebSockets we opened ourselves.
let clientCallback: LoopCallback = { wsi, reason, _, input, length in
    guard let wsi, let socket = LoopSocket.connection(wsi), let webSocket = socket.webSocket else { return goOn }
    switch reason {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        webSocket.opened(wsi, descriptor: lws_get_socket_fd(wsi))
        return webSocket.closeIfRequested()
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return webSocket.clientReceived(UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        webSocket.heardFrom()
        return goOn
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return webSocket.becameWritable()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return webSocket.peerCloses(UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_CLIENT_HTTP_REDIRECT:
        // A request meant for one server must not reach another.
        return hangUp
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        var text = "the connection failed"
        if let input, length > 0 {
            text = String(decoding: UnsafeRawBufferPointer(start: input, count: length), as: UTF8.self)
        }
        webSocket.failed(webSocket.explained(text, status: lws_http_client_http_response(wsi)))
        lws_set_opaque_user_data(wsi, nil)
        socket.core.remove(socket)
        return goOn
    case LWS_CALLBACK_CLIENT_CLOSED:
        lws_set_opaque_user_data(wsi, nil)
        socket.core.remove(socket)
        return goOn
    default:
        return goOn
    }
}

/// The one timer of a loop on poll, which is libwebsockets'.
let alarmRang: @convention(c) (UnsafeMutablePointer<lws_sorted_usec_list_t>?) -> Void = { timer in
    guard let timer else { return }
    timer.withMemoryRebound(to: LoopCore.Alarm.self, capacity: 1) { alarm in
        guard let core = alarm.pointee.core else { return }
        Unmanaged<LoopCore>.fromOpaque(core).takeUnretainedValue().fireTimers()
    }
}
