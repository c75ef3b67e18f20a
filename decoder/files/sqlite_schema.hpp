// The tables, views and indexes of a results file (docs/reference/sqlite-schema.md): a contract with readers of such
// files.
#pragma once

#include <string>

namespace groma {

[[nodiscard]] std::string results_schema();
/// To be made after the rows.
[[nodiscard]] std::string results_indexes();

}  // namespace groma
