// The tables, views and indexes of a results file (docs/reference/sqlite-schema.md): a contract with whoever reads one.
#pragma once

#include <string>

namespace groma {

[[nodiscard]] std::string results_schema();
/// Made when the rows are there.
[[nodiscard]] std::string results_indexes();

}  // namespace groma
