// The files that texts of flows name: "file:gaps.txt", "pcap:/tmp/a.pcap". Nothing below the pure line opens them: who
// has such texts parsed says how (common/cli/experiment_file.hpp does it on the disk).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace groma {

struct NamedFiles {
    using TakeLine = std::function<void(std::string_view line)>;
    /// Hands over one line after the other, without its end. One of more than `longest` bytes comes in pieces of one
    /// byte more. Throws: SystemError when the file cannot be read; what `take` throws.
    using ReadLines = std::function<void(const std::string& path, std::size_t longest, const TakeLine& take)>;

    std::string folder{};    ///< where relative names begin; empty: in the current one
    ReadLines read_lines{};  ///< empty: there are no files

    /// Where the file of this name is.
    [[nodiscard]] std::string path(std::string_view name) const;
};

}  // namespace groma
