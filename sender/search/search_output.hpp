// What a search has found, as text and as JSON. Pure.
#pragma once

#include <string>

#include "sender/search/highest_rate.hpp"

namespace groma {

/// "trial 3, to confirm: 9.6 Mbit/s, 1.2 kpps: kept". `number`: from 1.
[[nodiscard]] std::string trial_text(const Trial& trial, std::size_t number, double bits_per_packet);

/// A few lines, each ended by '\n'.
[[nodiscard]] std::string search_text(const HighestRate& search);

/// docs/guide/search.md has its fields.
[[nodiscard]] std::string search_json(const HighestRate& search);

}  // namespace groma
