internal import SonaEventLoop
internal import SonaRooms
internal import SonaWire

/// A host without a connection: the server itself.
extension RoomHome {
    /// The member number of the server in every room. Connections count from 1.
    static let localMember: MemberID = 0

    /// Joins in the owner's name, takes the seat and begins an epoch.
    func startLocalHost(_ request: HostStart) -> Result<HostStarted, WireError> {
        let now = MonotonicClock.nowMicroseconds()
        do throws(WireError) {
            return .success(
                try update(now: now) { room throws(WireError) in
                    let owner = room.owner
                    var (_, effects) = try room.join(Self.localMember, owner, wantsAudio: false, now: now)
                    let (started, more, _) = try room.startHost(Self.localMember, request, mayTakeOver: true, now: now)
                    effects += more
                    return (started, effects)
                })
        } catch { return .failure(error) }
    }

    /// - Returns: Whether the room accepted the packet. False if the server stood still for longer than the room waits.
    func ingestLocally(_ header: AudioUp, _ packet: [UInt8]) -> Bool {
        let now = MonotonicClock.nowMicroseconds()
        do throws(WireError) {
            try update(now: now) { room throws(WireError) in
                let ingest = try packet.withUnsafeBytes { bytes in
                    Result { () throws(WireError) in try room.ingest(Self.localMember, header, bytes, now: now) }
                }.get()
                return ((), ingest.effects)
            }
            return true
        } catch { return false }
    }
}
