// The text of --list-transports: what this host can send over and receive, and why not the rest.
#pragma once

#include <string>

namespace groma {

[[nodiscard]] std::string transport_list();

}  // namespace groma
