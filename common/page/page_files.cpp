#include "common/page/page_files.hpp"

#include <array>
#include <fstream>
#include <iterator>

namespace groma {

std::span<const ChartFile> chart_files() {
    static constexpr auto kFiles = std::to_array<ChartFile>({
        {.path = "/dygraph.min.js",
         .content_type = "text/javascript; charset=utf-8",
         .file = "/usr/share/javascript/dygraphs/dygraph.min.js"},
        {.path = "/dygraph.min.css",
         .content_type = "text/css; charset=utf-8",
         .file = "/usr/share/javascript/dygraphs/dygraph.min.css"},
    });
    return kFiles;
}

std::optional<std::string> read_chart_file(const ChartFile& file) {
    std::ifstream in(file.file, std::ios::binary);
    if (not in) {
        return std::nullopt;
    }
    return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace groma
