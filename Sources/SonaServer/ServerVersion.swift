internal import CBuild
internal import SonaWire

/// The server's own name, as clients and `/metrics` see it.
package enum ServerVersion {
    package static let name = "sona"
    package static let number = "0.1.0"
    /// The commit it was built from, shortened; `nil` unless the build was told (deploy/package).
    package static let commit: String? = {
        let text = String(cString: sona_build_commit())
        return text.isEmpty ? nil : text
    }()
    /// Both, for people.
    package static let text = commit.map { "\(number) (\($0))" } ?? number
    /// As services of others see the server.
    static let agent = "Sona/\(number)"
    /// Names of the server's features beyond the first revision of the protocol.
    ///
    /// Source: Protocol/spec/connection.md, "hello".
    static let features = [
        "people", Limits.directoryFeature, Limits.membershipFeature, Limits.chatFeature, Limits.historyFeature,
        Limits.queueFeature, Limits.resumeFeature, Limits.meterFeature, Limits.reportsFeature, Limits.coversFeature,
        Limits.registrationFeature, Limits.transferFeature, Limits.wordsFeature,
        Limits.libraryFeature, Limits.jobsFeature, Limits.mediaFeature, Limits.uploadsFeature,
        Limits.playlistsFeature, Limits.playlistPicturesFeature, Limits.likesFeature, Limits.playsFeature,
        Limits.playerFeature, Limits.scrobblingFeature,
        Limits.lyricsFeature, Limits.discoveringFeature,
        Limits.submissionsFeature, Limits.notificationsFeature, Limits.sharingFeature, Limits.feedbackFeature,
        Limits.plansFeature, Limits.autoplayFeature, Limits.jinglesFeature, Limits.audienceFeature,
        Limits.songRequestsFeature, Limits.webhooksFeature, Limits.handoverFeature, Limits.schedulesFeature,
        Limits.djsFeature, Limits.shiftingFeature, Limits.replaysFeature, Limits.recordingFeature,
        Limits.dataSaverFeature, Limits.otherPlayersFeature, Limits.speakersFeature,
        Limits.figuresFeature, Limits.setupFeature, Limits.appPasswordsFeature,
    ]
}
