internal import SonaModel
internal import SonaWire

/// `users.*` and `journal.*`: what administrators do.
extension DurableMethods {
    static let administering: [DurableMethod] = [
        .signedIn(UsersList.self) { (methods, request, _, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.list(request))
        },
        .signedIn(UsersBan.self) { (methods, request, account, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.ban(request, by: account))
        },
        .signedIn(UsersUnban.self) { (methods, request, account, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.unban(request, by: account))
        },
        .signedIn(UsersSetRole.self) { (methods, request, account, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.setRole(request, by: account))
        },
        .signedIn(JournalList.self) { (methods, request, _, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.list(request))
        },
        .signedIn(JournalVerify.self, isApart: true) { (methods, _, _, _) async throws(WireError) in
            DurableOutcome(try await methods.administration.verifyJournal())
        },
    ]

    private var administration: Administration { Administration(model: model) }
}
