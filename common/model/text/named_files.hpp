// Files that texts of flows name: "file:gaps.txt", "pcap:/tmp/a.pcap". Pure code does not open files: the caller of the
// parser says how (common/cli/experiment_file.hpp reads them from disk).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace groma {

struct NamedFiles {
    using TakeLine = std::function<void(std::string_view line)>;
    /// Passes the lines to `take`, without line ends. A line of more than `longest` bytes comes in pieces of one byte
    /// more. Throws: SystemError if the file cannot be read; what `take` throws.
    using ReadLines = std::function<void(const std::string& path, std::size_t longest, const TakeLine& take)>;

    std::string folder{};    ///< relative names start here; empty: the current one
    ReadLines read_lines{};  ///< empty: there are no files

    /// The path of the file of this name.
    [[nodiscard]] std::string path(std::string_view name) const;
};

}  // namespace groma
