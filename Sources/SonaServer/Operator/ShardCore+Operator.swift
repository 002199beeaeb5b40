internal import SonaEventLoop
internal import SonaModel
internal import SonaWire

/// Requests of the operator through the Unix socket in the data folder: access is granted by the folder's mode.
extension ShardCore {
    func operate(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        // For anyone else this path does not exist.
        guard request.remote.isLocal, !request.isForwarded else {
            return exchange.respond(.text(404, "There is nothing here."))
        }
        guard request.method == .post else { return exchange.respond(.text(405, "Only POST is known here.")) }
        let type = String(request.path.dropFirst(OperatorDoor.pathPrefix.count))
        let data: JSON
        do throws(WireError) { data = try Self.parse(body: request.body) } catch {
            return exchange.respond(.error(error))
        }
        let (publicAddress, ownAddress) = (services.live.publicAddress, services.live.ownAddress)
        answer(exchange) { methods in
            switch type {
            // The meter is about what is live, so no data folder has it.
            case RoomMeter.type: return try await methods.meter.meter(RoomMeter(data))
            case OperatorDrain.type: return try await methods.server.drain(OperatorDrain(data))
            case AddressesBan.type: return try await methods.addresses.ban(AddressesBan(data), nil)
            case AddressesUnban.type: return try await methods.addresses.unban(AddressesUnban(data), nil)
            case ContentTakeDown.type: return try await methods.takeDowns.takeDown(ContentTakeDown(data), nil)
            case ContentTakenDown.type: return try await methods.takeDowns.takenDown(ContentTakenDown(data), nil)
            case ContentAllow.type: return try await methods.takeDowns.allow(ContentAllow(data), nil)
            case PlansList.type: return try await methods.plans.list(PlansList(data), nil)
            case PlansSet.type: return try await methods.plans.set(PlansSet(data), nil)
            case PlansRemove.type: return try await methods.plans.remove(PlansRemove(data), nil)
            case UsersSetPlan.type: return try await methods.plans.give(UsersSetPlan(data), nil)
            case WordsAdd.type: return try await methods.words.add(WordsAdd(data), nil)
            case WordsRemove.type: return try await methods.words.remove(WordsRemove(data), nil)
            case WordsList.type: return try await methods.words.list(WordsList(data), nil)
            case RoomsMove.type: return try await methods.transfers.move(RoomsMove(data), nil)
            case ReportsList.type: return try await methods.reports.list(ReportsList(data), nil)
            case ReportsResolve.type: return try await methods.reports.resolve(ReportsResolve(data), nil)
            case ServerHistory.type: return try await methods.server.history(ServerHistory(data), nil)
            case LibraryRecount.type: return try await methods.plays.recount(LibraryRecount(), nil)
            case ServerInfo.type: return methods.server.live.configuration.description
            case StorageUsage.type: return try await methods.storage.usage(StorageUsage(), nil)
            case LibraryFolders.type: return try await methods.folders.folders(LibraryFolders(), nil)
            case LibraryFolderUpdate.type: return try await methods.folders.update(LibraryFolderUpdate(data), nil)
            case LibraryScan.type: return try await methods.folders.scan(LibraryScan(data), nil)
            case LibraryScanCancel.type: return try await methods.folders.cancel(LibraryScanCancel(data), nil)
            case LibraryProblems.type: return try await methods.folders.problems(LibraryProblems(data), nil)
            // What hangs on an account is erased by the running server, which has it all open.
            case OperatorExport.type:
                let request = try OperatorExport(data)
                return OperatorExportResult(export: try await methods.model.accounts.export(request.user))
            case OperatorRemove.type:
                let request = try OperatorRemove(data)
                try await methods.model.accounts.remove(request.user, rooms: request.rooms ?? .erase)
                return Empty()
            case OperatorSignOut.type:
                try await methods.model.accounts.signOutEverywhere(try OperatorSignOut(data).user)
                return Empty()
            case JobsList.type: return try await methods.jobs.list(JobsList(data), nil)
            case JobsGet.type: return try await methods.jobs.get(JobsGet(data), nil)
            case JobsRetry.type: return try await methods.jobs.retry(JobsRetry(data), nil)
            case JobsCancel.type: return try await methods.jobs.cancel(JobsCancel(data), nil)
            default: break
            }
            return try await OperatorMethods(
                model: methods.model, publicAddress: publicAddress, ownAddress: ownAddress
            ).call(type, data)
        }
    }
}
