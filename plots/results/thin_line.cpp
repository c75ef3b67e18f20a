#include "plots/results/thin_line.hpp"

#include <utility>

namespace groma {

void ColumnLine::add(const PicturePoint& point, bool connected) {
    const std::int64_t column = columns_(point.x);
    const bool first = line_.pieces.empty();
    const bool new_piece = first or (joined_ ? column > at_ + 1 : not connected);
    if (column != at_ or new_piece) {
        end_column();
    }
    if (new_piece) {
        line_.pieces.emplace_back();
        line_.extremes.emplace_back();
    }
    at_ = column;
    column_.push_back(point);
}

void ColumnLine::end_column() {
    if (not column_.empty()) {
        line_.pieces.back().push_back(median_of(column_));
        line_.extremes.back().push_back(extremes_of(column_));
        column_.clear();
    }
}

ThinnedLine ColumnLine::finish() && {
    end_column();
    return std::move(line_);
}

void ThinLine::add(const PicturePoint& point, bool connected) {
    joined_.add(point, connected);
    if (broken_) {
        broken_->add(point, connected);
        if (broken_->pieces() > kColumns) {
            broken_.reset();
        }
    }
    if (whole_) {
        if (whole_->empty() or not connected) {
            whole_->emplace_back();
        }
        whole_->back().push_back(point);
        if (++points_ > kFewPoints * (kColumns + 1)) {
            whole_.reset();
        }
    }
}

ThinnedLine ThinLine::finish() && {
    if (whole_) {
        return {*std::move(whole_), {}};
    }
    return broken_ ? std::move(*broken_).finish() : std::move(joined_).finish();
}

}  // namespace groma
