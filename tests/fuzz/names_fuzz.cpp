// Untrusted names for files and pictures: no name leads out of its folder, no two names lead to one file, and gnuplot
// gets the characters of a name only as text. The input is two names, with a line end between them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "logserver/store/catalogue_file.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_directory.hpp"
#include "logserver/store/log_file.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"

namespace {

using namespace groma;  // a program of one file
namespace fs = std::filesystem;

const fs::path kDirectory = "/logs";

/// A log's file, and its name while it is written.
std::array<fs::path, 2> files_of(const std::string& experiment, const std::string& name) {
    const fs::path file = file_of_log(kDirectory, experiment, name);
    return {file, part_of(file)};
}

/// Names of experiments and logs that a log server takes.
void look_at_logs(const std::string& one, const std::string& other) {
    for (const std::string* name : {&one, &other}) {
        if (not log_name_error(*name).empty()) {
            return;
        }
    }
    for (const fs::path& file : files_of(one, other)) {
        check(file.lexically_normal() == file and file.parent_path() == kDirectory / one and
                  file.parent_path().parent_path() == kDirectory,
              "a log is not in its experiment's folder");
    }
    if (one == other) {
        return;
    }
    for (const fs::path& file : files_of("e", one)) {
        check(std::ranges::count(files_of("e", other), file) == 0, "two logs have one file");
    }
    check(is_name_of_catalogue(one) or kDirectory / one != kDirectory / "catalogue.sqlite",
          "a folder is the catalogue");
}

/// Names of experiments that a log server may refuse are made valid.
void look_at_experiment(const std::string& name) {
    const std::string folder = experiment_folder(name, "0123456789abcdef");
    check(log_name_error(folder).empty(), "an experiment's folder is refused");
    check(folder.ends_with("-01234567"), "a folder is that of another run");
    check(folder != experiment_folder(name, "f123456789abcdef"), "two runs have one folder");
}

/// gnuplot's value of an expression of joined strings, of which those in double quotes hold single quotes only.
std::string evaluated(std::string_view expression) {
    std::string value;
    while (true) {
        check(not expression.empty() and (expression.front() == '\'' or expression.front() == '"'), "a string begins");
        const char quote = expression.front();
        const std::size_t end = expression.find(quote, 1);
        check(end != std::string_view::npos, "a string ends");
        const std::string_view text = expression.substr(1, end - 1);
        check(quote == '\'' or text == "'", "nothing is obeyed between double quotes");
        const std::size_t at = text.find('@');
        check(at == std::string_view::npos or at + 1 == text.size(), "a macro is expanded");
        value += text;
        expression.remove_prefix(end + 1);
        if (expression.empty()) {
            return value;
        }
        check(expression.front() == '.', "strings are joined");
        expression.remove_prefix(1);
    }
}

void look_at_title(const std::string& name) {
    const std::string expression = gnuplot_string(name, name.size());
    check(evaluated(expression) == plain_text(name, name.size()), "gnuplot is told another name");
    check(expression.find('\n') == std::string::npos, "a line of a script ends within a name");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string one = text.substr(0, end);
    const std::string other = text.substr(std::min(end + 1, text.size()));
    look_at_logs(one, other);
    look_at_experiment(one);
    look_at_title(text);
    return 0;
}
