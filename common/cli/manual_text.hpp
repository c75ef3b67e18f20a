// Formats the text of option tables for man pages (man(7)): bold for what is typed verbatim, italic for placeholders.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// One syntax line: "--log-server HOST[:PORT]", "groma-send EXPERIMENT.toml [OPTIONS]". Words that begin with a capital
/// letter are italic, others bold.
[[nodiscard]] std::string manual_form(std::string_view form);

/// `help` as a sentence, with a capital letter and a full stop, then the sentences of `more`. One sentence per line,
/// each ended by '\n'; empty for empty text. Options and programs are bold; words that `form` has in capitals are
/// italic.
[[nodiscard]] std::string manual_text(std::string_view help, std::string_view more, std::string_view form);

}  // namespace groma
