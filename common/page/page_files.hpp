// The files of the page: its own, which are built in, and those of Debian's package libjs-dygraphs, which draw charts.
#pragma once

#include <filesystem>
#include <span>
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
};

/// Of the package.
inline constexpr const char* kChartFolder = "/usr/share/javascript/dygraphs";

[[nodiscard]] std::span<const ChartFile> chart_files();

/// Where a folder has it.
[[nodiscard]] std::filesystem::path chart_file(const std::filesystem::path& folder, const ChartFile& file);

}  // namespace groma
