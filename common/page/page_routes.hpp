// The URLs of a live page: the page, its data, and downloads (docs/guide/page.md).
#pragma once

#include "common/http/http_routes.hpp"
#include "common/page/page_json.hpp"
#include "common/page/run_board.hpp"

namespace groma {

/// Added to `routes`. The board outlives them.
[[nodiscard]] HttpRoutes page_routes(HttpRoutes routes, const PageFacts& facts, const RunBoard& board);

}  // namespace groma
