// A key that a program draws for one job, and hands to the programs of that job alone.
#pragma once

#include "common/access/access_key.hpp"
#include "common/access/key_source.hpp"

namespace groma {

/// Throws: SystemError.
[[nodiscard]] SharedKey draw_key();

/// For who serves those that have it, as far as `grant` goes, and nobody else.
[[nodiscard]] KeySource asked_of_holders(const SharedKey& key, Grant grant);

/// As a line of text. Throws: UsageError, which does not show it.
[[nodiscard]] std::string to_string(const SharedKey& key);
[[nodiscard]] SharedKey parse_shared_key(std::string_view line);

}  // namespace groma
