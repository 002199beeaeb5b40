// What Sona uses of ICU, 72 or newer, under names that stay: ICU's functions are macros for names that carry its
// version (u_charType_72), and Swift does not import those. Texts are UTF-16; `status` must come in as U_ZERO_ERROR.
#pragma once

#include <stdbool.h>
#include <unicode/ucal.h>
#include <unicode/uchar.h>
#include <unicode/ucol.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

// Normalisation. The instances are singletons of the library's, which any thread may use.
static inline int32_t sona_icu_nfc(
    const UChar *text, int32_t count, UChar *result, int32_t capacity, UErrorCode *status) {
    return unorm2_normalize(unorm2_getNFCInstance(status), text, count, result, capacity, status);
}
static inline int32_t sona_icu_nfd(
    const UChar *text, int32_t count, UChar *result, int32_t capacity, UErrorCode *status) {
    return unorm2_normalize(unorm2_getNFDInstance(status), text, count, result, capacity, status);
}
static inline int32_t sona_icu_nfkc_casefold(
    const UChar *text, int32_t count, UChar *result, int32_t capacity, UErrorCode *status) {
    return unorm2_normalize(unorm2_getNFKCCasefoldInstance(status), text, count, result, capacity, status);
}

// The locale "" is the root: no Turkish or Lithuanian exceptions, whatever the machine is set to.
static inline int32_t sona_icu_uppercase(
    const UChar *text, int32_t count, UChar *result, int32_t capacity, UErrorCode *status) {
    return u_strToUpper(result, capacity, text, count, "", status);
}

// Look-alikes, UTS #39.
static inline USpoofChecker *sona_icu_spoof_open(int32_t checks, URestrictionLevel level, UErrorCode *status) {
    USpoofChecker *checker = uspoof_open(status);
    uspoof_setChecks(checker, checks, status);
    uspoof_setRestrictionLevel(checker, level);
    return checker;
}
static inline int32_t sona_icu_spoof_skeleton(
    const USpoofChecker *checker, const UChar *text, int32_t count, UChar *result, int32_t capacity,
    UErrorCode *status) {
    // The second argument has meant nothing since ICU 58.
    return uspoof_getSkeleton(checker, 0, text, count, result, capacity, status);
}
static inline int32_t sona_icu_spoof_check(
    const USpoofChecker *checker, const UChar *text, int32_t count, UErrorCode *status) {
    return uspoof_check(checker, text, count, (int32_t *)0, status);
}
// Frozen and the library's own: any thread may read it, nobody closes it.
static inline const USet *sona_icu_spoof_recommended(UErrorCode *status) { return uspoof_getRecommendedSet(status); }
static inline bool sona_icu_set_contains(const USet *set, UChar32 scalar) { return uset_contains(set, scalar); }

// Transliteration. UTransliterator is itself a void *, and Swift would see a pointer to a pointer.
static inline void *sona_icu_transliterator_open(const UChar *id, int32_t count, UErrorCode *status) {
    return (void *)utrans_openU(id, count, UTRANS_FORWARD, (const UChar *)0, 0, (UParseError *)0, status);
}
// In place: the text is `*count` units long, before and after.
static inline void sona_icu_transliterate(
    const void *transliterator, UChar *text, int32_t *count, int32_t capacity, UErrorCode *status) {
    int32_t limit = *count;
    utrans_transUChars((const UTransliterator *)transliterator, text, count, capacity, 0, &limit, status);
}

// Properties of a character.
static inline int8_t sona_icu_general_category(UChar32 scalar) { return u_charType(scalar); }
static inline uint8_t sona_icu_combining_class(UChar32 scalar) { return u_getCombiningClass(scalar); }
static inline UScriptCode sona_icu_script(UChar32 scalar, UErrorCode *status) {
    return uscript_getScript(scalar, status);
}
static inline bool sona_icu_script_breaks_between_letters(UScriptCode script) {
    return uscript_breaksBetweenLetters(script);
}

// "72.1" and "15.0.0.0" need U_MAX_VERSION_STRING_LENGTH bytes at most, the NUL included.
static inline void sona_icu_version(char *text) {
    UVersionInfo version;
    u_getVersion(version);
    u_versionToString(version, text);
}
static inline void sona_icu_unicode_version(char *text) {
    UVersionInfo version;
    u_getUnicodeVersion(version);
    u_versionToString(version, text);
}

// Collation of the root locale. A collator that is not changed may be used by several threads.
static inline UCollator *sona_icu_collator_open(UErrorCode *status) { return ucol_open("", status); }
// Bytes of the key with the NUL at its end, also if `capacity` is too small for them.
static inline int32_t sona_icu_sort_key(
    const UCollator *collator, const UChar *text, int32_t count, uint8_t *key, int32_t capacity) {
    return ucol_getSortKey(collator, text, count, key, capacity);
}

// Calendars of time zones. UCalendar is itself a void *.
static inline void *sona_icu_calendar_open(const UChar *zone, int32_t count, UErrorCode *status) {
    UCalendar *calendar = ucal_open(zone, count, "", UCAL_GREGORIAN, status);
    if (U_FAILURE(*status)) return (void *)0;
    // A time that clocks leave out counts from before; of one that comes twice, the first is meant.
    ucal_setAttribute(calendar, UCAL_SKIPPED_WALL_TIME, UCAL_WALLTIME_LAST);
    ucal_setAttribute(calendar, UCAL_REPEATED_WALL_TIME, UCAL_WALLTIME_FIRST);
    return (void *)calendar;
}
// `month` is 1 for January.
static inline double sona_icu_instant(
    void *calendar, int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, UErrorCode *status) {
    ucal_clear((UCalendar *)calendar);
    ucal_setDateTime((UCalendar *)calendar, year, month - 1, day, hour, minute, 0, status);
    return ucal_getMillis((UCalendar *)calendar, status);
}
// Milliseconds that clocks are put forward by.
static inline int32_t sona_icu_zone_saving(void *calendar, double time, UErrorCode *status) {
    ucal_setMillis((UCalendar *)calendar, time, status);
    return ucal_get((UCalendar *)calendar, UCAL_DST_OFFSET, status);
}
static inline int32_t sona_icu_zone_offset(void *calendar, double time, UErrorCode *status) {
    int32_t saving = sona_icu_zone_saving(calendar, time, status);
    return ucal_get((UCalendar *)calendar, UCAL_ZONE_OFFSET, status) + saving;
}
static inline bool sona_icu_next_change(void *calendar, double time, double *change, UErrorCode *status) {
    ucal_setMillis((UCalendar *)calendar, time, status);
    return ucal_getTimeZoneTransitionDate((UCalendar *)calendar, UCAL_TZ_TRANSITION_NEXT, change, status);
}
// Whether ICU's copy of the IANA database has the zone.
static inline bool sona_icu_is_system_zone(const UChar *zone, int32_t count, UErrorCode *status) {
    UChar canonical[128];
    UBool isSystem = 0;
    ucal_getCanonicalTimeZoneID(zone, count, canonical, 128, &isSystem, status);
    return isSystem;
}
static inline int32_t sona_icu_host_zone(UChar *zone, int32_t capacity, UErrorCode *status) {
    return ucal_getHostTimeZone(zone, capacity, status);
}
