#include "common/page/page_files.hpp"

#include <array>

namespace groma {

std::span<const ChartFile> chart_files() {
    static constexpr auto kFiles = std::to_array<ChartFile>({
        {.path = "/dygraph.min.js", .content_type = "text/javascript; charset=utf-8"},
        {.path = "/dygraph.min.css", .content_type = "text/css; charset=utf-8"},
    });
    return kFiles;
}

std::filesystem::path chart_file(const std::filesystem::path& folder, const ChartFile& file) {
    return folder / file.path.substr(1);
}

}  // namespace groma
