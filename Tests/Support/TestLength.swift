import Foundation

/// How thorough a run of the tests is: `deploy/test`, or `deploy/test --long`.
package enum TestLength {
    package static let isLong = ProcessInfo.processInfo.environment["SONA_LONG_TESTS"] == "1"
}
