// Pictures of gnuplot within an HTML file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace groma {

/// The <svg> element of an SVG file, without its XML heading, its ids with `prefix` in front, so that those of several
/// pictures do not meet. Nothing when there is no such element, or when it has anything that a drawing does not need
/// and a browser would obey: scripts, events, references to elsewhere, other documents.
[[nodiscard]] std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix);

}  // namespace groma
