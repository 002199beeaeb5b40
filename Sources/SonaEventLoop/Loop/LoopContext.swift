internal import CLibuv
internal import CLibwebsockets
internal import Glibc

/// A libwebsockets context and its virtual host without TLS. Lives as long as its loop, which destroys those on poll.
struct LoopContext {
    let pointer: OpaquePointer
    let vhost: OpaquePointer
    /// The first descriptor without a place in the table of sockets: 4.1.6 refuses such descriptors, and then writes
    /// past the end of the table.
    let descriptorsEnd: Int

    /// The settings that all contexts of one loop share.
    struct Setting {
        /// nil for poll.
        let loop: UnsafeMutablePointer<uv_loop_t>?
        let names: ProtocolNames
        let headerBytesMax: Int
        /// The pointer by which `LoopCore.of` finds the core.
        let user: UnsafeMutableRawPointer
        private let loopCell = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)

        init(
            loop: UnsafeMutablePointer<uv_loop_t>?, names: ProtocolNames, headerBytesMax: Int,
            user: UnsafeMutableRawPointer
        ) {
            self.loop = loop
            self.names = names
            self.headerBytesMax = headerBytesMax
            self.user = user
            loopCell.initialize(to: loop.map { UnsafeMutableRawPointer($0) })
        }

        func info() -> lws_context_creation_info {
            var info = lws_context_creation_info()
            info.port = CONTEXT_PORT_NO_LISTEN
            info.protocols = UnsafePointer(names.protocols)
            info.gid = -1
            info.uid = -1
            info.user = user
            info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
            // TLS over libuv stalls with the default of 4 KiB (facts: a whole TLS record must fit).
            info.pt_serv_buf_size = 32768
            info.max_http_header_data = UInt16(clamping: headerBytesMax)
            info.timeout_secs = 30
            info.keepalive_timeout = 15
            info.timeout_secs_ah_idle = 10
            // All zeros: libwebsockets' own validity timers walk every connection at each join and PONG; `PingWheel` does
            // their work.
            info.retry_and_idle_policy = UnsafePointer(LoopContext.noRetries)
            if loop != nil {
                info.options |= UInt64(LWS_SERVER_OPTION_LIBUV)
                info.foreign_loops = loopCell
            }
            return info
        }
    }

    /// - Parameters:
    ///   - info: Settings of the context. Afterwards it is as it was, for the virtual host.
    ///   - descriptorsMax: The length of the context's table of sockets; by default the process's limit on descriptors.
    /// - Throws: `.system`.
    init(
        _ info: inout lws_context_creation_info, usesTLS: Bool = false, descriptorsMax: Int = .max
    ) throws(EventLoopError) {
        let plainOptions = info.options
        if usesTLS { info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT) }
        // `fd_limit_per_thread` would make the table shorter as well, but then each event goes through it.
        let (made, limit) = DescriptorLimit.lowered(to: descriptorsMax) { limit -> (OpaquePointer?, Int) in
            // 4.1.6 crashes where it finds none left: lws_context_destroy of a context on libuv that is not yet whole.
            guard DescriptorLimit.highest(ofNext: Self.descriptorsNeeded) != nil else { return (nil, limit) }
            return (lws_create_context(&info), limit)
        }
        guard let context = made else {
            throw EventLoopError(
                .system, "libwebsockets could not start (is libwebsockets-evlib-uv installed, are descriptors left?)")
        }
        info.options = plainOptions
        info.vhost_name = Self.vhostName.cString
        info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        guard let vhost = lws_create_vhost(context, &info) else {
            throw EventLoopError(.system, "libwebsockets could not set up its virtual host")
        }
        pointer = context
        self.vhost = vhost
        descriptorsEnd = limit > Self.unreasonable ? Self.reasonable : limit
    }

    /// Two, or three with pipes in place of an eventfd, and a reserve for other threads.
    private static let descriptorsNeeded = 8

    /// Above `unreasonable` descriptors libwebsockets makes its table only `reasonable` long.
    private static let (unreasonable, reasonable) = (10_000_000, 2560)

    // libwebsockets keeps pointers to both.
    private static let vhostName: StaticString = "(sona)"
    // Safe to share: nobody writes to it after it was made.
    nonisolated(unsafe) static let noRetries: UnsafeMutablePointer<lws_retry_bo_t> = {
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        return policy
    }()
}

extension StaticString {
    /// A pointer that C code may keep: the literal lies in the program itself, and a NUL follows it.
    var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
