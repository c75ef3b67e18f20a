// "Did you mean ...?": the known word that a mistyped one is closest to.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

/// The smallest number of single characters to insert, remove, replace or swap with a neighbour that turn `a` into `b`
/// (optimal string alignment distance). Case does not matter. Words longer than 100 bytes are compared up to there.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns: the first word of `known` with the smallest distance to `word`, if that is at most a third of its length
/// (but at least 1); otherwise nothing, for a far-fetched guess helps nobody.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean 'WORD'?" to put behind a message, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace groma
