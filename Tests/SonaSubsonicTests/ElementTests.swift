import Testing
@testable import SonaSubsonic
@Suite struct PlaceholderTests {}
