// Ranges of ports as text.
#pragma once

#include <string>
#include <string_view>

#include "common/model/transport/transport_options.hpp"

namespace groma {

/// "5000-5099", ports from 1 to 65535. Throws: UsageError.
[[nodiscard]] PortRange parse_port_range(std::string_view text);

[[nodiscard]] std::string to_string(const PortRange& range);

}  // namespace groma
