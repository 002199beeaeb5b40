internal import CLibuv

/// libuv underneath libwebsockets: the wait for sockets, one timer, and the two moments around the wait.
///
/// Never freed: see `EventLoop.Backend`.
struct UVLoop {
    let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    private let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    private let prepare = UnsafeMutablePointer<uv_prepare_t>.allocate(capacity: 1)
    private let check = UnsafeMutablePointer<uv_check_t>.allocate(capacity: 1)

    /// - Throws: `.system`.
    init() throws(EventLoopError) {
        // Four it needs itself, and those that are opened after it.
        guard DescriptorLimit.highest(ofNext: 12) != nil, uv_loop_init(loop) == 0 else {
            throw EventLoopError(.system, "libuv could not start (are descriptors left?)")
        }
        uv_timer_init(loop, timer)
        uv_prepare_init(loop, prepare)
        uv_check_init(loop, check)
    }

    /// Before any callback is run; `core` is to outlive the last of them.
    func begin(_ core: LoopCore) {
        let pointer = Unmanaged.passUnretained(core).toOpaque()
        timer.pointee.data = pointer
        prepare.pointee.data = pointer
        check.pointee.data = pointer
        uv_prepare_start(prepare, uvAboutToWait)
        uv_check_start(check, uvHasWaited)
    }

    /// Waits for sockets or the timer, and serves those that are ready.
    ///
    /// - Parameter isLate: Time has passed since the last iteration that libuv does not know of; newer versions reckon
    ///   timers by what they know.
    func runOnce(isLate: Bool) {
        if isLate { uv_update_time(loop) }
        uv_run(loop, UV_RUN_ONCE)
    }

    /// Has `uvAlarmRang` called once, after so long, µs. Rounded up to milliseconds.
    func setAlarm(after delay: Int64) {
        uv_update_time(loop)
        uv_timer_start(timer, uvAlarmRang, UInt64(delay + 999) / 1000, 0)
    }
}

private func core(_ data: UnsafeMutableRawPointer?) -> LoopCore? {
    data.map { Unmanaged<LoopCore>.fromOpaque($0).takeUnretainedValue() }
}

private let uvAlarmRang: @convention(c) (UnsafeMutablePointer<uv_timer_t>?) -> Void = { timer in
    core(timer?.pointee.data)?.fireTimers()
}

/// After timers, and what libwebsockets has still to do of the iteration before.
private let uvAboutToWait: @convention(c) (UnsafeMutablePointer<uv_prepare_t>?) -> Void = { prepare in
    core(prepare?.pointee.data)?.loop.wakeForOwn()
}

/// After the sockets, before timers that are due by now. libwebsockets' own timers may be set in here for the connection that
/// was served: of its context they are looked at once before the next wait, of others see `LoopCore.cut`.
private let uvHasWaited: @convention(c) (UnsafeMutablePointer<uv_check_t>?) -> Void = { check in
    core(check?.pointee.data)?.loop.drainOwn()
}
