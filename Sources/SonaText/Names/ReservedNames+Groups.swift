extension ReservedNames {
    /// Names that are reserved for one reason.
    public struct Group: Sendable {
        /// Why these names are reserved.
        public let reason: String
        /// The names in small letters, sorted.
        public let names: [String]
    }

    // A name is here if a person who read it would be misled, or a program that printed it. Before adding one, see
    // which names it excludes: `all` is not here because its key is that of Ali, `home` because of Horne, `mail`
    // because of Mali; `dev`, `nan` and `nil` because they are names.

    /// The groups that `standard` is made of. No name is shorter than the shortest that can be had.
    public static let groups: [Group] = [
        Group(
            reason: "Seems to speak for those who run the server.",
            names: [
                "admin", "administrator", "admins", "contact", "help", "helpdesk", "mod", "moderation", "moderator",
                "moderators", "mods", "official", "operator", "owner", "root", "staff", "superuser", "support",
                "sysadmin", "sysop", "system", "team", "webadmin",
            ]),
        Group(
            reason: "Seems to be the software.",
            names: ["automod", "bot", "daemon", "demo", "server", "service", "sona", "sonactl", "sonaload"]),
        Group(
            reason: "Addresses many, where a name with @ before it addresses one.",
            names: ["anybody", "anyone", "channel", "everybody", "everyone", "here", "listeners", "online", "room"]),
        Group(
            reason: "Stands for a part anybody may play, or for somebody who is not there.",
            names: [
                "anonymous", "banned", "deleted", "guest", "guests", "host", "hosts", "listener", "member", "myself",
                "nobody", "removed", "somebody", "someone", "unknown", "user", "username", "users", "yourself",
            ]),
        Group(
            reason: "Programs print it where a value is missing.",
            names: ["default", "false", "invalid", "none", "null", "true", "undefined", "void"]),
        Group(
            reason: "A mailbox that has a meaning at every domain (RFC 2142), or that others take for one.",
            names: [
                "abuse", "billing", "hostmaster", "info", "legal", "marketing", "noreply", "postmaster", "press",
                "privacy", "sales", "security", "usenet", "webmaster",
            ]),
        Group(
            reason: "The name of a machine or service below a domain.",
            names: [
                "api", "app", "assets", "autoconfig", "autodiscover", "cdn", "ftp", "imap", "localhost", "smtp",
                "static", "status", "wpad", "www",
            ]),
        Group(
            reason: "A page or path of the server's, today or some day.",
            names: [
                "about", "account", "accounts", "dashboard", "directory", "docs", "download", "downloads", "explore",
                "favicon", "feed", "healthz", "index", "join", "jwks", "library", "login", "logout", "metrics",
                "notifications", "playlist", "playlists", "profile", "readyz", "register", "robots", "rooms", "rpc",
                "search", "settings", "signin", "signout", "signup", "store", "terms", "upload", "uploads",
                "well-known",
            ]),
    ]
}
