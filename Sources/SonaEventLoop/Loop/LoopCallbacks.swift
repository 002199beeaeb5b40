internal import CLibwebsockets

/// Where libwebsockets enters Swift. All of these are at file scope, since a closure literal written inside isolated
/// code takes that isolation with it and traps when called from C.
typealias LoopCallback =
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32

/// Returned to keep the connection, and to end it.
private let goOn: Int32 = 0
private let hangUp: Int32 = -1

/// Requests and WebSockets of accepted connections.
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
        // Said to the context's first protocol of whatever connection; `length` is OpenSSL's verdict, which stands.
        guard length == 0, let user else { return goOn }
        LoopSocket.connection(wsi)?.webSocket?.distrusts(OpaquePointer(user))
        return goOn
    default: break
    }
    guard let socket = LoopSocket.connection(wsi) else { return goOn }
    switch reason {
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket.webSocket?.becameWritable() ?? hangUp
    case LWS_CALLBACK_RECEIVE:
        guard let webSocket = socket.webSocket else { return hangUp }
        return webSocket.received(UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_RECEIVE_PONG:
        socket.webSocket?.receivedPong()
        return goOn
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return socket.webSocket?.peerCloses(UnsafeRawBufferPointer(start: input, count: length)) ?? goOn
    case LWS_CALLBACK_ESTABLISHED:
        guard let webSocket = socket.webSocket else { return hangUp }
        webSocket.opened(wsi)
        return webSocket.closeIfRequested()
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        socket.webSocket?.isBeingDropped(wsi)
        return goOn
    case LWS_CALLBACK_CLOSED:
        socket.webSocket?.ended()
        return goOn

    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        // `input` points at memory that 4.1.6 may have freed already (CVE-2025-11677): never looked at.
        return socket.decideUpgrade(wsi)
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return socket.webSocket == nil ? hangUp : goOn
    case LWS_CALLBACK_HTTP:
        return socket.beginRequest(wsi)
    case LWS_CALLBACK_HTTP_BODY:
        return socket.requestBody(wsi, UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return socket.requestComplete(wsi)
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return socket.exchange?.write(wsi) ?? goOn
    case LWS_CALLBACK_CLOSED_HTTP:
        socket.http?.cancel()
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
        webSocket.opened(wsi)
        return webSocket.closeIfRequested()
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return webSocket.received(UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        webSocket.heardFrom()
        return goOn
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return webSocket.becameWritable()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return webSocket.peerCloses(UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_CLIENT_HTTP_REDIRECT:
        // What is said to one server is not for another.
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
