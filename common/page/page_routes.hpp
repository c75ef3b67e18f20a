// The URLs of a live page: the page, its data, and downloads (docs/guide/page.md).
#pragma once

#include <filesystem>

#include "common/http/http_routes.hpp"
#include "common/page/page_files.hpp"
#include "common/page/page_json.hpp"
#include "common/page/run_board.hpp"

namespace groma {

/// Added to `routes`. The board outlives them. `charts`: where the library that draws charts is.
[[nodiscard]] HttpRoutes page_routes(HttpRoutes routes, const PageFacts& facts, const RunBoard& board,
                                     const std::filesystem::path& charts = kChartFolder);

}  // namespace groma
