//===- Json.h - Reading JSON that may be wrong ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_JSON_H
#define CHANSIM_JSON_H

#include "machine/NearNames.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

using Json = nlohmann::json;

/// What is wrong, and where.
struct Refusal {
  /// Whose value is wrong, or empty if it is the file.
  std::string key, reason;
  /// "LINE:COLUMN" instead of a key, if the text is no JSON.
  std::string place = {};

  /// "FILE: KEY: reason", "FILE: reason", or "FILE:LINE:COLUMN: reason".
  std::string message(const std::string &file) const {
    std::string where = !place.empty() ? ":" + place
                        : key.empty()  ? ""
                                       : ": " + key;
    return file + where + ": " + reason;
  }
};

[[noreturn]] inline void refuse(const std::string &key,
                                const std::string &reason) {
  throw Refusal{key, reason};
}

/// The value as text, also if it is a string that is not UTF-8.
inline std::string jsonText(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What the value is, for "must be a string, and is ".
inline std::string jsonType(const Json &value) {
  if (value.is_string() && value.get_ref<const std::string &>().empty())
    return "an empty text";
  if (value.is_string()) {
    std::string quoted = jsonText(value);
    return "the text '" + quoted.substr(1, quoted.size() - 2) + "'";
  }
  if (value.is_number_float()) {
    double number = value.get<double>();
    if (number != std::floor(number))
      return "the fraction " + jsonText(value);
    return "the number " + jsonText(value) +
           (std::abs(number) >= 0x1p64 ? ", which is beyond 64 bits"
                                       : ", with a point or an exponent");
  }
  return value.is_number()    ? "an integer"
         : value.is_array()   ? "an array"
         : value.is_object()  ? "an object"
         : value.is_boolean() ? jsonText(value)
                              : value.type_name();
}

/// What the library says, without its number and its place.
inline std::string jsonReason(const Json::exception &exception) {
  std::string reason = exception.what();
  for (std::string_view before : {"] ", "parse error", "column ", ": "})
    if (size_t at = reason.find(before); at != reason.npos)
      reason.erase(0, at + before.size());
    else if (before == "parse error")
      break;
  return "is no JSON: " + reason;
}

/// LINE:COLUMN of a byte; the first one is 1.
inline std::string placeOf(std::string_view text, size_t byte) {
  std::string_view before =
      text.substr(0, std::min(text.size(), std::max<size_t>(byte, 1) - 1));
  size_t line =
      1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  size_t begin = before.rfind('\n') + 1; // 0 if there is none
  return std::to_string(line) + ":" + std::to_string(before.size() - begin + 1);
}

/// The text as JSON with // comments.  Throws Refusal if it is no JSON; if a key
/// stands twice in an object, of which JSON would keep the last in silence; or if
/// values lie more than kMostNested deep in each other, which none of our formats
/// needs and a recursive walk through them could not take.
inline Json parseJson(std::string_view text) {
  constexpr int kMostNested = 100;
  std::vector<std::set<std::string>> open;
  std::string duplicate;
  auto watch = [&](int depth, Json::parse_event_t event, Json &value) {
    if (depth > kMostNested)
      refuse("", "has values in each other, more than " +
                     std::to_string(kMostNested) + " deep");
    if (event == Json::parse_event_t::object_start)
      open.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      open.pop_back();
    else if (event == Json::parse_event_t::key)
      if (auto key = value.get<std::string>(); !open.back().insert(key).second)
        duplicate = key;
    return true;
  };
  Json root;
  try {
    root = Json::parse(text.begin(), text.end(), watch, true,
                       /*comments=*/true);
  } catch (const Json::parse_error &error) {
    throw Refusal{"", jsonReason(error), placeOf(text, error.byte)};
  } catch (const Json::exception &exception) {
    refuse("", jsonReason(exception));
  }
  if (!duplicate.empty())
    refuse(duplicate, "stands twice in one object");
  return root;
}

/// What a file has, as text.  Nothing if it cannot be read.
inline std::optional<std::string> readText(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  // Of an empty file, << would say that it has failed.
  bool isEmpty = stream.peek() == std::ifstream::traits_type::eof();
  if (!stream.is_open() || stream.bad() ||
      (!isEmpty && !(text << stream.rdbuf())))
    return std::nullopt;
  return text.str();
}

/// A value of a document and how to get there: refusals name the path, such as
/// `kernels[0].blocks[2].id`, which is put together only then.  A Field points
/// to its parent, which must live as long: so it has a name of its own.
class Field {
public:
  explicit Field(const Json &root) : value(&root) {}

  std::string path() const {
    if (!parent)
      return "";
    std::string above = parent->path();
    if (key.data())
      return (above.empty() ? "" : above + ".") + std::string(key);
    return above + "[" + std::to_string(index) + "]";
  }
  [[noreturn]] void refuse(const std::string &reason) const {
    chansim::refuse(path(), reason);
  }

  const Json &json() const { return *value; }

  /// The value as an object's, refused if it is none.
  const Field &object(std::initializer_list<std::string_view> keys) const {
    if (!value->is_object())
      mustBe("an object");
    for (auto it = value->begin(); it != value->end(); ++it)
      if (std::find(keys.begin(), keys.end(), it.key()) == keys.end())
        Field(*this, it.key(), *it)
            .refuse("is no key of this object" +
                    didYouMean(it.key(), std::vector<std::string>(keys.begin(),
                                                                  keys.end())));
    return *this;
  }
  std::optional<Field> find(std::string_view name) const && = delete;
  std::optional<Field> find(std::string_view name) const & {
    auto it = value->find(name);
    if (it == value->end())
      return std::nullopt;
    return Field(*this, name, *it);
  }
  Field operator[](std::string_view name) const && = delete;
  Field operator[](std::string_view name) const & {
    if (!value->is_object())
      mustBe("an object");
    std::optional<Field> member = find(name);
    if (!member)
      chansim::refuse(Field(*this, name, *value).path(), "is missing");
    return *member;
  }

  /// Elements of an array; refused if it is none.
  uint32_t size() const {
    if (!value->is_array())
      mustBe("an array");
    return static_cast<uint32_t>(value->size());
  }
  Field at(uint32_t element) const && = delete;
  Field at(uint32_t element) const & {
    Field field(*this, {}, (*value)[element]);
    field.index = element;
    return field;
  }

  std::string_view string() const {
    if (!value->is_string())
      mustBe("a string");
    return value->get_ref<const std::string &>();
  }
  uint64_t number(uint64_t least, uint64_t greatest) const {
    if (!value->is_number_integer())
      mustBe("an integer");
    if (!value->is_number_unsigned() || value->get<uint64_t>() < least ||
        value->get<uint64_t>() > greatest)
      refuse("is " + jsonText(*value) + ", and must be between " +
             std::to_string(least) + " and " + std::to_string(greatest));
    return value->get<uint64_t>();
  }
  /// Any integer of 64 bits, signed or not, as a word.
  uint64_t word() const {
    if (!value->is_number_integer())
      mustBe("an integer");
    return value->is_number_unsigned()
               ? value->get<uint64_t>()
               : static_cast<uint64_t>(value->get<int64_t>());
  }

  [[noreturn]] void mustBe(const std::string &what) const {
    refuse("must be " + what + ", and is " + jsonType(*value));
  }

private:
  Field(const Field &parent, std::string_view key, const Json &value)
      : value(&value), parent(&parent), key(key) {}

  const Json *value;
  const Field *parent = nullptr;
  /// Without data in an array.
  std::string_view key;
  uint32_t index = 0;
};

} // namespace chansim

#endif // CHANSIM_JSON_H
