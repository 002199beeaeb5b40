internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `player.*`: what an account plays alone, on all its devices.
struct PlayerMethods: MethodArea {
    let library: Library
    let shard: Shard
    let scrobbler: Scrobbler

    static func area(of methods: Methods) -> PlayerMethods { methods.player }

    static var methods: [Method] { [signedIn(get), signedIn(update), signedIn(transfer)] }

    func get(_ request: PlayerGet, _ asker: Asker) async throws -> PlayerPage {
        var page = try await library.players.page(request, for: try await library.listener(for: asker.account))
        page.devices = await shard.perform { $0.playerDevices(of: asker.uid) }
        return page
    }

    func update(_ request: PlayerUpdate, _ asker: Asker) async throws -> PlayerResult {
        await told(try await library.players.update(request, of: asker.uid), asker)
    }

    func transfer(_ request: PlayerTransfer, _ asker: Asker) async throws -> PlayerResult {
        let devices = await shard.perform { $0.playerDevices(of: asker.uid) }
        guard let device = devices.first(where: { $0.id == request.device }) else {
            throw WireError(.playerDeviceNotFound)
        }
        return await told(
            try await library.players.transfer(to: device, isPlaying: request.isPlaying, of: asker.uid), asker)
    }

    /// Tells the account's other connections. A client that is told two changes in the wrong order goes by the revision.
    private func told(_ change: Players.Change, _ asker: Asker) async -> PlayerResult {
        let result = change.result
        guard change.isNews else { return result }
        if result.player.isPlaying, library.scrobbles.has(asker.uid),
            let listener = try? await library.listener(for: asker.account),
            let track = try? await library.players.upcoming(1, for: listener).tracks.first
        {
            scrobbler.plays(track.id, asker.uid)
        }
        let event = PlayerChanged(player: result.player, nowMilliseconds: result.nowMilliseconds)
        await shard.perform { $0.tell(event, to: asker.uid, except: asker.caller.session) }
        return result
    }
}

/// The devices of accounts, in memory.
extension ShardCore {
    /// Each identifier once: a device whose connection was cut may have come back before the loss was noticed.
    func playerDevices(of uid: UserID) -> [PlayerDevice] {
        var known: Set<String> = []
        return sessions(of: uid).filter { !$0.isAway }.compactMap(\.activeState?.playerDevice)
            .filter { known.insert($0.id).inserted }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    func tell(_ event: PlayerChanged, to uid: UserID, except session: UInt64?) {
        for other in sessions(of: uid) where other.number != session { other.send(event) }
    }

    /// Tells the devices of an account which of them are there.
    ///
    /// - Parameter session: One that is not told.
    func tellPlayerDevices(of uid: UserID, except session: UInt64? = nil) {
        let devices = PlayerDevicesChanged(devices: playerDevices(of: uid))
        for other in sessions(of: uid)
        where other.number != session && !other.isAway && other.activeState?.playerDevice != nil { other.send(devices) }
    }
}

extension Session {
    /// - Returns: Whether it was a device.
    func forgetPlayerDevice() -> Bool {
        guard let activeState, activeState.playerDevice != nil else { return false }
        activeState.playerDevice = nil
        return true
    }

    /// A device is not there while its connection is lost.
    func notePlayerDevice() {
        guard activeState?.playerDevice != nil, let account else { return }
        core.tellPlayerDevices(of: account.uid, except: number)
    }

    /// On the loop. The other devices of the account are told.
    func announcePlayer(_ request: PlayerAnnounce, _ asker: LiveAsker) throws(WireError) -> PlayerDeviceList {
        let uid = asker.account.uid
        if activeState?.playerDevice != request.device {
            let isNew = request.device != nil && activeState?.playerDevice == nil
            if isNew, core.playerDevices(of: uid).count >= Limits.playerDevicesMax {
                throw WireError(
                    .requestRateLimited, "As many devices are there as may.", retryAfterMilliseconds: 60_000)
            }
            ensureActiveState().playerDevice = request.device
            core.tellPlayerDevices(of: uid, except: number)
        }
        return PlayerDeviceList(devices: core.playerDevices(of: uid))
    }
}
