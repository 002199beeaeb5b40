// swift-tools-version: 6.1
import PackageDescription

/// Somebody else's package that uses SonaDatabase: its product, its public API, and nothing more.
let package = Package(
    name: "other-package",
    dependencies: [.package(name: "sona", path: "../..")],
    targets: [
        .executableTarget(
            name: "other-package", dependencies: [.product(name: "SonaDatabase", package: "sona")])
    ]
)
