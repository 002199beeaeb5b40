// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that GRDB never enters the graph of the root package.

/// As in the root package: the language mode is 6 by the tools version, these three come on top.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "database-benchmark",
    dependencies: [
        .package(name: "sona", path: "../../.."),
        // The library that SonaDatabase is compared with. An exact version, because results of different versions
        // cannot be compared.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CSQLiteFloor", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "database-benchmark",
            dependencies: [
                "CSQLiteFloor",
                .product(name: "SonaDatabase", package: "sona"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
    ]
)
