// The files of the page: its own, which are built in, and those of Debian's package libjs-dygraphs, which draw charts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

struct PageFile {
    std::string_view path;  ///< of its URL
    std::string_view content_type;
    std::string_view text;
};

/// common/page/files.
[[nodiscard]] std::span<const PageFile> page_files();

struct ChartFile {
    std::string_view path;  ///< of its URL
    std::string_view content_type;
    const char* file;
};

[[nodiscard]] std::span<const ChartFile> chart_files();

/// Nothing: it is not installed.
[[nodiscard]] std::optional<std::string> read_chart_file(const ChartFile& file);

}  // namespace groma
