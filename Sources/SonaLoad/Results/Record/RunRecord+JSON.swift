internal import FoundationEssentials

/// Why a file is no record of a run. In exit codes: 65.
package struct RunRecordError: Error, CustomStringConvertible {
    /// The fault and its place in the file: a sentence.
    package var description: String
}

extension RunRecord {
    /// The record as JSON with its keys in order, so that text tools can compare two files.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A figure that makes no sense must not cost the others.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// - Throws: `RunRecordError`.
    package init(json: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            self = try decoder.decode(RunRecord.self, from: Data(json))
        } catch let error as DecodingError {
            throw RunRecordError(description: Self.sentence(error))
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "the file" : "\"" + path.map(\.stringValue).joined(separator: ".") + "\""
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context.codingPath)) is of the wrong type."
        case .dataCorrupted(let context):
            if context.codingPath.isEmpty { return "The file is not JSON." }
            return "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: return "The file can't be read."
        }
    }
}
