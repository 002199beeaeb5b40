internal import Glibc
internal import SonaBackup
package import SonaConfiguration
internal import SonaEventLoop
internal import SonaWire

extension ServerConfiguration {
    /// Every key of the server's configuration. What it does is written at the field.
    package static let keys = ConfigurationTable<ServerConfiguration>(
        prefix: "SONA_",
        otherVariables: [
            "SONA_CA_CERT", "SONA_CONFIG", "SONA_PASSWORD", "SONA_SERVER", "SONA_SITE", "SONA_TOKEN", "SONA_PROGRAMS",
            "SONA_PYTHON",
        ],
        [
            ConfigurationSection("Folder and sockets", folderAndSockets),
            ConfigurationSection("The way to the server", way),
            ConfigurationSection("Music", music),
            ConfigurationSection("Other people's players", radio),
            ConfigurationSection("What people see", appearance),
            ConfigurationSection("Log", log),
            ConfigurationSection("Mail", mail),
            ConfigurationSection("Backups", backups),
            ConfigurationSection("Sign-in by Firebase", firebase),
            ConfigurationSection("Services of others", ServicesConfiguration.keys),
        ])

    private static let folderAndSockets: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "data", \.dataFolder, .path("folder"), "The folder for database and keys. Made if missing.",
            usually: "$XDG_DATA_HOME/sona, else ~/.local/share/sona"),
        .many("listen", \.addresses, .listenAddress, "Address to listen on. Port 0 takes a free one."),
        .one(
            "loops", \.loopCount, .number(1...EventLoop.loopCountMax), "Threads that serve connections.",
            usually: "the cores, at most 8"),
        .one(
            "tls-cert", \.tlsCertificateFile, .path("file"),
            "PEM file of the server's certificate and its chain up to the root; with tls-key.", [.reloadable, .file]),
        .one(
            "tls-key", \.tlsKeyFile, .path("file"), "PEM file of the certificate's private key, EC or RSA.",
            [.reloadable, .file]),
        .one(
            "hsts-days", \.strictTransportDays, .number(0...3650, "days"),
            """
            Days for which browsers that have been here over TLS take no plain HTTP from this name, nor a certificate that \
            they can't verify (HSTS). Sent only where the server does TLS itself. 0: not sent.
            """, .reloadable),
        .one(
            "metrics", \.metricsAddress, .listenAddress,
            "Address at which /metrics is served, besides the operator's socket. Everybody who reaches it may read it."),
        .flag("echo", \.hasEcho, "Offer /v1/echo, which returns every message: for conformance suites."),
    ]

    private static let way: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "public-url", \.publicAddress, .webAddress("https://HOST"),
            "The address at which people reach the server. Links in mails begin with it.", .reloadable),
        .many(
            "allow-origin", \.allowedOrigins, .origin,
            "An origin whose pages may use this server, besides its own.", .reloadable),
        .many(
            "allow-host", \.allowedHosts, .hostName,
            """
            A host name that requests without TLS may use, besides that of public-url, IP addresses and names of local \
            networks; * for any.
            """, .reloadable),
        .many(
            "trusted-proxy", \.trustedProxies, .addressRange,
            """
            A reverse proxy that is trusted to name its clients' addresses (X-Forwarded-For, Forwarded or PROXY protocol \
            v2).
            """, .reloadable),
        .many(
            "exempt", \.exempt, .address, "An address to which per-address limits do not apply.", .reloadable),
        .one(
            "account-budgets", \.budgetFactor, .number(1...1000, "times"),
            "Factor by which each account's budgets for writing are raised (deploy/limits.md).", .reloadable),
        .one(
            "resume-seconds", \.resumeSeconds, .number(0...600, "s"),
            "Seconds to keep a lost connection's place in its room.", .reloadable),
    ]

    private static let music: [ConfigurationKey<ServerConfiguration>] = [
        .many(
            "music", \.musicFolders, .musicFolder,
            """
            A folder of music, and the name that people see for it; without a name it is called as the folder is. It is \
            never written to.
            """),
        .one(
            "rescan-every", \.rescanMinutes, .number(0...10_080, "minutes"),
            """
            Minutes after which all music folders are scanned again. Changes are noticed anyway, but not those that other \
            machines make in network folders. 0: never.
            """),
        .one(
            "guests-hear", \.guestsHear, .word,
            """
            What guests hear of tracks that every account hears: full for all of them, preview for 30 seconds, nothing \
            for neither sound nor titles.
            """),
        .one(
            "rendition-space", \.renditionMebibytes, .number(64...16_777_216, "MiB"),
            """
            Space in the data folder for tracks made into Opus, and for previews: 4096 are 70 hours of music. Those that \
            were heard longest ago are removed, and made again when they are asked for.
            """),
        .flag(
            "no-subsonic", \.isWithoutSubsonic,
            "Do not answer music apps that speak OpenSubsonic (/rest), which accounts sign in to with app passwords.",
            .reloadable),
        .one(
            "autoplay-rest", \.autoplayRestSeconds, .number(0...604_800, "s"),
            """
            Seconds without a listener after which a room that plays by itself rests, until somebody comes. 0 for never.
            """, .reloadable),
        .one(
            "upload-max", \.uploadMax, .number(1...1_048_576, "MiB"), "MiB that one uploaded file may have.",
            .reloadable),
        .one(
            "upload-quota", \.uploadQuota, .number(0...1_073_741_824, "MiB"),
            "MiB that the uploads of one account may take together; 0 for no uploads.", .reloadable),
        .one(
            "upload-space", \.uploadSpace, .number(0...1_073_741_824, "MiB"),
            "MiB that the uploads of all accounts may take together. The same file counts once, whoever brings it.",
            .reloadable),
    ]

    private static let radio: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "icecast-listen", \.icecastAddress, .listenAddress,
            """
            Address at which ffmpeg, OBS, Mixxx, butt, liquidsoap and others that speak Icecast host rooms. What they send, \
            and their keys, are not encrypted.
            """),
        .one(
            "snapcast-listen", \.snapcastAddress, .listenAddress,
            """
            Address at which speakers connect: snapclient and others that speak Snapcast's protocol, by custom at port 1704. \
            What they are sent is not encrypted, and whoever says a speaker's identifier hears its room.
            """),
        .one(
            "snapcast-room", \.snapcastRoom,
            .text("ROOM", expectation: "a room's identifier or @username") { RoomReference($0) != nil },
            """
            Room of the speakers that no room has, if anybody may hear it. Without it they are silent.
            """, .reloadable),
        .one(
            "radio-burst", \.radioBurstMilliseconds, .number(0...10_000, "ms"),
            """
            Milliseconds of sound that a listener by HTTP (/listen/) gets at once when it comes, so that it begins without \
            waiting: it hears the room that much later. At most what the room keeps, which is its lead and 1.5 seconds.
            """, .reloadable),
        .one(
            "radio-silence", \.radioSilenceSeconds, .number(0...86_400, "s"),
            """
            Seconds for which a listener by HTTP hears silence while its room plays nothing; then the connection ends.
            """, .reloadable),
        .one(
            "radio-encodings", \.radioEncodings, .number(0...1_000),
            """
            How many rooms are encoded to MP3 at a time, each bitrate counted: 50 take one core. Who asks for one more is \
            refused. 0: no MP3.
            """, .reloadable),
    ]

    private static let appearance: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "name", \.profile.title, .line(bytes: Limits.serverTitleBytes, "text"),
            "What the server is called, on its pages and in its mails.", .reloadable),
        .one(
            "logo", \.logoFile, .path("file"),
            "A picture beside the name: PNG, JPEG, WebP or SVG, at most 256 KiB.", [.reloadable, .file]),
        .one(
            "banner", \.profile.banner, .line(bytes: Limits.bannerBytes, "text"),
            "A message to everybody, shown on every page.", .reloadable),
        .one(
            "contact", \.profile.contact, .line(bytes: Limits.contactBytes, "text"),
            "How people can reach you: an address, or words.", .reloadable),
        .one(
            "policy-url", \.policyAddress, .webAddress("https://PAGE"),
            "The page with this server's terms and privacy notice.", .reloadable),
        .one(
            "feedback-url", \.feedbackAddress, .webAddress("https://PAGE"),
            "A page for wishes and problems, beside the inbox of this server.", .reloadable),
        .one(
            "stars-url", \.starsAddress, .webAddress("https://PAGE"),
            "A page where people can say that they like this server or its program.", .reloadable),
        .flag(
            "terms-required", \.profile.requiresTerms,
            "Whoever signs up must accept the terms at policy-url.", .reloadable),
        .one(
            "registration", \.registration, .word,
            """
            Who may make an account: open for everybody, invite for whoever has an invite of an administrator, approval \
            for everybody whom an administrator then approves, closed for nobody but you (sona user create).
            """, .reloadable),
        .one(
            "absent-owner-days", \.absentOwnerDays, .number(0...3650, "days"),
            """
            Days after which the rooms of an owner who has not signed in pass to a cohost or, without one, are closed; \
            0 for never.
            """, .reloadable),
        .one(
            "replay-days", \.replayDays, .number(1...3650, "days"),
            "Days for which rooms keep replays: what was heard, with its chat.", .reloadable),
        .one(
            "recording-space", \.recordingSpace, .number(0...1_073_741_824, "MiB"),
            """
            MiB that recordings of hosts who agreed to it may take together: 20480 are 350 hours at 128 kb/s. 0: nothing \
            is recorded.
            """, .reloadable),
        .one(
            "data-saver-kbps", \.dataSaverKilobits, .number(8...96, "kb/s"),
            "Bit rate at which listeners may hear rooms whose owners offer the data saver."),
        .one(
            "data-saver-rooms", \.dataSaverRooms, .number(0...1000, "rooms"),
            """
            Rooms whose sound is made at that bit rate at once, while somebody takes it; 0 for none. A hundred of them \
            keep one core busy.
            """, .reloadable),
        .flag("guests", \.profile.takesGuests, "Let people listen without an account.", .reloadable),
        .flag(
            "maintenance", \.profile.isInMaintenance,
            "Answer administrators only, while rooms that are live go on. Say more with banner.", .reloadable),
        .one(
            "robots", \.robots, .word, "Whether search engines may list the pages (/robots.txt).", .reloadable),
        .flag(
            "demo", \.hasDemo,
            """
            Run a public room of the user `demo` that plays, and add three albums to the library, so that there is something \
            to hear.
            """),
    ]

    private static let log: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "log-level", \.logLevel, .word, "Lines below this level are not written; debug writes every request.",
            .reloadable),
        .one(
            "log-format", \.logFormat, .word,
            "How lines are written: text for people, json for programs, auto text on a terminal and json elsewhere."),
    ]

    private static let mail: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "smtp", \.mailing.smtpAddress, .mailServer,
            "Send mail through this server."),
        .one("smtp-user", \.mailing.smtpUser, .text("user"), "The user at the mail server."),
        .one("smtp-password", \.mailing.smtpPassword, .text("password"), "The user's password.", .secret),
        .one(
            "smtp-tls", \.mailing.encryption, .word, "Whether smtp:// becomes TLS.",
            usually: "required; offered for a server on this machine"),
        .one(
            "sendmail", \.mailing.sendmailPath, .path("path"),
            "Send mail through this program instead, called like sendmail."),
        .one("mail-from", \.mailing.from, .text("address"), "The sender of mails."),
    ]

    private static let backups: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "backup-to", \.backupTo,
            .text("place", expectation: "a folder, or rclone:REMOTE:PATH") { BackupAddress.isValid($0) },
            """
            Make backups by schedule, in this folder or by rclone at rclone:REMOTE:PATH (deploy/backups.md).
            """, .reloadable),
        .one(
            "backup-every", \.backupEveryHours, .number(0...8_760, "hours"),
            "Hours between two backups. 0: one a day, at backup-at.", .reloadable),
        .one(
            "backup-at", \.backupAt,
            .text("HH:MM", expectation: "a time of day like 03:30") { BackupSchedule.minute($0) != nil },
            "The time of the daily backup, by the clock of this machine.", usually: "03:30", .reloadable),
        .one(
            "backup-keep", \.backupKeep,
            .text("rule", expectation: "a rule like 7 daily, 4 weekly, 6 monthly") { KeepRule($0) != nil },
            """
            Which backups stay after each one: the newest of so many days (daily), weeks and months, or so many altogether \
            (last).
            """, .reloadable),
        .one(
            "backup-passphrase-file", \.backupPassphraseFile, .path("file"),
            """
            File whose first line encrypts the keys in backups, mode 0600. Without it the keys are left out: app passwords, \
            invites and sign-ins are void after a restore.
            """, [.reloadable, .file]),
    ]

    private static let firebase: [ConfigurationKey<ServerConfiguration>] = [
        .one(
            "firebase-project", \.firebaseProject, .text("project"), "Let this Firebase project's users sign in."),
        .one(
            "firebase-keys", \.firebaseKeys, .text("file or URL"), "The project's keys, in place of Google's.", .file),
    ]

    /// Resolves what the program was told, and holds the keys against each other.
    package static func resolve(_ sources: ConfigurationSources) -> ResolvedConfiguration<ServerConfiguration> {
        var resolved = keys.resolve(sources, over: .standard)
        if resolved.faults.isEmpty {
            resolved.faults = resolved.target.contradictions.map {
                ConfigurationFault(resolved.origin($0.key), key: $0.key, $0.sentence)
            }
        }
        return resolved
    }

    /// Keys that do not go together, each named with a sentence.
    private var contradictions: [(key: String, sentence: String)] {
        var found = services.contradictions
        switch (tlsCertificateFile, tlsKeyFile) {
        case (_?, nil): found.append(("tls-cert", "TLS takes both tls-cert and tls-key; tls-key is missing."))
        case (nil, _?): found.append(("tls-key", "TLS takes both tls-cert and tls-key; tls-cert is missing."))
        default: break
        }
        let way = mailing.smtpAddress.map { _ in "smtp" } ?? mailing.sendmailPath.map { _ in "sendmail" }
        if mailing.smtpAddress != nil, mailing.sendmailPath != nil {
            found.append(("sendmail", "Mail leaves by smtp or by sendmail, not by both."))
        }
        if let way, mailing.from == nil { found.append((way, "Mail needs a sender: mail-from.")) }
        if mailing.from != nil, way == nil { found.append(("mail-from", "mail-from needs smtp or sendmail.")) }
        if profile.requiresTerms, policyAddress == nil {
            found.append(("terms-required", "terms-required needs policy-url, where the terms are."))
        }
        if backupEveryHours > 0, backupAt != nil {
            found.append(("backup-at", "Backups are made every so many hours or at a time of day, not both."))
        }
        for (key, isSet) in [
            ("backup-every", backupEveryHours > 0), ("backup-at", backupAt != nil),
        ] where isSet && backupTo == nil {
            found.append((key, "\(key) needs backup-to, the place of the backups."))
        }
        if firebaseKeys != nil, firebaseProject == nil {
            found.append(("firebase-keys", "firebase-keys needs firebase-project."))
        }
        return found
    }
}

