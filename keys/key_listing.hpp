// What files of keys are, for people. Secrets stay out.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "common/time/instant.hpp"

namespace groma {

/// A table with a row for each file. Throws: UsageError with the errors of all files; SystemError for the first that
/// cannot be read.
[[nodiscard]] std::string key_listing(std::span<const std::filesystem::path> files, WallTime now);

}  // namespace groma
