/// The allowed imports between modules. A further import needs a reason, and a change of this table that gives it.
///
/// Arrows go down: programs use edges, edges use domains, domains use the base, and the base uses SonaBase and its own C
/// libraries. Targets of the base do not know each other, with one exception that is named below.
enum ModuleGraph {
    struct Row {
        /// Targets of this package.
        var ours: Set<String> = []
        /// C libraries, and products of other packages.
        var others: Set<String> = []
    }

    static let rows: [String: Row] = [
        // Below the base, and the protocol: nothing of ours.
        "SonaBase": Row(),
        "SonaWire": Row(),

        // Base.
        "SonaAudio": Row(others: ["CLAME", "COgg", "COpus", "CSoxr"]),
        "SonaCalendar": Row(ours: ["SonaBase"], others: ["CICU"]),
        "SonaCompression": Row(others: ["CZlib"]),
        "SonaConfiguration": Row(ours: ["SonaBase"]),
        "SonaCrypto": Row(ours: ["SonaBase"], others: ["COpenSSL"]),
        "SonaDatabase": Row(ours: ["SonaBase"], others: ["CSQLite"]),
        "SonaEventLoop": Row(ours: ["SonaBase"], others: ["CHTTPParser", "CLibuv", "CLibwebsockets"]),
        "SonaImages": Row(others: ["CPNG", "CTurboJPEG", "CWebP", "CZlib"]),
        // The exception: workers for foreign files are a sandbox around SonaImages and TagLib.
        "SonaMedia": Row(
            ours: ["SonaBase", "SonaImages", "SonaSandbox", "SonaTranscode"], others: ["CSandbox", "CTagLib"]),
        "SonaSandbox": Row(others: ["CSandbox"]),
        // ffmpeg reads what comes from anybody, so it runs in the sandbox.
        "SonaTranscode": Row(ours: ["SonaAudio", "SonaSandbox"]),
        "SonaText": Row(ours: ["SonaBase"], others: ["CICU"]),
        "SonaTransfer": Row(ours: ["SonaBase"], others: ["CCurl"]),

        // Domain. Siblings do not import each other.
        "SonaModel": Row(
            ours: [
                "SonaBase", "SonaCalendar", "SonaCrypto", "SonaDatabase", "SonaImages", "SonaMedia", "SonaText",
                "SonaTransfer", "SonaWire",
            ]),
        // On top of the accounts, whose rows its own refer to.
        "SonaLibrary": Row(
            ours: [
                "SonaBase", "SonaCrypto", "SonaDatabase", "SonaImages", "SonaMedia", "SonaModel", "SonaSandbox",
                "SonaText", "SonaTranscode", "SonaWire",
            ]),
        "SonaRooms": Row(ours: ["SonaAudio", "SonaBase", "SonaText", "SonaWire"]),

        // A protocol of others over the domains: neither sockets nor files.
        "SonaSubsonic": Row(ours: ["SonaBase", "SonaLibrary", "SonaModel", "SonaWire"]),

        // Backups know files and tables by name, and nothing of accounts or rooms.
        "SonaBackup": Row(ours: ["SonaBase", "SonaCrypto", "SonaDatabase", "SonaSandbox", "SonaWire"]),

        // Edges.
        "SonaClient": Row(ours: ["SonaAudio", "SonaBase", "SonaEventLoop", "SonaWire"]),
        "SonaLoad": Row(ours: ["SonaAudio", "SonaBase", "SonaClient", "SonaWire"], others: ["CLoad"]),
        "SonaServer": Row(
            ours: [
                "SonaAudio", "SonaBackup", "SonaBase", "SonaCalendar", "SonaCompression", "SonaConfiguration",
                "SonaCrypto", "SonaDatabase", "SonaEventLoop", "SonaImages", "SonaLibrary", "SonaMedia", "SonaModel",
                "SonaRooms",
                "SonaSandbox", "SonaSubsonic", "SonaTransfer", "SonaWire",
            ],
            others: ["CBuild", "CWebPlayer"]),

        // Programs.
        "sona": Row(
            ours: [
                "SonaBackup", "SonaBase", "SonaConfiguration", "SonaEventLoop", "SonaMedia", "SonaSandbox",
                "SonaServer",
                "SonaWire",
            ],
            others: ["ArgumentParser"]),
        "sonactl": Row(
            ours: [
                "SonaAudio", "SonaBase", "SonaClient", "SonaEventLoop", "SonaSandbox", "SonaTranscode", "SonaWire",
            ], others: ["ArgumentParser"]),
        "sonaschema": Row(ours: ["SonaWire"], others: ["ArgumentParser"]),
        "sonaload": Row(
            ours: ["SonaBase", "SonaClient", "SonaEventLoop", "SonaLoad", "SonaWire"], others: ["ArgumentParser"]),
    ]
}
