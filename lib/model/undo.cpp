// SPDX-License-Identifier: MIT
#include "model/undo.h"

#include <type_traits>

namespace cede {

namespace {

template <class Part>
concept Table = requires(Part& part) {
  part.begin();
  part.undo();
};
template <class Part>
concept Composed = requires(Part& part) {
  part.each_part([](auto&...) {});
};
template <class Part>
concept Number = std::is_integral_v<Part>;

// Shows every table, number and list of a model to `visit`, however deep it lies.
template <class Visit>
class Walk {
 public:
  explicit Walk(Visit& visit) : visit_(visit) {}

  template <class... Parts>
  void operator()(Parts&... parts) const {
    (one(parts), ...);
  }

 private:
  template <class Part>
  void one(Part& part) const {
    if constexpr (Composed<Part>) {
      part.each_part(*this);
    } else {
      visit_(part);
    }
  }

  Visit& visit_;
};

template <class Visit>
void walk(Model& model, Visit visit) {
  model.each_part(Walk<Visit>(visit));
}

}  // namespace

Undo::Undo(Model& model) : model_(model) {
  // What may fail comes before the first table begins to remember.
  numbers_.reserve(128);
  lists_.reserve(2);
  walk(model_, [this](auto& part) {
    using Part = std::remove_reference_t<decltype(part)>;
    if constexpr (Number<Part>) {
      numbers_.push_back(static_cast<std::uint64_t>(part));
    } else if constexpr (!Table<Part>) {
      lists_.push_back(part);
    }
  });
  walk(model_, [](auto& part) {
    if constexpr (Table<std::remove_reference_t<decltype(part)>>) part.begin();
  });
}

void Undo::keep() noexcept {
  walk(model_, [](auto& part) {
    if constexpr (Table<std::remove_reference_t<decltype(part)>>) part.keep();
  });
  kept_ = true;
}

Undo::~Undo() {
  if (kept_) return;
  std::size_t number = 0;
  std::size_t list = 0;
  walk(model_, [&](auto& part) {
    using Part = std::remove_reference_t<decltype(part)>;
    if constexpr (Number<Part>) {
      part = static_cast<Part>(numbers_[number++]);
    } else if constexpr (Table<Part>) {
      part.undo();
    } else {
      part.swap(lists_[list++]);
    }
  });
}

}  // namespace cede
