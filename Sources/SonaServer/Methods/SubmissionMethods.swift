internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `track.submit`, `track.withdraw` and `submissions.*`.
struct SubmissionMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> SubmissionMethods { methods.submissions }

    static var methods: [Method] {
        [signedIn(submit), signedIn(withdraw), signedIn(list, .apart), signedIn(approve), signedIn(reject)]
    }

    func submit(_ request: TrackSubmit, _ asker: Asker) async throws -> SubmissionResult {
        let id = try await library.submissions.submit(request.track, by: asker.uid)
        return try await submission(id, asker)
    }

    func withdraw(_ request: TrackWithdraw, _ asker: Asker) async throws -> TrackResult {
        try await library.submissions.withdraw(request.track, by: asker.uid)
        return TrackResult(
            track: try await library.finder.track(request.track, for: try await library.listener(for: asker.account)))
    }

    func list(_ request: SubmissionsList, _ asker: Asker) async throws -> SubmissionPage {
        try await library.submissions.page(request, for: try await library.listener(for: asker.account))
    }

    func approve(_ request: SubmissionsApprove, _ asker: Asker) async throws -> SubmissionResult {
        try await library.submissions.decide(request.id, isApproved: true, by: asker.uid)
        return try await submission(request.id, asker)
    }

    func reject(_ request: SubmissionsReject, _ asker: Asker) async throws -> SubmissionResult {
        try await library.submissions.decide(request.id, isApproved: false, reason: request.reason, by: asker.uid)
        return try await submission(request.id, asker)
    }

    private func submission(_ id: Int64, _ asker: Asker) async throws -> SubmissionResult {
        SubmissionResult(
            submission: try await library.submissions.get(id, for: try await library.listener(for: asker.account)))
    }
}
