internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// A host without a connection: the server itself.
extension RoomHome {
    /// The member number of the server in every room. Connections count from 1.
    static let localMember: MemberID = 0

    /// Sits down in the owner's name and begins an epoch.
    func startLocalHost(_ request: HostStart) -> Result<HostStarted, WireError> {
        let now = MonotonicClock.nowMicroseconds()
        do throws(WireError) {
            return .success(
                try update(now: now) { room throws(WireError) in
                    let owner = room.settings.owner
                    var (_, effects) = try room.join(Self.localMember, owner, wantsAudio: false, now: now)
                    let (started, more) = try room.startHost(Self.localMember, request, mayTakeOver: true, now: now)
                    effects += more
                    return (started, effects)
                })
        } catch { return .failure(error) }
    }

    func ingestLocally(_ header: AudioUp, _ packet: [UInt8]) {
        let now = MonotonicClock.nowMicroseconds()
        // What can be wrong with a packet does not happen to our own.
        try? update(now: now) { room throws(WireError) in
            let result = Result { () throws(WireError) in
                try packet.withUnsafeBytes { bytes in
                    Result { () throws(WireError) in try room.ingest(Self.localMember, header, bytes, now: now) }
                }.get()
            }
            return ((), try result.get().effects)
        }
    }
}
