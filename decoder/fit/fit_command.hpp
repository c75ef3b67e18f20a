// `groma-dec fit`: captures and logs in, distributions and dependence out (docs/guide/fit.md).
#pragma once

#include <span>
#include <string>

namespace groma {

/// `arguments` behind "fit". Returns: the exit status; failed when a file is damaged or no flow could be fitted.
/// Throws: what run_main() catches.
[[nodiscard]] int fit_command(std::span<const std::string> arguments);

}  // namespace groma
