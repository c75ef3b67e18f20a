// Completion of a program's command line in bash and in zsh, made from its table of options. Placeholders say what a
// value is: FILE, DIR, HOST, or words ("auto|on|off").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/cli/command_line.hpp"

namespace groma {

/// Fixed words of a value that its placeholder does not spell out. A word that ends with ':' or '=' is a beginning.
struct ValueWords {
    std::string_view value;  ///< an option ("--transport"), or a placeholder ("DISTRIBUTION")
    std::vector<std::string> words;
};

struct CompletedProgram {
    const CommandTable& table;
    std::vector<const CommandTable*> commands = {};  ///< of commands with options of their own: "groma-dec fit"
    std::vector<ValueWords> words = {};
};

/// A script that bash-completion loads when it finds it under the program's name.
[[nodiscard]] std::string bash_completion(const CompletedProgram& program);

/// A function for a folder of fpath, under the program's name with '_' before it.
[[nodiscard]] std::string zsh_completion(const CompletedProgram& program);

}  // namespace groma
