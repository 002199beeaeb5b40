internal import CICU

/// ICU's functions as Swift sees them: UTF-16 in, UTF-16 out.
///
/// Any thread. What ICU opens is opened once, at first use, and never closed; all of it is `const` to the calls made
/// here, which ICU's rules of thread safety let run side by side (uspoof.h, "Thread Safety"; translit.h,
/// "Transliterators are stateless"). Only the memory can run out, or the data of the library be missing: both are ends
/// of the program, so nothing here throws.
enum ICU {
    typealias Units = [UInt16]

    // MARK: Normalisation and case

    static func nfc(_ text: Units) -> Units { transform(text, sona_icu_nfc) }
    static func nfd(_ text: Units) -> Units { transform(text, sona_icu_nfd) }
    /// NFKC, case fold, without the characters that show nothing (Default_Ignorable_Code_Point).
    static func nfkcCasefold(_ text: Units) -> Units { transform(text, sona_icu_nfkc_casefold) }
    static func uppercased(_ text: Units) -> Units { transform(text, sona_icu_uppercase) }

    // MARK: Look-alikes

    /// The form that texts have in common if they look alike. In NFD; ignores neither case nor invisible characters.
    ///
    /// Source: UTS #39, section 4.
    static func skeleton(_ text: Units) -> Units {
        transform(text) { sona_icu_spoof_skeleton(checker.pointer, $0, $1, $2, $3, $4) }
    }

    /// Whether `text` mixes scripts that no language writes together, or digits of several.
    ///
    /// Latin goes with Chinese, Japanese or Korean writing and with nothing else.
    ///
    /// Source: UTS #39, section 5.2, "Highly Restrictive".
    static func mixesScripts(_ text: Units) -> Bool {
        var status = U_ZERO_ERROR
        let failed = sona_icu_spoof_check(checker.pointer, text, Int32(text.count), &status)
        check(status)
        return failed != 0
    }

    /// Whether UTS #39 recommends the character for identifiers (Identifier_Status is Allowed).
    static func isRecommended(_ scalar: Unicode.Scalar) -> Bool {
        sona_icu_set_contains(recommended.pointer, Int32(scalar.value))
    }

    // MARK: Collation

    /// Bytes that stand in the order of the texts, by the collation of CLDR's root locale.
    ///
    /// Source: UTS #10, section 6.3, "Form Sort Keys"; ucol.h, `ucol_getSortKey`.
    static func sortKey(_ text: Units) -> [UInt8] {
        var capacity = text.count * 4 + 16
        while true {
            var needed = 0
            let key = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                needed = Int(
                    sona_icu_sort_key(
                        collator.pointer, text, Int32(text.count), buffer.baseAddress, Int32(buffer.count)))
                // Without the NUL at its end.
                count = max(0, min(needed, buffer.count) - 1)
            }
            if needed <= capacity { return key }
            capacity = needed
        }
    }

    // MARK: Properties

    static func category(_ scalar: UInt32) -> UCharCategory {
        UCharCategory(UInt32(sona_icu_general_category(Int32(scalar))))
    }

    /// Canonical_Combining_Class: 0 for a scalar that does not combine, or that counts as a letter of its script
    /// although it does.
    static func combiningClass(_ scalar: UInt32) -> UInt8 { sona_icu_combining_class(Int32(scalar)) }

    static func script(_ scalar: UInt32) -> UScriptCode {
        var status = U_ZERO_ERROR
        let script = sona_icu_script(Int32(scalar), &status)
        check(status)
        return script
    }

    /// Whether words of the script stand together without spaces: Chinese, kana, Thai, Khmer and others.
    static func isWrittenWithoutSpaces(_ script: UScriptCode) -> Bool {
        sona_icu_script_breaks_between_letters(script)
    }

    // MARK: Versions

    static let version = versionText(sona_icu_version)
    static let unicodeVersion = versionText(sona_icu_unicode_version)

    private static func versionText(_ write: (UnsafeMutablePointer<CChar>) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(U_MAX_VERSION_STRING_LENGTH)) { text in
            write(text.baseAddress!)  // The capacity is not zero.
            return String(cString: text.baseAddress!)
        }
    }

    // MARK: What is open

    /// Something of ICU's. Safe to share: it is never changed after it was opened.
    private struct Shared: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private static let checker = {
        var status = U_ZERO_ERROR
        let checks = Int32(USPOOF_RESTRICTION_LEVEL.rawValue | USPOOF_MIXED_NUMBERS.rawValue)
        let checker = sona_icu_spoof_open(checks, USPOOF_HIGHLY_RESTRICTIVE, &status)
        check(status)
        return Shared(pointer: checker!)  // Open, or the line above has ended the program.
    }()

    private static let recommended = {
        var status = U_ZERO_ERROR
        let set = sona_icu_spoof_recommended(&status)
        check(status)
        return Shared(pointer: set!)  // As above.
    }()

    private static let collator = {
        var status = U_ZERO_ERROR
        let collator = sona_icu_collator_open(&status)
        check(status)
        return Shared(pointer: collator!)  // As above.
    }()

    // MARK: Calling

    typealias Transform = (
        UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>?
    ) -> Int32

    /// Runs `body` with room for its result, and again with as much as it asked for if that was too little.
    private static func transform(_ text: Units, _ body: Transform) -> Units {
        guard !text.isEmpty else { return [] }
        var capacity = text.count + text.count / 2 + 16
        while true {
            var status = U_ZERO_ERROR
            var needed = 0
            let result = Units(unsafeUninitializedCapacity: capacity) { buffer, count in
                needed = Int(body(text, Int32(text.count), buffer.baseAddress, Int32(buffer.count), &status))
                count = status.rawValue <= U_ZERO_ERROR.rawValue ? needed : 0
            }
            guard status == U_BUFFER_OVERFLOW_ERROR else {
                check(status)
                return result
            }
            capacity = needed
        }
    }

    /// Negative codes are warnings.
    static func check(_ status: UErrorCode) {
        precondition(status.rawValue <= U_ZERO_ERROR.rawValue, "ICU is out of memory or its data are missing.")
    }
}

extension String {
    /// Well-formed UTF-16 of ours, and ICU keeps it well-formed.
    init(units: ICU.Units) { self.init(decoding: units, as: UTF16.self) }
}
