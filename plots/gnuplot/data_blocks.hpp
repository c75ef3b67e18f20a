// The data of a picture in gnuplot's language: blocks of rows, each with a name by which a plot refers to it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Appends blocks to a script, which outlives it. All functions return the name of the block. An empty row parts pieces
/// that gnuplot does not connect.
class DataBlocks {
public:
    explicit DataBlocks(std::string& script) : script_(script) {}

    std::string add(const Band& band);                    ///< x, low, high
    std::string add(const Curve& curve);                  ///< x, y
    std::string add(const std::vector<BandPoint>& bars);  ///< x, low, high
    std::string add(const std::vector<Box>& boxes);       ///< x, low, lower, median, upper, high
    std::string add(const std::vector<Cell>& cells);      ///< x, y of the middle, low x, high x, low y, high y, value

private:
    [[nodiscard]] std::string begin();
    void end();

    std::string& script_;
    std::size_t next_ = 0;
};

}  // namespace groma
