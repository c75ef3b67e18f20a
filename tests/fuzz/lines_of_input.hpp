// The files that a text under test names: all of them have the same lines, which are part of the input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "common/model/text/named_files.hpp"

namespace groma {

/// `input` is the text and, after a zero byte, the lines; without one there are no files. Names begin in `folder`.
inline NamedFiles lines_of_input(std::string_view input, std::string folder = {}) {
    NamedFiles files{.folder = std::move(folder)};
    if (const std::size_t zero = input.find('\0'); zero != std::string_view::npos) {
        files.read_lines = [lines = input.substr(zero + 1)](const std::string& /*path*/, std::size_t longest,
                                                            const NamedFiles::TakeLine& take) {
            for (std::string_view rest = lines; not rest.empty();) {
                const std::string_view line = rest.substr(0, std::min(rest.find('\n'), longest + 1));
                take(line);
                const bool ended = line.size() < rest.size() and rest[line.size()] == '\n';
                rest.remove_prefix(line.size() + (ended ? 1 : 0));
            }
        };
    }
    return files;
}

}  // namespace groma
