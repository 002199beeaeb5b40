// What is known only when the program is built.
#pragma once

/// The commit that the program was built from, shortened; empty if the build was not told. Package.swift takes it from
/// the environment (SONA_COMMIT), so that no file of the repository changes with a release.
const char *sona_build_commit(void);
