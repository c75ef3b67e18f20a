#include "plots/gnuplot/data_blocks.hpp"

#include <fmt/format.h>

#include <iterator>

namespace groma {

namespace {

using Rows = std::back_insert_iterator<std::string>;

}  // namespace

std::string DataBlocks::begin() {
    std::string name = fmt::format("$d{}", next_++);
    fmt::format_to(Rows(script_), "{} << EOD\n", name);
    return name;
}

void DataBlocks::end() {
    script_ += "EOD\n";
}

std::string DataBlocks::add(const Band& band) {
    std::string name = begin();
    for (const auto& piece : band.pieces) {
        for (const BandPoint& point : piece) {
            fmt::format_to(Rows(script_), "{} {} {}\n", point.x, point.low, point.high);
        }
        script_ += '\n';
    }
    end();
    return name;
}

std::string DataBlocks::add(const Curve& curve) {
    std::string name = begin();
    for (const auto& piece : curve.pieces) {
        for (const PicturePoint& point : piece) {
            fmt::format_to(Rows(script_), "{} {}\n", point.x, point.y);
        }
        script_ += '\n';
    }
    end();
    return name;
}

std::string DataBlocks::add(const std::vector<BandPoint>& bars) {
    std::string name = begin();
    for (const BandPoint& bar : bars) {
        fmt::format_to(Rows(script_), "{} {} {}\n", bar.x, bar.low, bar.high);
    }
    end();
    return name;
}

std::string DataBlocks::add(const std::vector<Box>& boxes) {
    std::string name = begin();
    for (const Box& box : boxes) {
        fmt::format_to(Rows(script_), "{} {} {} {} {} {}\n", box.x, box.low, box.lower, box.median, box.upper,
                       box.high);
    }
    end();
    return name;
}

std::string DataBlocks::add(const std::vector<Cell>& cells) {
    std::string name = begin();
    for (const Cell& cell : cells) {
        fmt::format_to(Rows(script_), "{} {} {} {} {} {} {}\n", (cell.x.low + cell.x.high) / 2,
                       (cell.y.low + cell.y.high) / 2, cell.x.low, cell.x.high, cell.y.low, cell.y.high, cell.value);
    }
    end();
    return name;
}

}  // namespace groma
