// Text of option tables in the language of man pages (man(7)): bold is what is typed as it stands, italic what stands
// for something else.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// One line that shows how something is written: "--log-server HOST[:PORT]", "groma-send EXPERIMENT.toml [OPTIONS]".
/// Words that begin with a capital letter are italic, other words bold.
[[nodiscard]] std::string manual_form(std::string_view form);

/// `help` as a sentence, with a capital letter and a full stop, and the sentences of `more`. Lines, a new one for each
/// sentence, each ended by '\n'; none for no text. Options and programs are bold, words that `form` has in capital
/// letters are italic.
[[nodiscard]] std::string manual_text(std::string_view help, std::string_view more, std::string_view form);

}  // namespace groma