extension ConfigurationForm where Value == String {
    /// One line of so many bytes of UTF-8.
    fileprivate static func line(bytes: ClosedRange<Int>, _ placeholder: String) -> Self {
        text(placeholder, expectation: "one line of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { text in
            bytes.contains(text.utf8.count) && !text.contains(where: \.isNewline)
        }
    }

    fileprivate static var origin: Self {
        text("https://HOST[:PORT]", expectation: "an origin like https://example.org") { text in
            ["https://", "http://"].contains {
                text.hasPrefix($0) && HostName.isValid(String(text.dropFirst($0.count)))
            }
        }
    }

    fileprivate static var hostName: Self {
        text("name", expectation: "the name of a host, or *") {
            $0 == "*" || HostName.isValid($0) && !$0.contains(":")
        }
    }

    fileprivate static var address: Self {
        text("address", expectation: "a numeric IP address") { text in
            var storage = in6_addr()
            return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1
        }
    }

    fileprivate static var mailServer: Self {
        text("smtp[s]://HOST:PORT", expectation: "an address that begins with smtp:// or smtps://") {
            $0.hasPrefix("smtp://") || $0.hasPrefix("smtps://")
        }
    }
}

extension ConfigurationForm where Value == AddressRange {
    fileprivate static var addressRange: Self {
        Self(
            "address or CIDR", expectation: "a numeric IP address, or a range of them like 10.0.0.0/8",
            read: { AddressRange($0) }, text: { $0.description })
    }
}
