// SPDX-License-Identifier: MIT
#include "base/intern_table.h"

#include <bit>
#include <cstring>

#include "base/wide.h"

namespace cede {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<UnsignedWide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t load_word(const char* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

void push_free(CowVector<std::uint32_t>& stack, std::uint32_t& count, std::uint32_t value) {
  if (stack.size() == count) {
    stack.push_back(value);
  } else {
    stack.edit(count) = value;
  }
  ++count;
}

}  // namespace

// Made with the first entry, so that a model nobody has filled costs nothing.
void InternTable::make_index() {
  if (rows_.empty()) rows_.push_back(Row{});  // id 0: the empty string, outside the index
  if (heads_.empty()) heads_.push_back(kNotFound);
}

// Sixteen bytes a round, multiply and fold. Fixed seed: equal inputs must give equal bytes on every machine.
std::uint32_t InternTable::hash_of(std::string_view bytes) {
  std::uint64_t h = 0x9E3779B97F4A7C15u ^ bytes.size();
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  while (left > 16) {
    h = mix(load_word(at, 8) ^ 0xA0761D6478BD642Fu, load_word(at + 8, 8) ^ h);
    at += 16;
    left -= 16;
  }
  const std::size_t first = left < 8 ? left : 8;
  h = mix(load_word(at, first) ^ 0xE7037ED1A0B428DBu, load_word(at + first, left - first) ^ h);
  h = mix(h, 0x8EBC6AF09C88C6E3u);
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

std::size_t InternTable::bucket_of(std::uint32_t hash) const {
  const std::size_t buckets = heads_.size();
  const std::size_t wide = std::bit_ceil(buckets);
  const std::size_t bucket = hash & (wide - 1);
  return bucket < buckets ? bucket : hash & (wide / 2 - 1);
}

InternTable::Id InternTable::find(std::string_view bytes) const {
  return bytes.empty() ? 0 : find(bytes, hash_of(bytes));
}

InternTable::Id InternTable::find(std::string_view bytes, std::uint32_t hash) const {
  if (heads_.empty()) return kNotFound;
  for (Id id = heads_[bucket_of(hash)]; id != kNotFound;) {
    const Row& row = rows_[id];
    if (row.hash == hash && view(id) == bytes) return id;
    id = row.next;
  }
  return kNotFound;
}

// What may throw comes first, each step of it leaving the table as it was or with one slot less to reuse;
// from the first link on nothing does.
InternTable::Id InternTable::intern(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const std::uint32_t hash = hash_of(bytes);
  const Id known = find(bytes, hash);
  if (known != kNotFound) return known;
  make_index();
  if (live_ >= heads_.size()) add_bucket();
  Row row;
  row.hash = hash;
  row.size = static_cast<std::uint32_t>(bytes.size());
  row.slot = store(bytes);
  std::uint32_t& head = heads_.edit(bucket_of(row.hash));
  row.next = head;
  Id id = 0;
  if (free_row_count_ > 0) {
    id = free_rows_[free_row_count_ - 1];
    rows_.edit(id) = row;
    --free_row_count_;
  } else {
    id = static_cast<Id>(rows_.size());
    rows_.push_back(row);
  }
  head = id;
  ++live_;
  return id;
}

std::string_view InternTable::view(Id id) const {
  if (id == 0) return {};
  const Row& row = rows_[id];
  if (row.size == 0) return {};
  if (row.size <= 16) return {tiny_.items[row.slot].bytes.data(), row.size};
  if (row.size <= 32) return {small_.items[row.slot].bytes.data(), row.size};
  if (row.size <= 64) return {medium_.items[row.slot].bytes.data(), row.size};
  if (row.size <= 256) return {large_.items[row.slot].bytes.data(), row.size};
  return *huge_.items[row.slot];
}

void InternTable::retain(Id id) {
  if (id != 0) ++rows_.edit(id).refs;
}

void InternTable::release(Id id) {
  if (id == 0) return;
  assert(rows_[id].refs > 0);
  --rows_.edit(id).refs;
  drop_if_unused(id);
}

void InternTable::drop_if_unused(Id id) {
  if (id == 0 || rows_[id].refs > 0 || rows_[id].size == 0) return;
  unlink(id);
  const Row row = rows_[id];
  if (row.size <= 16) {
    tiny_.give(row.slot);
  } else if (row.size <= 32) {
    small_.give(row.slot);
  } else if (row.size <= 64) {
    medium_.give(row.slot);
  } else if (row.size <= 256) {
    large_.give(row.slot);
  } else {
    huge_.items.edit(row.slot).reset();
    huge_.give(row.slot);
  }
  rows_.edit(id) = Row{};  // size 0 marks the slot free
  push_free(free_rows_, free_row_count_, id);
  --live_;
}

void InternTable::expect(std::size_t entries) {
  make_index();
  while (heads_.size() < entries) {
    if (live_ == 0) {  // nothing to redistribute: grow in one go
      const std::size_t from = heads_.size();
      heads_.grow_to(entries);
      for (std::size_t i = from; i < entries; ++i) heads_.edit(i) = kNotFound;
    } else {
      add_bucket();
    }
  }
}

void InternTable::add_bucket() {
  const std::size_t fresh = heads_.size();
  const std::size_t split = fresh - std::bit_floor(fresh);  // the bucket whose entries the new one shares
  for (Id id = heads_[split]; id != kNotFound; id = rows_[id].next) rows_.edit(id);
  heads_.edit(split);
  heads_.push_back(kNotFound);
  Id id = heads_[split];
  Id stay = kNotFound;
  Id move = kNotFound;
  while (id != kNotFound) {
    Row& row = rows_.edit(id);
    const Id next = row.next;
    Id& head = bucket_of(row.hash) == fresh ? move : stay;
    row.next = head;
    head = id;
    id = next;
  }
  heads_.edit(split) = stay;
  heads_.edit(fresh) = move;
}

void InternTable::unlink(Id id) {
  const std::size_t bucket = bucket_of(rows_[id].hash);
  const Id next = rows_[id].next;
  if (heads_[bucket] == id) {
    heads_.edit(bucket) = next;
    return;
  }
  Id before = heads_[bucket];
  while (rows_[before].next != id) before = rows_[before].next;
  rows_.edit(before).next = next;
}

std::uint32_t InternTable::store(std::string_view bytes) {
  const auto copy_into = [&](auto& slab) {
    const std::uint32_t slot = slab.take();
    std::memcpy(slab.items.edit(slot).bytes.data(), bytes.data(), bytes.size());
    return slot;
  };
  if (bytes.size() <= 16) return copy_into(tiny_);
  if (bytes.size() <= 32) return copy_into(small_);
  if (bytes.size() <= 64) return copy_into(medium_);
  if (bytes.size() <= 256) return copy_into(large_);
  const std::uint32_t slot = huge_.take();
  huge_.items.edit(slot) = std::make_shared<const std::string>(bytes);
  return slot;
}

template <class Item>
std::uint32_t InternTable::Slab<Item>::take() {
  if (free_count > 0) return free[--free_count];
  items.push_back(Item{});
  return static_cast<std::uint32_t>(items.size() - 1);
}

template <class Item>
void InternTable::Slab<Item>::give(std::uint32_t slot) {
  push_free(free, free_count, slot);
}

}  // namespace cede
