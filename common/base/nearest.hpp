// "Did you mean ...?": the known word that a mistyped one is closest to.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

/// Optimal string alignment distance: the smallest number of single-character insertions, deletions, replacements and
/// swaps of neighbours that turn `a` into `b`. Ignores case. Compares at most the first 100 bytes of each word.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns: the first word of `known` with the smallest distance to `word`; empty if that distance exceeds a third of
/// the length of `word` (a distance of 1 is always allowed).
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> known);

/// "'A', 'B' or 'C'", for messages; "'A', ..., 'H' or 3 more" of more than eight.
[[nodiscard]] std::string one_of(std::span<const std::string_view> words);

/// "; did you mean 'WORD'?" to append to a message. Without a near match the first known words that begin with `word`,
/// if it has three characters or more: "; did you mean 'A' or 'B'?"; empty if there are none.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace groma
