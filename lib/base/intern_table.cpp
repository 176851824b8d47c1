// SPDX-License-Identifier: MIT
#include "base/intern_table.h"

#include <bit>
#include <cstring>
#include <vector>

#include "base/amount.h"

namespace cede {

namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<UnsignedWide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Word>
std::uint64_t load(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
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

// Made with the first entry, so that an empty model costs nothing.
void InternTable::make_index() {
  if (rows_.empty()) rows_.push_back(Row{});  // id 0: the empty string, outside the index
  if (buckets_.empty()) buckets_.push_back(Bucket{});
}

// Multiplies and folds sixteen bytes per round; the two words of the last round may overlap. The seed is
// fixed: equal inputs must give equal bytes on every machine.
std::uint32_t InternTable::hash_of(std::string_view bytes) {
  std::uint64_t h = 0x9E3779B97F4A7C15u ^ bytes.size();
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left > 16; at += 16, left -= 16)
    h = mix(load<std::uint64_t>(at) ^ 0xA0761D6478BD642Fu, load<std::uint64_t>(at + 8) ^ h);
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (left >= 8) {
    first = load<std::uint64_t>(at);
    last = load<std::uint64_t>(at + left - 8);
  } else if (left >= 4) {
    first = load<std::uint32_t>(at);
    last = load<std::uint32_t>(at + left - 4);
  } else if (left > 0) {
    first = load<std::uint8_t>(at);
    last = load<std::uint8_t>(at + left / 2) << 8 | load<std::uint8_t>(at + left - 1);
  }
  h = mix(first ^ 0xE7037ED1A0B428DBu, last ^ h);
  h = mix(h, 0x8EBC6AF09C88C6E3u);
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

InternTable::Id InternTable::find(std::string_view bytes) const {
  return bytes.empty() ? 0 : find(bytes, hash_of(bytes));
}

InternTable::Id InternTable::find(std::string_view bytes, std::uint32_t hash) const {
  if (buckets_.empty()) return kNotFound;
  for (const Bucket* bucket = &buckets_[bucket_of(hash)];; bucket = &spill_[bucket->more - 1]) {
    for (std::uint32_t i = 0; i < bucket->used; ++i) {
      const Entry& entry = bucket->entries[i];
      if (entry.hash == hash && view(entry.id) == bytes) return entry.id;
    }
    if (bucket->more == 0) return kNotFound;
  }
}

// The first entry in the bucket with this hash, usually the only one.
InternTable::Id InternTable::first_of(std::uint32_t hash) const {
  const Bucket& bucket = buckets_[bucket_of(hash)];
  for (std::uint32_t i = 0; i < bucket.used; ++i) {
    if (bucket.entries[i].hash == hash) return bucket.entries[i].id;
  }
  return 0;
}

void InternTable::find_all(std::span<const std::string_view> all, Id* found) const {
  std::array<std::uint32_t, kTogether> hashes;
  if (buckets_.empty()) {
    for (std::size_t i = 0; i < all.size(); ++i) found[i] = find(all[i]);
    return;
  }
  for (std::size_t from = 0; from < all.size(); from += kTogether) {
    const std::span<const std::string_view> some = all.subspan(from, std::min(kTogether, all.size() - from));
    Id* const likely = found + from;
    for (std::size_t i = 0; i < some.size(); ++i) fetch(hashes[i] = hash_of(some[i]));
    for (std::size_t i = 0; i < some.size(); ++i) {
      likely[i] = first_of(hashes[i]);
      if (likely[i] != 0) rows_.fetch_one(likely[i]);
    }
    for (std::size_t i = 0; i < some.size(); ++i) __builtin_prefetch(view(likely[i]).data());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const bool is_it = likely[i] != 0 && view(likely[i]) == some[i];
      if (!is_it) likely[i] = some[i].empty() ? 0 : find(some[i], hashes[i]);
    }
  }
}

// Steps that may throw come first. Each leaves the table unchanged or with one slot less to reuse. From the
// first link on, nothing throws.
InternTable::Id InternTable::intern(std::string_view bytes, std::uint32_t hash) {
  const Id known = find(bytes, hash);
  if (known != kNotFound) return known;
  if (buckets_.empty()) make_index();
  if (live_ >= buckets_.size() * kLoad) split();
  Row row;
  row.size = static_cast<std::uint32_t>(bytes.size());
  row.slot = store(bytes);
  Bucket& first = buckets_.edit(bucket_of(hash));
  Bucket& bucket = first.used < Bucket::kRoom ? first : with_room(first);
  Id id = 0;
  if (free_row_count_ > 0) {
    id = free_rows_[free_row_count_ - 1];
    rows_.edit(id) = row;
    --free_row_count_;
  } else {
    id = static_cast<Id>(rows_.size());
    rows_.push_back(row);
  }
  bucket.entries[bucket.used++] = {hash, id};
  ++live_;
  return id;
}

std::string_view InternTable::view_of_long(const Row& row) const {
  const std::size_t room = row.size + behind_;
  if (room <= 64) return {medium_.items[row.slot].bytes.data(), row.size};
  if (room <= 256) return {large_.items[row.slot].bytes.data(), row.size};
  return *huge_.items[row.slot];
}

void InternTable::release(Id id) {
  if (id == 0) return;
  assert(rows_[id].refs > 0);
  if (--rows_.edit(id).refs == 0) drop_if_unused(id);
}

void InternTable::drop_if_unused(Id id) {
  if (id == 0 || rows_[id].refs > 0 || rows_[id].size == 0) return;
  unlink(id);
  const Row row = rows_[id];
  const std::size_t room = row.size + behind_;
  if (room <= 16) {
    tiny_.give(row.slot);
  } else if (room <= 32) {
    small_.give(row.slot);
  } else if (room <= 64) {
    medium_.give(row.slot);
  } else if (room <= 256) {
    large_.give(row.slot);
  } else {
    huge_.items.edit(row.slot).reset();
    huge_.give(row.slot);
  }
  rows_.edit(id) = Row{};
  push_free(free_rows_, free_row_count_, id);
  --live_;
}

void InternTable::expect(std::size_t entries) {
  make_index();
  const std::size_t wanted = entries / kLoad + 1;
  if (wanted < 2 * buckets_.size()) {
    while (buckets_.size() < wanted) split();
    return;
  }
  // The table at least doubles: distribute all entries again.
  std::vector<Entry> all;
  all.reserve(live_);
  for (std::size_t i = 0; i < buckets_.size() && all.size() < live_; ++i) {
    if (buckets_[i].used == 0) continue;
    Bucket& first = buckets_.edit(i);
    for (const Bucket* bucket = &first;; bucket = &spill_[bucket->more - 1]) {
      all.insert(all.end(), bucket->entries.begin(), bucket->entries.begin() + bucket->used);
      if (bucket->more == 0) break;
    }
    while (first.more != 0) drop_spill(first);
    first.used = 0;
  }
  buckets_.grow_to(wanted);
  for (const Entry& entry : all) {
    Bucket& bucket = with_room(buckets_.edit(bucket_of(entry.hash)));
    bucket.entries[bucket.used++] = entry;
  }
}

// The first bucket with room among this one and its spill, ready for writing.
InternTable::Bucket& InternTable::with_room(Bucket& first) {
  Bucket* bucket = &first;
  while (bucket->used == Bucket::kRoom) {
    if (bucket->more != 0) {
      bucket = &spill_.edit(bucket->more - 1);
      continue;
    }
    const std::uint32_t place = take_spill();
    Bucket& added = spill_.edit(place);
    added = {};
    bucket->more = place + 1;
    bucket = &added;
  }
  return *bucket;
}

// An unused position in the spill; its content is meaningless.
std::uint32_t InternTable::take_spill() {
  if (free_spill_ == 0) {
    spill_.push_back(Bucket{});
    return static_cast<std::uint32_t>(spill_.size() - 1);
  }
  const std::uint32_t place = free_spill_ - 1;
  free_spill_ = spill_.edit(place).more;
  return place;
}

// Gives back the spill bucket after this one. It must be empty and ready for writing.
void InternTable::drop_spill(Bucket& before) {
  const std::uint32_t place = before.more;
  Bucket& dropped = spill_.edit(place - 1);
  before.more = dropped.more;
  dropped.more = free_spill_;
  free_spill_ = place;
}

// Moves entries to a new last bucket from the bucket that held them so far. Copies them first, and removes
// the originals only when nothing can fail any more.
void InternTable::split() {
  const std::size_t fresh = buckets_.size();
  const std::size_t from = fresh - std::bit_floor(fresh);
  const std::uint32_t mask = static_cast<std::uint32_t>(std::bit_floor(fresh));
  const auto moves = [mask](const Entry& entry) { return (entry.hash & mask) != 0; };
  Bucket next;
  // Makes everything that is written below writable. It does not move after that.
  buckets_.edit(from);
  for (std::uint32_t more = buckets_[from].more; more != 0; more = spill_[more - 1].more)
    spill_.edit(more - 1);
  const Bucket* bucket = &buckets_[from];
  while (bucket) {
    for (std::uint32_t i = 0; i < bucket->used; ++i) {
      if (!moves(bucket->entries[i])) continue;
      Bucket& to = with_room(next);
      to.entries[to.used++] = bucket->entries[i];
    }
    bucket = bucket->more == 0 ? nullptr : &spill_[bucket->more - 1];
  }
  buckets_.push_back(next);

  Bucket* before = nullptr;
  for (Bucket* at = &buckets_.edit(from); at;) {
    for (std::uint32_t i = at->used; i > 0; --i) {
      if (moves(at->entries[i - 1])) at->entries[i - 1] = at->entries[--at->used];
    }
    if (before && at->used == 0) {
      drop_spill(*before);
    } else {
      before = at;
    }
    at = before->more == 0 ? nullptr : &spill_.edit(before->more - 1);
  }
}

void InternTable::unlink(Id id) {
  Bucket* before = nullptr;
  for (Bucket* at = &buckets_.edit(bucket_of(hash_of(view(id))));; at = &spill_.edit(at->more - 1)) {
    for (std::uint32_t i = 0; i < at->used; ++i) {
      if (at->entries[i].id != id) continue;
      at->entries[i] = at->entries[--at->used];
      if (before && at->used == 0) drop_spill(*before);
      return;
    }
    assert(at->more != 0);
    before = at;
  }
}

std::uint32_t InternTable::store(std::string_view bytes) {
  const auto copy_into = [&]<std::size_t kBytes>(Slab<Slot<kBytes>>& slab) {
    Slot<kBytes> slot;
    std::memcpy(slot.bytes.data(), bytes.data(), bytes.size());
    return slab.put(slot);
  };
  const std::size_t room = bytes.size() + behind_;
  if (room <= 16) return copy_into(tiny_);
  if (room <= 32) return copy_into(small_);
  if (room <= 64) return copy_into(medium_);
  if (room <= 256) return copy_into(large_);
  return huge_.put(std::make_shared<const std::string>(bytes));
}

template <class Item>
std::uint32_t InternTable::Slab<Item>::put(Item item) {
  if (free_count > 0) {
    const std::uint32_t slot = free[free_count - 1];
    items.edit(slot) = std::move(item);
    --free_count;
    return slot;
  }
  items.push_back(std::move(item));
  return static_cast<std::uint32_t>(items.size() - 1);
}

template <class Item>
void InternTable::Slab<Item>::give(std::uint32_t slot) {
  push_free(free, free_count, slot);
}

}  // namespace cede
