// Names of flows, runs and hosts with a special meaning for a program that shows them.
#pragma once

#include <array>

namespace groma {

/// In the order of the programs that would interpret them: terminals, people, HTML, CSV and spreadsheets, gnuplot,
/// printf, shells.
inline constexpr std::array kAwkwardNames{
    "\x1b[2J\x1b]0;x\x07",
    "a\rb",
    "a\nb",
    "a\tb",
    "\x7f",
    "\xc2\x9b"
    "2J",
    "\u202ecod.exe",
    "\u2066a",
    "\u2028",
    "\xff",
    "\xc3",
    "\xed\xa0\x80",
    "<script>x</script>",
    "<b>&amp;",
    "\" a='b",
    "' a=\"b",
    "<!--",
    "]]>",
    "javascript:",
    "url(#a)",
    "a,b",
    "a\"b\"",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "'",
    "''",
    "'''",
    "'a",
    "a''b''",
    "a''''b",
    "\"",
    "\\",
    "\\'",
    "%s%n",
    "50 %",
    "{/Bold a}",
    "a_b^c",
    "@a",
    "`id`",
    "$(id)",
    "\" . system('id')",
    "EOD\n!id\n",
    "{}",
    "{0}",
    "../../etc",
    " ",
};

}  // namespace groma
