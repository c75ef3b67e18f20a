#include "plots/pictures/batch_pictures.hpp"

#include <array>
#include <optional>

#include "plots/pictures/batch_drawing.hpp"

namespace groma {

namespace {

constexpr std::array kFigures = {
    DrawnFigure{"sent_pps", "sent-rate", "packet rate sent", Quantity::packets_per_second},
    DrawnFigure{"rate_error", "rate-error", "rate error", Quantity::share},
    DrawnFigure{"lateness_p99_ns", "lateness-p99", "p99 of lateness", Quantity::nanoseconds},
    DrawnFigure{"lambda2", "lambda2", "lambda squared of the gaps", Quantity::share},
    DrawnFigure{"throughput_bps", "throughput", "throughput received (payload)", Quantity::bits_per_second},
    DrawnFigure{"loss_ratio", "loss", "share of the packets lost", Quantity::share, ": no loss"},
    DrawnFigure{"delay_mean_ns", "delay-mean", "mean one-way delay", Quantity::nanoseconds},
    DrawnFigure{"delay_p99_ns", "delay-p99", "p99 of the one-way delay", Quantity::nanoseconds},
};

}  // namespace

std::vector<Picture> batch_pictures(const BatchResults& results) {
    std::vector<Picture> pictures;
    const auto add = [&](std::optional<Picture> picture) {
        if (picture) {
            picture->title = (results.title.empty() ? "" : results.title + ": ") + picture->title;
            pictures.push_back(*std::move(picture));
        }
    };
    for (const DrawnFigure& figure : kFigures) {
        add(draw_boxes(results, figure));
        for (const std::string& key : results.varied_keys()) {
            add(draw_sweep(results, figure, key));
        }
        add(draw_heat(results, figure));
    }
    return pictures;
}

std::vector<std::pair<std::string, std::string>> batch_kinds() {
    return {{"box", "box plots across the repetitions of each group, of each figure"},
            {"sweep", "figures against a key with numbers, with confidence bars"},
            {"heat", "figures as a map of two keys"}};
}

std::string batch_kind_of(const Picture& picture) {
    return picture.stem.substr(0, picture.stem.find('-'));
}

}  // namespace groma
