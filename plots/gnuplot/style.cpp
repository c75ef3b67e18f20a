#include "plots/gnuplot/style.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>

#include "common/base/errors.hpp"

namespace groma {

std::string style_with(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) {
        throw SystemError("read the style " + file.string(), EISDIR, "--style names a file of gnuplot statements");
    }
    std::ifstream in(file, std::ios::binary);
    if (not in) {
        throw SystemError("read the style " + file.string(), errno == 0 ? ENOENT : errno,
                          "--style names a file of gnuplot statements");
    }
    std::string text(built_in_style());
    text.append(std::istreambuf_iterator<char>(in), {});
    text += '\n';
    return text;
}

}  // namespace groma
