// swift-tools-version: 6.1
import PackageDescription

// A package of its own: it knows Sona by its protocol alone, and measures whatever program speaks it.

/// As in the root package: the language mode is 6 by the tools version, these three come on top.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "delivery-benchmark",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CTLS", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        // The floor.
        .executableTarget(
            name: "bare-server",
            dependencies: ["CLinux", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),

        // The generator: a library, since the runner must read processor times between two of its packets.
        .target(name: "DeliveryLoad", dependencies: ["CLinux", "CTLS"], swiftSettings: strict),
        .executableTarget(
            name: "delivery-load",
            dependencies: ["DeliveryLoad", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),

        .executableTarget(
            name: "delivery-benchmark",
            dependencies: ["DeliveryLoad", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),
    ]
)
