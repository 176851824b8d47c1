// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/cow_vector.h"

namespace cede {

// Byte strings, each stored once and numbered densely: names, resource vectors, texts. Equal bytes have equal
// ids, so comparing ids compares contents. Entries are reference-counted and their slots reused, because the
// job names of a cluster come and go for years. Id 0 is the empty string and is never freed.
//
// The index is a linear hash: it grows by one bucket at a time, so no single update pays for a rehash. A
// bucket holds the hashes beside the ids, so that growing and looking up a missing text touch nothing else.
class InternTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNotFound = std::numeric_limits<Id>::max();

  // Whether a NUL follows the bytes of every entry, so that a view can serve as a C string.
  enum class End { none, nul };
  InternTable() = default;
  explicit InternTable(End end) : behind_(end == End::nul ? 1 : 0) {}

  // Finds or adds the bytes. A new entry has no owners; retain() keeps it and cannot fail right afterwards.
  // If memory runs out, the table is unchanged.
  Id intern(std::string_view bytes) { return bytes.empty() ? 0 : intern(bytes, hash_of(bytes)); }
  // The same for many texts, so that their memory accesses overlap. Calls take(i, id) for each in turn, which
  // may retain it. Stops at an empty text and returns how many came before it.
  template <class Texts, class Take>
  std::size_t intern_all(const Texts& all, std::size_t count, Take take);
  Id find(std::string_view bytes) const;
  // find() for many texts, with overlapping memory accesses.
  void find_all(std::span<const std::string_view> all, Id* found) const;
  std::string_view view(Id id) const {
    if (id == 0) return {};
    const Row& row = rows_[id];
    if (row.size == 0) return {};
    const std::size_t room = row.size + behind_;
    if (room <= 16) return {tiny_.items[row.slot].bytes.data(), row.size};
    if (room <= 32) return {small_.items[row.slot].bytes.data(), row.size};
    return view_of_long(row);
  }

  std::uint32_t owners(Id id) const { return id == 0 ? 0 : rows_[id].refs; }
  void retain(Id id, std::uint32_t times = 1) {
    if (id != 0) rows_.edit(id).refs += times;
  }
  // Gives up one ownership; the last one frees the slot.
  void release(Id id);
  // Frees an entry without owners, such as a name from a rejected document.
  void drop_if_unused(Id id);

  // Ids are below this bound; freed ones are reused.
  std::size_t id_bound() const { return std::max<std::size_t>(1, rows_.size()); }
  std::size_t live() const { return live_; }
  template <class Visit>
  void each_part(Visit visit) {
    visit(buckets_, spill_, free_spill_, rows_, free_rows_, free_row_count_, live_);
    visit(tiny_, small_, medium_, large_, huge_);
  }
  // Makes room for about this many entries, so that a bulk load does not split buckets one by one. If memory
  // runs out, the table is unusable.
  void expect(std::size_t entries);

 private:
  struct Row {
    std::uint32_t slot = 0;
    std::uint32_t size = 0;  // 0: free
    std::uint32_t refs = 0;
  };
  struct Entry {
    std::uint32_t hash = 0;
    Id id = 0;
  };
  // One cache line. Entries that do not fit are in the spill.
  struct alignas(64) Bucket {
    static constexpr std::uint32_t kRoom = 7;
    std::array<Entry, kRoom> entries{};
    std::uint32_t used = 0;
    std::uint32_t more = 0;  // position in the spill, plus 1; in a free spill bucket: the next free one
  };
  static_assert(sizeof(Bucket) == 64);
  static constexpr std::size_t kTogether = 16;  // texts whose memory accesses overlap
  static constexpr std::size_t kLoad = 3;       // entries per bucket; a bucket not split yet has 4

  template <std::size_t kBytes>
  struct alignas(16) Slot {
    std::array<char, kBytes> bytes{};
  };
  template <class Item>
  struct Slab {
    CowVector<Item> items;
    CowVector<std::uint32_t> free;  // a stack: the first free_count entries are slots to reuse
    std::uint32_t free_count = 0;
    template <class Visit>
    void each_part(Visit visit) {
      visit(items, free, free_count);
    }
    std::uint32_t put(Item item);
    void give(std::uint32_t slot);
  };

  static std::uint32_t hash_of(std::string_view bytes);
  Id intern(std::string_view bytes, std::uint32_t hash);
  Id find(std::string_view bytes, std::uint32_t hash) const;
  Id first_of(std::uint32_t hash) const;
  [[gnu::always_inline]] void fetch(std::uint32_t hash) const {
    if (!buckets_.empty()) buckets_.fetch_one(bucket_of(hash));
  }
  std::string_view view_of_long(const Row& row) const;
  std::size_t bucket_of(std::uint32_t hash) const {
    const std::size_t buckets = buckets_.size();
    const std::size_t wide = std::bit_ceil(buckets);
    const std::size_t bucket = hash & (wide - 1);
    return bucket < buckets ? bucket : hash & (wide / 2 - 1);
  }
  Bucket& with_room(Bucket& first);
  std::uint32_t take_spill();
  void drop_spill(Bucket& before);
  void make_index();
  void split();
  void unlink(Id id);
  std::uint32_t store(std::string_view bytes);

  CowVector<Bucket> buckets_;
  CowVector<Bucket> spill_;
  std::uint32_t free_spill_ = 0;  // position of the first free bucket, plus 1
  CowVector<Row> rows_;
  CowVector<std::uint32_t> free_rows_;
  std::uint32_t free_row_count_ = 0;
  std::size_t live_ = 0;
  Slab<Slot<16>> tiny_;
  Slab<Slot<32>> small_;
  Slab<Slot<64>> medium_;
  Slab<Slot<256>> large_;
  Slab<std::shared_ptr<const std::string>> huge_;
  std::uint32_t behind_ = 0;  // bytes kept free after each entry
};

// `all`: all[i] is the i-th text.
template <class Texts, class Take>
std::size_t InternTable::intern_all(const Texts& all, std::size_t count, Take take) {
  std::array<std::uint32_t, kTogether> hashes;
  std::array<std::string_view, kTogether> texts;
  for (std::size_t from = 0; from < count; from += kTogether) {
    const std::size_t most = std::min(kTogether, count - from);
    std::size_t some = 0;
    for (; some < most; ++some) {
      texts[some] = all[from + some];
      if (texts[some].empty()) break;
      fetch(hashes[some] = hash_of(texts[some]));
    }
    for (std::size_t i = 0; i < some; ++i) take(from + i, intern(texts[i], hashes[i]));
    if (some < most) return from + some;
  }
  return count;
}

}  // namespace cede
