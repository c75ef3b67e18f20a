// The keys of histories whose daemons ask for them, with as few roles as what must work takes.
#pragma once

#include <filesystem>

#include "common/access/key_files.hpp"

namespace groma::world {

/// Who has one.
struct Keys {
    UserKey sender;    ///< may have the receiver receive, and ships
    UserKey receiver;  ///< ships
    UserKey stranger;  ///< is known to both daemons, each with all roles but the one that it takes
    UserKey nobody;    ///< is known to none
};

[[nodiscard]] const Keys& keys();

/// Writes the parts of the daemons' hosts into new folders below `folder`. The addresses are those of the hosts.
void write_keys_of_receiver(const std::filesystem::path& folder, const std::string& address);
void write_keys_of_log_server(const std::filesystem::path& folder, const std::string& address);

}  // namespace groma::world
