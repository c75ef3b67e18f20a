// The gnuplot script of every kind of picture: tests/plots/golden/SORT-KIND.gp, without the style, which is a separate
// file. GROMA_WRITE_GOLDEN=1 plots_tests --gtest_filter='GoldenScript*' rewrites them; git shows the changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "plots/command/kind_list.hpp"
#include "plots/gnuplot/dodge.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"
#include "plots/gnuplot/reduction.hpp"
#include "plots/pictures/batch_pictures.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/pictures/run_kinds.hpp"
#include "tests/plots/golden_samples.hpp"

namespace groma {
namespace {

std::filesystem::path file_of(const std::string& name) {
    return std::filesystem::path(GROMA_TEST_DATA "/plots/golden") / (name + ".gp");
}

std::string script_of(const Picture& picture) {
    return gnuplot_script(reduced(dodged(picture)), PictureFormat::svg, "picture.svg", {});
}

/// By the names of their files.
using Scripts = std::map<std::string, std::string>;

/// `only`: these kinds; empty: all.
void add_run(Scripts& scripts, const std::string& sort, std::size_t flows, const std::set<std::string>& only = {}) {
    const RunResults run = golden_run(flows);
    for (const RunKind& kind : run_kinds()) {
        const auto picture = only.empty() or only.contains(kind.stem) ? kind.draw(run) : std::nullopt;
        if (picture) {
            scripts[sort + "-" + kind.stem] = script_of(*picture);
        }
    }
}

Scripts all_scripts() {
    Scripts scripts;
    add_run(scripts, "run", 2);
    add_run(scripts, "run_of_one_flow", 1, {"delay"});
    add_run(scripts, "run_of_many_flows", 25, {"delay", "delay-cdf", "delay-loss", "loss-periods"});
    const std::vector<FittedTraffic> fit = golden_fit();
    for (const FitKind& kind : fit_kinds()) {
        if (const auto picture = kind.draw(fit)) {
            scripts["fit-" + kind.stem] = script_of(*picture);
        }
    }
    for (const Picture& picture : batch_pictures(golden_batch())) {
        scripts.emplace("batch-" + batch_kind_of(picture), script_of(picture));
    }
    for (const Picture& picture : calibration_pictures(golden_calibration())) {
        scripts.emplace("calibration-" + calibration_kind_of(picture), script_of(picture));
    }
    return scripts;
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<double> number_in(const std::string& word) {
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() and end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// Numbers of two compilers' libraries may differ in their last digit.
bool agree(const std::string& a, const std::string& b) {
    if (a == b) {
        return true;
    }
    const auto x = number_in(a);
    const auto y = number_in(b);
    return x and y and std::abs(*x - *y) <= 1e-9 * std::max(std::abs(*x), std::abs(*y));
}

/// The first line that differs; empty: none.
std::string first_difference(const std::string& now, const std::string& pinned) {
    std::istringstream left(now);
    std::istringstream right(pinned);
    std::string a;
    std::string b;
    for (std::size_t line = 1;; ++line) {
        const bool more_left = static_cast<bool>(std::getline(left, a));
        const bool more_right = static_cast<bool>(std::getline(right, b));
        if (not more_left and not more_right) {
            return {};
        }
        std::istringstream words_a(a);
        std::istringstream words_b(b);
        const std::vector<std::string> x{std::istream_iterator<std::string>(words_a), {}};
        const std::vector<std::string> y{std::istream_iterator<std::string>(words_b), {}};
        if (more_left != more_right or not std::ranges::equal(x, y, agree)) {
            return "line " + std::to_string(line) + ":\n  now    " + a + "\n  golden " + b;
        }
    }
}

TEST(GoldenScript, OfEveryKindIsWhatItWas) {
    const Scripts scripts = all_scripts();
    if (std::getenv("GROMA_WRITE_GOLDEN") != nullptr) {
        for (const auto& entry : std::filesystem::directory_iterator(file_of("any").parent_path())) {
            std::filesystem::remove(entry.path());
        }
        for (const auto& [name, script] : scripts) {
            std::ofstream(file_of(name), std::ios::binary) << script;
        }
    }
    for (const auto& [name, script] : scripts) {
        ASSERT_TRUE(std::filesystem::exists(file_of(name))) << name << " has no golden script";
        EXPECT_EQ(first_difference(script, content_of(file_of(name))), "") << name;
    }
    for (const auto& entry : std::filesystem::directory_iterator(file_of("any").parent_path())) {
        EXPECT_TRUE(scripts.contains(entry.path().stem())) << entry.path() << " is of no kind that is drawn";
    }
}

TEST(GoldenScript, IsThereForEveryKindThatIsListed) {
    std::multiset<std::string> drawn;
    for (const auto& [name, script] : all_scripts()) {
        const std::string sort = name.substr(0, name.find('-'));
        if (not sort.starts_with("run_of")) {
            drawn.insert(name.substr(sort.size() + 1));
        }
    }
    std::multiset<std::string> listed;
    for (const std::string& kind : kind_names()) {
        listed.insert(kind);
    }
    EXPECT_EQ(drawn, listed);
}

TEST(GoldenScript, DifferenceIsSeenInAWordAndNotInALastDigit) {
    EXPECT_EQ(first_difference("plot $d0 1.0000000000000002\n", "plot $d0 1\n"), "");
    EXPECT_NE(first_difference("plot $d0 1.001\n", "plot $d0 1\n"), "");
    EXPECT_NE(first_difference("with lines\n", "with points\n"), "");
    EXPECT_NE(first_difference("a\nb\n", "a\n"), "");
}

}  // namespace
}  // namespace groma
