// Has the pictures of a calibration drawn by groma-plot.
#pragma once

#include <filesystem>
#include <string>

namespace groma {

/// Draws into the database's folder, as SVG and PNG, with the groma-plot beside this program or else the one in PATH.
/// Returns: what to tell the user, also when nothing could be drawn: then how to do it later. Blocks.
[[nodiscard]] std::string draw_calibration(const std::filesystem::path& database);

}  // namespace groma
