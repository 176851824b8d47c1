// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace cede {

// A growing array in small shared pages. Copying it copies one pointer; writing to a copy duplicates only the
// page written to and the two short lists above it. Engine clones, plan snapshots and all-or-nothing updates
// therefore cost what changes, not the size of the cluster.
//
// Between begin() and keep() or undo() the vector saves what it overwrites, element by element. An
// all-or-nothing change to an unshared vector then costs what it writes, whereas a backup copy would cost
// whole pages. If many neighbouring elements are written, the vector saves the page.
//
// Writes come in runs, so the vector remembers the page of the last write. While the vector is not shared,
// the next write to that page checks nothing else.
//
// Pages have no reference counts, because every duplicate of a list of pages would have to count them all.
// Each page belongs to one list, and a duplicate keeps the list it was made from. Once the duplicate is the
// only user of that list, its next write takes over the pages; pages it has replaced are freed no sooner.
//
// References stay valid until the next edit of the same vector. Different threads may use different copies.
template <class T, std::size_t kPageBytes = 1024>
class CowVector {
  struct Page;

 public:
  static constexpr std::size_t kPageItems = std::bit_floor(std::max<std::size_t>(kPageBytes / sizeof(T), 2));

  CowVector() = default;
  CowVector(const CowVector& other) noexcept : root_(other.root_), size_(other.size_) {
    retain(root_);
    other.forget_last();
  }
  CowVector(CowVector&& other) noexcept
      : root_(std::exchange(other.root_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        begun_at_(std::exchange(other.begun_at_, kNotBegun)),
        undo_log_(std::move(other.undo_log_)) {
    other.forget_last();
  }
  CowVector& operator=(CowVector other) noexcept {
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
    std::swap(begun_at_, other.begun_at_);
    std::swap(undo_log_, other.undo_log_);
    forget_last();
    return *this;
  }
  ~CowVector() { release(root_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return root_->chunks[i >> kChunkShift]->pages[(i >> kPageShift) & kChunkMask]->items[i & kPageMask];
  }

  // Prefetches one element that will be read soon.
  [[gnu::always_inline]] void fetch_one(std::size_t i) const { __builtin_prefetch(&(*this)[i]); }

  // Reads elements in order, or nearly so: looks up each page once and prefetches the next one. Valid until
  // the vector is written to.
  class Reader {
   public:
    explicit Reader(const CowVector& vector) : vector_(vector) {}
    const T& operator[](std::size_t i) {
      if (i >> kPageShift != number_) enter(i);
      return page_->items[i & kPageMask];
    }

   private:
    [[gnu::noinline]] void enter(std::size_t i) {
      assert(i < vector_.size_);
      page_ = vector_.page_at(i);
      number_ = i >> kPageShift;
      vector_.fetch(i + kPageItems);
    }

    const CowVector& vector_;
    const Page* page_ = nullptr;
    std::size_t number_ = kNoPage;
  };

  // The element for writing. Duplicates what is shared on the way to it.
  T& edit(std::size_t i) {
    assert(i < size_);
    T& item = writable(i).items[i & kPageMask];
    if (i < save_below_) save_item(i, item);
    return item;
  }

  // If memory runs out, the vector is unchanged. The value may be one of its own elements: their pages are
  // not freed meanwhile.
  void push_back(const T& value) {
    if ((size_ & kPageMask) == 0) add_page();
    writable(size_).items[size_ & kPageMask] = value;
    ++size_;
  }
  void push_back(T&& value) {
    if ((size_ & kPageMask) == 0) add_page();
    writable(size_).items[size_ & kPageMask] = std::move(value);
    ++size_;
  }

  // Grows with default elements. There is no shrinking: the tables above reuse freed slots.
  void grow_to(std::size_t n) {
    if (n <= size_) return;
    if ((size_ & kPageMask) != 0 && n <= (size_ | kPageMask) + 1) {
      size_ = n;
      return;
    }
    while (size_ < n) {
      if ((size_ & kPageMask) == 0) add_page();
      size_ = std::min(n, (size_ | kPageMask) + 1);
    }
  }

  // Starts to save what is overwritten. A copy taken later does not.
  void begin() noexcept {
    assert(begun_at_ == kNotBegun);
    begun_at_ = save_below_ = size_;
  }
  void keep() noexcept {
    begun_at_ = save_below_ = kNotBegun;
    forget_undo_log();
  }
  // Restores the elements and the size at begin(). Copies taken since must be gone.
  void undo() noexcept {
    if (undo_log_) {
      // No element is saved after its page, but some may be saved before it. So pages are restored first.
      for (auto& each : undo_log_->pages) *page_at(each.first) = std::move(*each.second);
      for (auto each = undo_log_->items.rbegin(); each != undo_log_->items.rend(); ++each)
        page_at(each->first)->items[each->first & kPageMask] = std::move(each->second);
    }
    forget_undo_log();
    forget_last();
    // Added elements are dropped, because grow_to() promises default elements. If they are on a page with
    // older elements, that page may still belong to the list from which a copy was made.
    if (begun_at_ < size_ && root_->refs.load(std::memory_order_acquire) == 1) {
      Chunk& chunk = *root_->chunks[begun_at_ >> kChunkShift];
      if (chunk.refs.load(std::memory_order_acquire) == 1) chunk.take_over();
    }
    for (std::size_t i = begun_at_; i < size_ && (i & kPageMask) != 0 && is_own(i); ++i)
      page_at(i)->items[i & kPageMask] = T{};
    const std::size_t pages = (begun_at_ + kPageMask) >> kPageShift;
    for (std::size_t page = pages; page << kPageShift < size_; ++page) drop_page(page);
    size_ = std::exchange(begun_at_, kNotBegun);
    save_below_ = kNotBegun;
  }

  // Whether both share all their storage: a cheap test that nothing was written since a copy.
  bool same_storage(const CowVector& other) const { return root_ == other.root_; }

  // Calls visit(i) for every element that may differ from the one at the same position in `before`: those on
  // pages that the two do not share, and those beyond its end. Costs what changed plus one check per chunk.
  template <class Visit>
  void for_each_unshared(const CowVector& before, Visit visit) const {
    if (root_ == before.root_ && size_ == before.size_) return;
    const auto chunk_of = [](const CowVector& vector, std::size_t i) -> const Chunk* {
      return i < vector.size_ ? vector.root_->chunks[i >> kChunkShift] : nullptr;
    };
    for (std::size_t from = 0; from < size_; from += std::size_t{1} << kChunkShift) {
      const Chunk* chunk = chunk_of(*this, from);
      const Chunk* chunk_before = chunk_of(before, from);
      const std::size_t end = std::min(size_, from + (std::size_t{1} << kChunkShift));
      if (chunk == chunk_before && end <= before.size_) continue;
      for (std::size_t page = from; page < end; page += kPageItems) {
        const std::size_t at = (page >> kPageShift) & kChunkMask;
        const bool shared = chunk_before && chunk->pages[at] == chunk_before->pages[at];
        const std::size_t last = std::min(end, page + kPageItems);
        for (std::size_t i = shared ? std::max(page, before.size_) : page; i < last; ++i) visit(i);
      }
    }
  }

 private:
  static constexpr std::size_t kPageShift = std::countr_zero(kPageItems);
  static constexpr std::size_t kPageMask = kPageItems - 1;
  static constexpr std::size_t kChunkPages = 64;
  static constexpr std::size_t kChunkMask = kChunkPages - 1;
  static constexpr std::size_t kChunkShift = kPageShift + 6;

  struct Page {
    std::array<T, kPageItems> items{};
  };
  struct Chunk {
    std::atomic<std::uint32_t> refs{1};
    std::atomic<bool> busy{false};
    std::uint64_t owned = 0;  // one bit per page that this chunk owns; the others belong to `from`
    Chunk* from = nullptr;    // the chunk it was made from; kept while one of its pages is used
    std::array<Page*, kChunkPages> pages{};

    Chunk() = default;
    // Takes over the caller's reference to the other chunk.
    explicit Chunk(Chunk* other) : from(other), pages(other->pages) { other->shorten(); }
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
    ~Chunk() { free_pages(owned); }

    void free_pages(std::uint64_t which) {
      for (; which != 0; which &= which - 1) delete pages[static_cast<std::size_t>(std::countr_zero(which))];
    }
    // If nothing else uses `from`: frees its pages that were replaced since and takes over the rest.
    void take_over() noexcept {
      while (from && from->refs.load(std::memory_order_acquire) == 1) {
        Chunk* const old = from;
        old->free_pages(old->owned & owned);
        owned |= std::exchange(old->owned, 0);
        from = std::exchange(old->from, nullptr);
        delete old;
      }
    }
    // The same for a shared chunk. Only a thread that duplicates the chunk reads more than its pages, and one
    // such thread at a time is enough. Without this, each snapshot would keep the one before it for ever.
    void shorten() noexcept {
      if (busy.exchange(true, std::memory_order_acquire)) return;
      take_over();
      busy.store(false, std::memory_order_release);
    }
  };
  struct Root {
    std::atomic<std::uint32_t> refs{1};
    std::vector<Chunk*> chunks;
    Root() = default;
    Root(const Root& other) : chunks(other.chunks) {
      for (Chunk* chunk : chunks) retain(chunk);
    }
    ~Root() {
      for (Chunk* chunk : chunks) release(chunk);
    }
  };

  // Saved elements, by position. While there are few, an element may occur twice; with many, `known` prevents
  // that.
  struct UndoLog {
    std::vector<std::pair<std::size_t, T>> items;
    std::vector<std::pair<std::size_t, std::unique_ptr<Page>>> pages;  // by the position of the first element
    std::vector<std::uint64_t> known;  // one bit per element; empty while there are few
  };
  static constexpr std::size_t kNotBegun = 0;    // like an empty vector: nothing to save
  static constexpr std::size_t kKeptSaved = 64;  // capacity kept for the next time
  static constexpr std::size_t kManySaved = 256;

  [[gnu::noinline]] void save_item(std::size_t i, const T& item) {
    if (!undo_log_) undo_log_ = std::make_unique<UndoLog>();
    auto& items = undo_log_->items;
    auto& known = undo_log_->known;
    const auto mark = [&known](std::size_t place) { known[place >> 6] |= std::uint64_t{1} << (place & 63); };
    if (known.empty()) {
      // Skips immediate repetitions: the same caller often writes to an element again.
      if (!items.empty() && items.back().first == i) return;
      items.emplace_back(i, item);
      if (items.size() < kManySaved) return;
      known.assign(((begun_at_ | kPageMask) >> 6) + 1, 0);
      for (const auto& each : items) mark(each.first);
    } else if ((known[i >> 6] >> (i & 63) & 1) == 0) {
      if (items.back().first >> kPageShift == i >> kPageShift) return save_page(i);
      items.emplace_back(i, item);
      mark(i);
    }
  }
  // Two writes in a row to one page: more will follow.
  void save_page(std::size_t i) {
    const std::size_t first = i & ~kPageMask;
    undo_log_->pages.emplace_back(first, std::make_unique<Page>(*page_at(i)));
    for (std::size_t place = first; place < first + kPageItems; ++place)
      undo_log_->known[place >> 6] |= std::uint64_t{1} << (place & 63);
    save_below_ = kNotBegun;  // the whole page is saved
  }
  void forget_undo_log() noexcept {
    if (!undo_log_) return;
    if (undo_log_->items.capacity() > kKeptSaved || !undo_log_->pages.empty()) {
      undo_log_.reset();
    } else {
      undo_log_->items.clear();
    }
  }
  // Prefetches the page of an element, if there is one. Always inlined: to the compiler a function that does
  // nothing else has no effect, and it drops the calls.
  [[gnu::always_inline]] void fetch(std::size_t i) const {
    if (i >= size_) return;
    const char* const page = static_cast<const char*>(static_cast<const void*>(page_at(i)));
    for (std::size_t at = 0; at < sizeof(Page); at += 64) __builtin_prefetch(page + at);
  }
  Page*& page_at(std::size_t i) const {
    return root_->chunks[i >> kChunkShift]->pages[(i >> kPageShift) & kChunkMask];
  }
  // Whether only this vector uses the element's page. If not, the page was not written to.
  bool is_own(std::size_t i) const noexcept {
    const Chunk& chunk = *root_->chunks[i >> kChunkShift];
    return root_->refs.load(std::memory_order_acquire) == 1 &&
           chunk.refs.load(std::memory_order_acquire) == 1 &&
           (chunk.owned >> ((i >> kPageShift) & kChunkMask) & 1) != 0;
  }
  void drop_page(std::size_t page) noexcept {
    Chunk& chunk = *root_->chunks[page / kChunkPages];
    chunk.take_over();
    const std::uint64_t bit = std::uint64_t{1} << (page & kChunkMask);
    chunk.free_pages(chunk.owned & bit);
    chunk.owned &= ~bit;
    chunk.pages[page & kChunkMask] = nullptr;
  }

  template <class Block>
  static void retain(Block* block) {
    if (block) block->refs.fetch_add(1, std::memory_order_relaxed);
  }
  static void release(Root* root) {
    if (root && root->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete root;
  }
  static void release(Chunk* chunk) {
    while (chunk && chunk->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      Chunk* const from = chunk->from;
      delete chunk;
      chunk = from;
    }
  }
  void forget_last() const noexcept { last_.store(kNoPage, std::memory_order_relaxed); }
  // Nearly every write goes to the page of the last one, or to another page that this vector already owns.
  // These paths must be short.
  Page& writable(std::size_t i) {
    if (i >> kPageShift == last_.load(std::memory_order_relaxed)) [[likely]]
      return *last_page_;
    return open_page(i);
  }
  [[gnu::noinline]] Page& open_page(std::size_t i) {
    last_page_ = &own(i);
    if (i >> kPageShift == last_.load(std::memory_order_relaxed) + 1) fetch(i + kPageItems);
    last_.store(i >> kPageShift, std::memory_order_relaxed);
    save_below_ = begun_at_;
    return *last_page_;
  }
  Page& own(std::size_t i) {
    if (root_ && root_->refs.load(std::memory_order_acquire) == 1) [[likely]] {
      Chunk& chunk = *root_->chunks[i >> kChunkShift];
      const std::size_t at = (i >> kPageShift) & kChunkMask;
      const bool own = chunk.refs.load(std::memory_order_acquire) == 1 && (chunk.owned >> at & 1) != 0;
      if (own && !chunk.from) [[likely]]
        return *chunk.pages[at];
    }
    return make_writable(i);
  }
  [[gnu::noinline]] Page& make_writable(std::size_t i) {
    own_root();
    return own_page(own_chunk(root_->chunks[i >> kChunkShift]), i);
  }
  void own_root() {
    if (!root_) root_ = new Root;
    if (root_->refs.load(std::memory_order_acquire) == 1) return;
    Root* copy = new Root(*root_);
    release(std::exchange(root_, copy));
  }
  static Chunk& own_chunk(Chunk*& chunk) {
    if (chunk->refs.load(std::memory_order_acquire) != 1) {
      chunk = new Chunk(chunk);
    } else if (chunk->from) {
      chunk->take_over();
    }
    return *chunk;
  }
  static Page& own_page(Chunk& chunk, std::size_t i) {
    const std::size_t at = (i >> kPageShift) & kChunkMask;
    const std::uint64_t bit = std::uint64_t{1} << at;
    if ((chunk.owned & bit) == 0) {
      chunk.pages[at] = new Page(*chunk.pages[at]);
      chunk.owned |= bit;
    }
    return *chunk.pages[at];
  }
  [[gnu::noinline]] void add_page() {
    own_root();
    if (((size_ >> kPageShift) & kChunkMask) == 0 && root_->chunks.size() == size_ >> kChunkShift) {
      root_->chunks.reserve(root_->chunks.size() + 1 + root_->chunks.size() / 2);
      root_->chunks.push_back(new Chunk);
    }
    Chunk& chunk = own_chunk(root_->chunks[size_ >> kChunkShift]);
    const std::size_t at = (size_ >> kPageShift) & kChunkMask;
    if (chunk.pages[at]) return;
    chunk.pages[at] = new Page;
    chunk.owned |= std::uint64_t{1} << at;
  }

  Root* root_ = nullptr;
  std::size_t size_ = 0;
  std::size_t begun_at_ = kNotBegun;    // number of elements at begin()
  std::size_t save_below_ = kNotBegun;  // the same while elements of the last page must be saved
  // The number of the page written last, and the page. Copying the vector resets the number.
  static constexpr std::size_t kNoPage = static_cast<std::size_t>(-1);
  mutable std::atomic<std::size_t> last_{kNoPage};
  Page* last_page_ = nullptr;
  std::unique_ptr<UndoLog> undo_log_;  // mostly null, to keep the vector small: a model has a hundred of them
};

}  // namespace cede
