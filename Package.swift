// swift-tools-version: 6.1
import PackageDescription

/// The language mode is 6 by the tools version; these three come on top.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "sona",
    products: [
        .executable(name: "sona", targets: ["sona"]),
        .executable(name: "sonactl", targets: ["sonactl"]),
        .executable(name: "sonaload", targets: ["sonaload"]),
        .executable(name: "sonaschema", targets: ["sonaschema"]),
        .library(name: "SonaAudio", targets: ["SonaAudio"]),
        .library(name: "SonaBase", targets: ["SonaBase"]),
        .library(name: "SonaCalendar", targets: ["SonaCalendar"]),
        .library(name: "SonaConfiguration", targets: ["SonaConfiguration"]),
        .library(name: "SonaCompression", targets: ["SonaCompression"]),
        .library(name: "SonaCrypto", targets: ["SonaCrypto"]),
        .library(name: "SonaDatabase", targets: ["SonaDatabase"]),
        .library(name: "SonaEventLoop", targets: ["SonaEventLoop"]),
        .library(name: "SonaImages", targets: ["SonaImages"]),
        .library(name: "SonaMedia", targets: ["SonaMedia"]),
        .library(name: "SonaSandbox", targets: ["SonaSandbox"]),
        .library(name: "SonaText", targets: ["SonaText"]),
        .library(name: "SonaTranscode", targets: ["SonaTranscode"]),
        .library(name: "SonaTransfer", targets: ["SonaTransfer"]),
        .library(name: "SonaWire", targets: ["SonaWire"]),
    ],
    dependencies: [
        // Subcommands, help texts, completions and exit code 64 as users of command lines know them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // Shims: the C libraries as Debian ships them.
        .systemLibrary(name: "CLibwebsockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
        // Has no pkg-config file; its header and library are where compilers look.
        .systemLibrary(name: "CHTTPParser", providers: [.apt(["libhttp-parser-dev"])]),
        .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
        .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
        // MP3, for players that know nothing else. Has no pkg-config file.
        .systemLibrary(name: "CLAME", providers: [.apt(["libmp3lame-dev"])]),
        .systemLibrary(name: "COgg", pkgConfig: "ogg", providers: [.apt(["libogg-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // Of the kernel's interface, what a worker limits itself by: seccomp, prctl.
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CICU", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLoad", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        // TagLib is C++ without a C interface to what is needed here.
        .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag")]),

        // Below the base: what several targets would otherwise each have a copy of.
        .target(name: "SonaBase", swiftSettings: strict),

        // Base: ignorant of Sona and of each other.
        .target(name: "SonaWire", swiftSettings: strict),
        .target(name: "SonaAudio", dependencies: ["COpus", "COgg", "CSoxr", "CLAME"], swiftSettings: strict),
        .target(
            name: "SonaDatabase", dependencies: ["SonaBase", "CSQLite"], exclude: ["README.md"], swiftSettings: strict),
        .target(name: "SonaCrypto", dependencies: ["SonaBase", "COpenSSL"], swiftSettings: strict),
        .target(name: "SonaText", dependencies: ["SonaBase", "CICU"], swiftSettings: strict),
        .target(name: "SonaCalendar", dependencies: ["SonaBase", "CICU"], swiftSettings: strict),
        .target(name: "SonaImages", dependencies: ["CTurboJPEG", "CPNG", "CWebP", "CZlib"], swiftSettings: strict),
        // Foreign bytes are read by a process that has limited itself: a decoder that is taken over has nothing to take.
        .target(name: "SonaSandbox", dependencies: ["CSandbox"], swiftSettings: strict),
        .target(name: "SonaTranscode", dependencies: ["SonaAudio", "SonaSandbox"], swiftSettings: strict),
        .target(
            name: "SonaMedia",
            dependencies: ["SonaBase", "SonaImages", "SonaSandbox", "SonaTranscode", "CSandbox", "CTagLib"],
            swiftSettings: strict),
        .target(name: "SonaCompression", dependencies: ["CZlib"], swiftSettings: strict),
        .target(name: "SonaConfiguration", dependencies: ["SonaBase"], swiftSettings: strict),
        .target(name: "SonaTransfer", dependencies: ["SonaBase", "CCurl"], swiftSettings: strict),
        .target(
            name: "SonaEventLoop", dependencies: ["SonaBase", "CLibwebsockets", "CLibuv", "CHTTPParser"],
            swiftSettings: strict),

        // Domain: the live plane in memory, the durable plane in SQLite.
        .target(
            name: "SonaRooms", dependencies: ["SonaBase", "SonaWire", "SonaAudio", "SonaText"], swiftSettings: strict),
        .target(
            name: "SonaModel",
            dependencies: [
                "SonaBase", "SonaCalendar", "SonaWire", "SonaDatabase", "SonaCrypto", "SonaText", "SonaImages",
                "SonaMedia", "SonaTransfer",
            ],
            swiftSettings: strict),

        // Music: on top of the accounts, whose rows its own refer to.
        .target(
            name: "SonaLibrary",
            dependencies: [
                "SonaBase", "SonaWire", "SonaDatabase", "SonaCrypto", "SonaText", "SonaImages", "SonaMedia",
                "SonaSandbox", "SonaTranscode", "SonaModel",
            ],
            swiftSettings: strict),

        // Other people's players: their protocol over the library and the accounts, values in and values out.
        .target(
            name: "SonaSubsonic", dependencies: ["SonaBase", "SonaWire", "SonaModel", "SonaLibrary"],
            swiftSettings: strict),

        // Backups of a data folder from outside of the server: the database, files and keys, as bytes.
        .target(
            name: "SonaBackup", dependencies: ["SonaBase", "SonaWire", "SonaDatabase", "SonaCrypto", "SonaSandbox"],
            swiftSettings: strict),

        // Applications: what puts the domains together, and what a client is made of.
        // The files of the web player, embedded. Only what #embed reads is in the C of it.
        .target(name: "CWebPlayer", exclude: ["list.py"]),
        // The commit in `sona --version`: deploy/package names it. A define, so that nothing else is compiled anew.
        .target(
            name: "CBuild",
            cSettings: Context.environment["SONA_COMMIT"].map { [.define("SONA_COMMIT", to: "\"\($0)\"")] } ?? []),
        .target(
            name: "SonaClient", dependencies: ["SonaBase", "SonaWire", "SonaAudio", "SonaEventLoop"],
            swiftSettings: strict),
        .target(
            name: "SonaServer",
            dependencies: [
                "SonaBase", "SonaCalendar", "SonaConfiguration", "SonaRooms", "SonaModel", "SonaLibrary", "SonaWire",
                "SonaAudio", "SonaDatabase", "SonaCrypto", "SonaTransfer", "SonaCompression", "SonaImages", "SonaMedia",
                "SonaSandbox",
                "SonaEventLoop", "SonaSubsonic", "CBuild", "SonaBackup", "CWebPlayer",
            ],
            exclude: ["Public"],
            swiftSettings: strict),

        // The load-test harness: hosts and listeners of its own, lean enough not to be what is measured.
        .target(
            name: "SonaLoad", dependencies: ["SonaBase", "SonaWire", "SonaAudio", "SonaClient", "CLoad"],
            exclude: ["README.md"], swiftSettings: strict),

        // Programs.
        // For engineers: writes the machine-readable half of Protocol/ from the declarations in SonaWire.
        .executableTarget(
            name: "sonaschema",
            dependencies: ["SonaWire", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),
        .executableTarget(
            name: "sona",
            dependencies: [
                "SonaBackup", "SonaBase", "SonaConfiguration", "SonaServer", "SonaWire", "SonaMedia", "SonaSandbox",
                "SonaEventLoop",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "sonactl",
            dependencies: [
                "SonaBase", "SonaClient", "SonaAudio", "SonaSandbox", "SonaTranscode", "SonaWire", "SonaEventLoop",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "sonaload",
            dependencies: [
                "SonaBase", "SonaLoad", "SonaClient", "SonaWire", "SonaEventLoop",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // Tests.
        .target(
            name: "SonaTestSupport", dependencies: ["SonaBase", "CZlib"], path: "Tests/Support", swiftSettings: strict),
        // What of the style a machine can check. It reads the sources, and depends on none of them.
        .testTarget(name: "TidyTests", swiftSettings: strict),
        .testTarget(name: "SonaBaseTests", dependencies: ["SonaBase", "SonaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SonaWireTests", dependencies: ["SonaBase", "SonaWire", "SonaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SonaAudioTests", dependencies: ["SonaBase", "SonaAudio", "SonaTestSupport"], swiftSettings: strict),
        // A disk that fails and a program that is killed: SonaDatabase is tried by force.
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
        .executableTarget(
            name: "DatabaseCrashProgram", dependencies: ["SonaBase", "SonaDatabase", "SonaTestSupport", "CFaultyDisk"],
            path: "Tests/DatabaseCrashProgram", swiftSettings: strict),
        .testTarget(
            name: "SonaDatabaseTests",
            dependencies: ["SonaBase", "SonaDatabase", "SonaTestSupport", "DatabaseCrashProgram"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaImagesTests",
            dependencies: ["SonaBase", "SonaImages", "CTurboJPEG", "CWebP", "SonaTestSupport"],
            swiftSettings: strict),
        // The program is what is tested: a worker is no worker in the process of the tests.
        .testTarget(
            name: "SonaTranscodeTests",
            dependencies: ["SonaTranscode", "SonaSandbox", "SonaAudio", "SonaTestSupport", "sona"],
            swiftSettings: strict),
        // Plays that are written until the program is killed.
        .executableTarget(
            name: "PlaysProgram",
            dependencies: ["SonaBase", "SonaCrypto", "SonaDatabase", "SonaLibrary", "SonaModel", "SonaWire"],
            path: "Tests/PlaysProgram", swiftSettings: strict),
        .testTarget(
            name: "SonaLibraryTests",
            dependencies: [
                "PlaysProgram",
                "SonaBase", "SonaCrypto", "SonaLibrary", "SonaModel", "SonaDatabase", "SonaWire", "SonaMedia",
                "SonaSandbox", "SonaTranscode", "SonaAudio", "SonaTestSupport", "sona",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SonaMediaTests",
            dependencies: [
                "SonaBase", "SonaMedia", "SonaImages", "SonaSandbox", "SonaTranscode", "SonaTestSupport", "sona",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SonaCompressionTests", dependencies: ["SonaBase", "SonaCompression", "CZlib", "SonaTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaConfigurationTests", dependencies: ["SonaConfiguration", "SonaTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaTransferTests", dependencies: ["SonaTransfer", "SonaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SonaCalendarTests", dependencies: ["SonaBase", "SonaCalendar"], swiftSettings: strict),
        .testTarget(
            name: "SonaTextTests", dependencies: ["SonaBase", "SonaText", "SonaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SonaCryptoTests", dependencies: ["SonaCrypto", "COpenSSL", "SonaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SonaEventLoopTests", dependencies: ["SonaBase", "SonaEventLoop", "SonaTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaRoomsTests",
            dependencies: ["SonaAudio", "SonaBase", "SonaRooms", "SonaText", "SonaWire", "SonaTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaSubsonicTests", dependencies: ["SonaSubsonic", "SonaModel", "SonaWire"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaBackupTests",
            dependencies: [
                "SonaBackup", "SonaBase", "SonaCrypto", "SonaDatabase", "SonaTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SonaServerTests",
            dependencies: [
                "SonaAudio", "SonaBackup", "SonaBase", "SonaConfiguration", "SonaServer", "SonaCrypto", "SonaDatabase",
                "SonaEventLoop", "SonaImages", "SonaMedia", "SonaModel", "SonaLibrary", "SonaRooms", "SonaSandbox",
                "SonaText",
                "SonaWire", "SonaTestSupport", "sona",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SonaModelTests",
            dependencies: [
                "SonaBase", "SonaCalendar", "SonaModel", "SonaCrypto", "SonaDatabase", "SonaMedia", "SonaText",
                "SonaTransfer", "SonaWire",
                "SonaTestSupport", "CSQLite", "COpenSSL", "sona",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests", dependencies: ["SonaWire", "SonaClient", "SonaRooms", "sonaschema"],
            exclude: ["check_schemas.py", "Recordings"], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "sona", "sonactl", "sonaload", "CSandbox", "SonaAudio", "SonaBase", "SonaTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SonaLoadTests",
            dependencies: ["SonaBase", "SonaLoad", "SonaAudio", "SonaClient", "SonaWire"],
            swiftSettings: strict),
        .testTarget(
            name: "SonaClientTests",
            dependencies: ["SonaBase", "SonaClient", "SonaAudio", "SonaEventLoop", "SonaWire", "SonaTestSupport"],
            swiftSettings: strict),
    ],
    cLanguageStandard: .gnu2x
)
