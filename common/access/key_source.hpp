// Where the keys come from that a daemon asks its peers for.
#pragma once

#include <filesystem>

#include "common/access/key_files.hpp"

namespace groma {

/// Neither of both: no keys are asked for.
struct KeySource {
    /// Its files *.key. Programs of the daemon's own user need none over loopback.
    std::filesystem::path folder{};
    /// Without a folder: these, which all who may come were given. Programs of the same user are not exempt.
    KeyRing given{};

    bool ends_sessions = false;  ///< of keys that are removed, or that expire

    [[nodiscard]] bool empty() const { return folder.empty() and given.keys() == 0; }
};

inline constexpr const char* kEndWithKeyHelp =
    "with --keys: end what is under way under a key that is removed or expires (default: it goes on)";
inline constexpr const char* kEndWithKeyMore =
    "A removed key is noticed when SIGHUP has the folder read again, an expired one within a minute.";

}  // namespace groma
