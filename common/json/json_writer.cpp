#include "common/json/json_writer.hpp"

namespace groma {

JsonWriter::JsonWriter(JsonForm form)
    : form_(form), json_(form == JsonForm::row ? nlohmann::json::array() : nlohmann::json::object()) {}

void JsonWriter::put(std::string_view name, nlohmann::json value, bool needed) {
    if (form_ == JsonForm::object) {
        json_[std::string(name)] = std::move(value);
        return;
    }
    json_.push_back(std::move(value));
    needed_ = needed ? json_.size() : needed_;
}

nlohmann::json JsonWriter::take() {
    while (form_ == JsonForm::row and json_.size() > needed_) {
        json_.erase(json_.size() - 1);
    }
    return std::move(json_);
}

}  // namespace groma
