// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assembly/parts/ground.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/wheel.hpp"
#include "language/sections/grammar.hpp"
#include "language/sections/keys.hpp"

// The types of parts that vehicles can have: what `type:` says in the sections tire, steering,
// brakes, powertrain, aerodynamics, driver and terrain. Programs may add their own before the first
// model is loaded; readers, JSON Schema, reference page and lists all go by what is here.

namespace chicane {

// An input of the model that a type of part needs: it is declared where the section has the type,
// and wired to the part's input of the same name.
struct PartInput {
  std::string name, value, description;  // the value while nobody drives it, "0 N m"
  std::string key = {}, word = {};       // where given: only if this key of the section says so
};

// A type of part, as files see it.
struct PartType {
  std::string name;
  std::string description;
  // Keys that the section has with this type; a condition (Key::when) may narrow them further. What
  // several types say alike is one row.
  std::vector<Key> keys = {};
  std::vector<KeyTable> tables = {};  // sections that those keys name
  std::vector<PartInput> inputs = {};
};

// A section of a vehicle and the types it may have.
class PartSection {
 public:
  // `common`: the keys that all types have, the first of them `type`, whose choices are filled in;
  // if it is not required, the first type is the default. `what`: "a tire".
  PartSection(std::string what, KeyTable common, std::vector<KeyTable> tables = {})
      : what_(std::move(what)), common_(std::move(common)), tables_(std::move(tables)) {}

  [[nodiscard]] std::string_view name() const { return common_.name; }
  [[nodiscard]] const std::deque<PartType>& types() const { return types_; }
  // The table of the section, and those of the sections within it.
  [[nodiscard]] std::vector<KeyTable> grammar() const;
  // From here on `add` is refused.
  void close() { closed_ = true; }

 protected:
  // Throws a UsageError where the name is taken or none, or it is too late.
  void describe(PartType type);
  // Which type the section has; a fault, and nothing, where there is none of that name.
  [[nodiscard]] std::optional<std::size_t> type_of(Keys& keys) const;

 private:
  std::string_view keep(std::string text) const { return kept_.emplace_back(std::move(text)); }

  std::string what_;
  KeyTable common_;
  std::vector<KeyTable> tables_;
  std::deque<PartType> types_;
  bool closed_ = false;
  mutable std::deque<std::string> kept_;  // conditions and choices that tables point to
};

// With the readers of the types: Made is what comes of a section, Args what else a reader is told.
template <class Made, class... Args>
class PartTypes : public PartSection {
 public:
  // Reads the section; faults go to the diagnostics of its keys, and then there is nothing.
  using Reader = std::function<Made(Keys& keys, Args... args)>;
  using PartSection::PartSection;

  PartTypes& add(PartType type, Reader reader) {
    require(reader != nullptr, "type '{}' of a part has no reader", type.name);
    describe(std::move(type));
    readers_.push_back(std::move(reader));
    return *this;
  }
  [[nodiscard]] Made read(Keys& keys, Args... args) const {
    const auto type = type_of(keys);
    return type ? readers_[*type](keys, args...) : Made{};
  }

 private:
  std::vector<Reader> readers_;
};

struct PartRegistry {
  PartTypes<std::shared_ptr<const TireKind>, Keys*> tires;  // ... compliance, may be null
  PartTypes<SteeringPart> steering;
  PartTypes<BlockKindPtr> brakes;
  PartTypes<PowertrainPart, const RollingStart&> powertrain;
  PartTypes<BlockKindPtr> aerodynamics;
  PartTypes<BlockKindPtr, int, const ManualGearbox*> driver;  // ... gears; what he shifts
  PartTypes<std::optional<Ground<double>>> terrain;

  PartRegistry();  // with the types that are built in

  [[nodiscard]] std::vector<const PartSection*> sections() const;
  [[nodiscard]] std::vector<KeyTable> grammar() const;
  // Inputs of the model that the types of this vehicle's parts need.
  [[nodiscard]] std::vector<PartInput> inputs_of(const DataSpec& vehicle) const;
  void close();
};

// The one that files are read by. It is closed when the first grammar is asked for.
PartRegistry& part_registry();

// The types that are built in, each beside its code.
decltype(PartRegistry::tires) built_in_tires();
decltype(PartRegistry::steering) built_in_steering();
decltype(PartRegistry::brakes) built_in_brakes();
decltype(PartRegistry::powertrain) built_in_powertrains();
decltype(PartRegistry::aerodynamics) built_in_aerodynamics();
decltype(PartRegistry::driver) built_in_drivers();
decltype(PartRegistry::terrain) built_in_terrains();

}  // namespace chicane
