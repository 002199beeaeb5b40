internal import Glibc
internal import SonaBackup
internal import SonaBase
package import SonaCrypto
package import SonaEventLoop
internal import SonaLibrary
package import SonaWire

/// The configuration of one server. Every field has a default that suits a first try on one's own machine.
///
/// `keys` names the fields that an operator can set; the others are the program's and the tests'.
package struct ServerConfiguration: Sendable {
    // MARK: The folder and the sockets

    /// The folder of the database, the keys and later the uploads. Made if it does not exist.
    package var dataFolder: String
    /// Host and port of each listening socket; port 0 takes a free one.
    package var addresses = [ListenAddress(host: "127.0.0.1", port: 8337)]
    /// Address of `/metrics`, besides the operator's socket.
    package var metricsAddress: ListenAddress?
    /// Threads that serve sockets.
    package var loopCount = 1
    /// PEM files of the certificate with its chain, and of its key; with both, the addresses speak TLS.
    package var tlsCertificateFile: String?
    package var tlsKeyFile: String?

    // MARK: Music

    /// Folders of music, which are never written to.
    package var musicFolders: [MusicFolderPath] = []
    /// Minutes after which all music folders are scanned again; 0 for never.
    package var rescanMinutes = 0
    /// What guests hear of tracks that every account hears.
    package var guestsHear = GuestsHear.preview
    /// MiB that tracks in other forms, made by the server, may take in the data folder.
    package var renditionMebibytes = 4096

    /// Whether `/rest`, the OpenSubsonic API, is off.
    package var isWithoutSubsonic = false

    /// Seconds without a listener after which a room that plays by itself rests; 0 for never.
    package var autoplayRestSeconds = 600

    /// MiB that one uploaded file may have, the uploads of one account together, and all uploads together.
    package var uploadMax = 1_024
    package var uploadQuota = 10_240
    package var uploadSpace = 102_400

    /// The same in bytes.
    var uploads: UploadLimits {
        var limits = UploadLimits()
        limits.fileBytes = Int64(uploadMax) << 20
        limits.accountBytes = Int64(uploadQuota) << 20
        limits.spaceBytes = Int64(uploadSpace) << 20
        return limits
    }

    // MARK: Other players

    /// Milliseconds of sound that a listener by HTTP is sent at once, as far as the room has it.
    package var radioBurstMilliseconds = 3_000
    /// Seconds for which a listener by HTTP hears silence when a room plays nothing; then the connection ends.
    package var radioSilenceSeconds = 600
    /// Rooms and bitrates that are encoded to MP3 at a time.
    package var radioEncodings = 8
    /// Address at which programs that speak Icecast host rooms; `nil`: none do.
    package var icecastAddress: ListenAddress?
    /// Address at which players that speak Snapcast's protocol connect; `nil`: none do.
    package var snapcastAddress: ListenAddress?
    /// The room of those that no room has; `nil`: they are silent.
    package var snapcastRoom: String?

    // MARK: The way here

    /// Days for which browsers are told to come back over TLS alone; 0 tells them nothing.
    package var strictTransportDays = 0

    /// The address at which people reach this server, without a slash at the end. Links in mails begin with it.
    package var publicAddress: String?
    /// Origins (`https://host[:port]`), besides the server's own, whose pages may send requests to it.
    package var allowedOrigins: [String] = []
    /// Names that a `Host` header may have, besides those that nobody else can own; `*` for any.
    package var allowedHosts: [String] = []
    /// Reverse proxies that are trusted to name their clients' addresses.
    package var trustedProxies: [AddressRange] = []
    /// Addresses without per-address limits.
    package var exempt: [String] = []
    /// Factor by which the ordinary budgets of each account are multiplied (deploy/limits.md).
    package var budgetFactor = 1
    /// Seconds for which the session of a lost connection is kept; 0 keeps none.
    package var resumeSeconds = Limits.resumeSeconds

    // MARK: What people see

    /// The content of `server.info`. The members that follow from other fields are set by `description`.
    package var profile = ServerProfile()
    /// The picture beside the name.
    package var logoFile: String?
    package var registration = RegistrationChoice.open
    /// Days after which the rooms of an owner who was not seen pass to a cohost, or are closed. 0: never.
    package var absentOwnerDays = 0
    /// Days for which replays of rooms are kept.
    package var replayDays = 365
    /// MiB that recordings of hosts may take together; 0 for none.
    package var recordingSpace = 20_480
    /// Bit rate of the data saver, kb/s.
    package var dataSaverKilobits = 32
    /// Rooms whose sound is made at that bit rate at once; 0 makes none.
    package var dataSaverRooms = 32
    package var robots = RobotsChoice.forbid
    /// The page with the terms and the privacy notice of this server, `http://` or `https://`.
    package var policyAddress: String?
    /// Pages for wishes and problems, and for saying that one likes this; `nil`: none.
    package var feedbackAddress: String?
    package var starsAddress: String?
    /// Whether a demo room plays from the start.
    package var hasDemo = false
    /// Whether `/v1/echo` exists, for conformance suites.
    package var hasEcho = false

    // MARK: The log

    /// Lines below this level are not written.
    package var logLevel = LogLine.Level.info
    package var logFormat = LogFormatChoice.auto

    // MARK: Backups

    /// Where backups go by schedule: a folder, or `rclone:REMOTE:PATH`; `nil`: none are made.
    package var backupTo: String?
    /// Hours between two backups; 0 for one a day.
    package var backupEveryHours = 0
    /// The time of day of the daily one, `HH:MM` by the clock of this machine; `nil`: 03:30.
    package var backupAt: String?
    /// Which backups stay (`KeepRule`).
    package var backupKeep = KeepRule.standardText
    /// The file with the passphrase that the keys are encrypted with; `nil`: the keys are left out.
    package var backupPassphraseFile: String?

    // MARK: Outside services

    package var mailing = MailConfiguration()
    package var services = ServicesConfiguration()
    /// The Firebase project whose ID tokens sign people in; `nil` for none.
    package var firebaseProject: String?
    /// The project's keys: a path, or an address that begins with `http`; `nil` for Google's.
    package var firebaseKeys: String?

    // MARK: Fields that are no keys

    /// The picture that `logoFile` holds.
    package var logo: ServerLogo?
    /// Certificate and key, read from `tlsCertificateFile` and `tlsKeyFile`.
    package var identity: TLSIdentity?
    /// Whether missing keys are made anew although the folder has a database.
    package var makesLostKeys = false
    /// Whether an empty database is made although the folder has had another.
    package var makesLostDatabase = false
    /// Most connections of one address (DESIGN: 512).
    package var connectionsPerAddressMax = 512
    /// Seconds a draining server waits for its connections to close.
    package var drainSecondsMax = 10
    /// Seconds it waits after that for writes under way, and as many again for the database to close.
    package var writingSecondsMax = 10
    package var passwordCost = PasswordHash.Cost.standard
    /// The program that reads photos, each in its own process, as `sona worker picture`; `nil`: no photos are accepted.
    package var workerProgram: String?
    /// A folder to serve the web player from, in place of the one in the program: for developers of the player.
    package var siteFolder: String?
    /// Receives what the operator should know.
    package var log = ServerLog.none
    /// Called when the server must end, because it can store nothing until it is started again. On any thread; must not
    /// wait. The log says why.
    package var mustEnd: (@Sendable () -> Void)?
    /// Ends the process in order (`false`), or starts its successor (`true`): `operator.drain`. Returns why not, without a
    /// full stop. On any thread; must not wait.
    package var drain: (@Sendable (_ isReplaced: Bool) -> String?)?
    /// The server that runs in the data folder hands over to this one.
    package var takesOver = false
    /// Called when clients are accepted by this process in place of another, just before that one is told to end.
    package var tookOver: (@Sendable () -> Void)?
    /// Called when another process has taken over, and this one has nothing left to do. On any thread; must not wait.
    package var handedOver: (@Sendable () -> Void)?

    package init(dataFolder: String) {
        self.dataFolder = dataFolder
    }

    /// The defaults of a server on this machine: a loop for each core, at most 8, and the user's own data folder.
    package static var standard: ServerConfiguration {
        let home = Environment["XDG_DATA_HOME"] ?? (Environment["HOME"] ?? ".") + "/.local/share"
        var configuration = ServerConfiguration(dataFolder: home + "/sona")
        configuration.loopCount = min(8, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        return configuration
    }
}

/// The rule for new accounts.
package enum RegistrationChoice: String, CaseIterable, Sendable {
    case open, invite, approval, closed

    /// As the protocol says it.
    package var rule: Registration {
        switch self {
        case .open: .open
        case .invite: .invite
        case .approval: .approval
        case .closed: .closed
        }
    }
}

/// Whether search engines may list the pages of the server.
package enum RobotsChoice: String, CaseIterable, Sendable {
    case allow, forbid
}

extension ServerConfiguration {
    /// The content of `server.info`, which anybody may read.
    var description: ServerDescription {
        var profile = profile
        profile.registration = registration.rule
        profile.sendsMail = mailing.isOn
        profile.logo = logo?.address
        return ServerDescription(
            name: ServerVersion.name, version: ServerVersion.number, policyURL: policyAddress,
            feedbackURL: feedbackAddress, starsURL: starsAddress, features: ServerVersion.features, profile: profile)
    }
}

/// How mail leaves the server, as the operator says it.
package struct MailConfiguration: Sendable {
    /// Whether a connection by `smtp://` becomes TLS.
    package enum Encryption: String, CaseIterable, Sendable {
        case required, offered, never
    }

    /// `smtp://host:port` or `smtps://host:port`.
    package var smtpAddress: String?
    package var smtpUser: String?
    package var smtpPassword: String?
    /// `nil`: required, but for a server on this machine, where it is used if offered.
    package var encryption: Encryption?
    /// The absolute path of a program that takes a message like sendmail.
    package var sendmailPath: String?
    package var from: String?

    /// Whether mail is sent; if not, the operator hands out links.
    package var isOn: Bool { from != nil && (smtpAddress ?? sendmailPath) != nil }
}
