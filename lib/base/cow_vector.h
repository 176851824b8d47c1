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
// page written to and the two short lists above it. This is what makes engine clones, plan snapshots and
// all-or-nothing updates cost what changes and not the size of the cluster.
//
// Between begin() and keep() or undo() the vector puts aside what it overwrites, a page at a time: an
// all-or-nothing change to a vector that nobody shares then costs the pages it writes to, where a copy to
// fall back on would make it pay for every page beside those.
//
// References stay valid until the next edit of the same vector. Distinct copies may be used by distinct
// threads.
template <class T, std::size_t kPageBytes = 1024>
class CowVector {
 public:
  static constexpr std::size_t kPageItems = std::bit_floor(std::max<std::size_t>(kPageBytes / sizeof(T), 2));

  CowVector() = default;
  CowVector(const CowVector& other) noexcept : root_(other.root_), size_(other.size_) { retain(root_); }
  CowVector(CowVector&& other) noexcept
      : root_(std::exchange(other.root_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        begun_at_(std::exchange(other.begun_at_, 0)),
        begun_(std::exchange(other.begun_, false)),
        aside_(std::move(other.aside_)) {}
  CowVector& operator=(CowVector other) noexcept {
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
    std::swap(begun_at_, other.begun_at_);
    std::swap(begun_, other.begun_);
    std::swap(aside_, other.aside_);
    return *this;
  }
  ~CowVector() { release(root_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return root_->chunks[i >> kChunkShift]->pages[(i >> kPageShift) & kChunkMask]->items[i & kPageMask];
  }

  // The element for writing; duplicates what is shared on the way to it.
  T& edit(std::size_t i) {
    assert(i < size_);
    return writable(i)->items[i & kPageMask];
  }

  // Where memory runs out, the vector is as it was.
  void push_back(T value) {
    if ((size_ & kPageMask) == 0) add_page();
    writable(size_)->items[size_ & kPageMask] = std::move(value);
    ++size_;
  }

  // Grows with default elements. There is no shrinking: freed slots are reused by the tables above.
  void grow_to(std::size_t n) {
    while (size_ < n) {
      if ((size_ & kPageMask) == 0) add_page();
      size_ = std::min(n, (size_ | kPageMask) + 1);
    }
  }

  // Starts to remember. A copy taken later does not.
  void begin() noexcept {
    assert(!begun_);
    begun_at_ = size_;
    begun_ = true;
  }
  void keep() noexcept {
    if (aside_) {
      for (const Aside& each : *aside_) {
        page_at(each.first)->remembered = false;
        release(each.page);
      }
      aside_.reset();
    }
    begun_at_ = 0;
    begun_ = false;
  }
  // Elements and size are as they were at begin(). Copies taken since must be gone.
  void undo() noexcept {
    if (aside_) {
      for (auto each = aside_->rbegin(); each != aside_->rend(); ++each)
        release(std::exchange(page_at(each->first), each->page));
      aside_.reset();
    }
    // What was added is dropped, for grow_to() promises default elements.
    const std::size_t pages = (begun_at_ + kPageMask) >> kPageShift;
    for (std::size_t page = pages; page << kPageShift < size_; ++page)
      release(std::exchange(root_->chunks[page / kChunkPages]->pages[page & kChunkMask], nullptr));
    size_ = std::exchange(begun_at_, 0);
    begun_ = false;
  }

  // Whether both share all their storage (a cheap way to see that nothing was written since a copy).
  bool same_storage(const CowVector& other) const { return root_ == other.root_; }

  // Calls visit(i) for every element that may differ from the one at its place in `before`: those on pages
  // that the two do not share, and those beyond its end. Costs what changed and a look at each chunk.
  template <class Visit>
  void for_each_unshared(const CowVector& before, Visit visit) const {
    if (root_ == before.root_ && size_ == before.size_) return;
    const auto chunk_of = [](const CowVector& vector, std::size_t i) -> const Chunk* {
      return i < vector.size_ ? vector.root_->chunks[i >> kChunkShift] : nullptr;
    };
    for (std::size_t from = 0; from < size_; from += std::size_t{1} << kChunkShift) {
      const Chunk* mine = chunk_of(*this, from);
      const Chunk* theirs = chunk_of(before, from);
      const std::size_t end = std::min(size_, from + (std::size_t{1} << kChunkShift));
      if (mine == theirs && end <= before.size_) continue;
      for (std::size_t page = from; page < end; page += kPageItems) {
        const std::size_t at = (page >> kPageShift) & kChunkMask;
        const bool shared = theirs && mine->pages[at] == theirs->pages[at];
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
    std::atomic<std::uint32_t> refs{1};
    bool remembered = false;  // a copy made since begin(), of a page that was put aside
    std::array<T, kPageItems> items{};
    Page() = default;
    Page(const Page& other) : items(other.items) {}
  };
  struct Chunk {
    std::atomic<std::uint32_t> refs{1};
    std::array<Page*, kChunkPages> pages{};
    Chunk() = default;
    Chunk(const Chunk& other) : pages(other.pages) {
      for (Page* page : pages) retain(page);
    }
    ~Chunk() {
      for (Page* page : pages) release(page);
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

  // A page as it was at begin(), in whose place a copy is written to.
  struct Aside {
    std::size_t first;  // its first element
    Page* page;
  };

  // A page all of whose elements are new needs none of this: undo() drops it.
  void put_aside(Page*& page, std::size_t first) {
    if (!aside_) aside_ = std::make_unique<std::vector<Aside>>();
    auto copy = std::make_unique<Page>(*page);
    aside_->push_back({first, page});
    copy->remembered = true;
    page = copy.release();
  }
  Page*& page_at(std::size_t i) {
    return root_->chunks[i >> kChunkShift]->pages[(i >> kPageShift) & kChunkMask];
  }

  template <class Block>
  static void retain(Block* block) {
    if (block) block->refs.fetch_add(1, std::memory_order_relaxed);
  }
  template <class Block>
  static void release(Block* block) {
    if (block && block->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block;
  }
  template <class Block>
  static bool is_shared(const Block* block) {
    return block->refs.load(std::memory_order_acquire) != 1;
  }
  // Nearly every write goes to a page that is already this vector's own: that way must be short.
  Page* writable(std::size_t i) {
    if (root_ && !is_shared(root_)) [[likely]] {
      const Chunk* chunk = root_->chunks[i >> kChunkShift];
      Page* page = chunk->pages[(i >> kPageShift) & kChunkMask];
      const bool may_write = page->remembered || (i & ~kPageMask) >= begun_at_;
      if (may_write && !is_shared(chunk) && !is_shared(page)) [[likely]] return page;
    }
    return make_writable(i);
  }
  [[gnu::noinline]] Page* make_writable(std::size_t i) {
    own_root();
    Chunk*& chunk = own(root_->chunks[i >> kChunkShift]);
    Page*& page = chunk->pages[(i >> kPageShift) & kChunkMask];
    if (!page->remembered && (i & ~kPageMask) < begun_at_) {
      put_aside(page, i & ~kPageMask);
    } else {
      own(page);
    }
    return page;
  }
  template <class Block>
  static Block*& own(Block*& block) {
    if (is_shared(block)) {
      Block* copy = new Block(*block);
      release(std::exchange(block, copy));
    }
    return block;
  }
  void own_root() {
    if (!root_) root_ = new Root;
    own(root_);
  }
  void add_page() {
    own_root();
    if (((size_ >> kPageShift) & kChunkMask) == 0 && root_->chunks.size() == size_ >> kChunkShift) {
      root_->chunks.reserve(root_->chunks.size() + 1 + root_->chunks.size() / 2);
      root_->chunks.push_back(new Chunk);
    }
    Chunk*& chunk = own(root_->chunks[size_ >> kChunkShift]);
    Page*& page = chunk->pages[(size_ >> kPageShift) & kChunkMask];
    if (!page) page = new Page;
  }

  Root* root_ = nullptr;
  std::size_t size_ = 0;
  std::size_t begun_at_ = 0;  // how many elements there were at begin(); 0 too where that was not called
  bool begun_ = false;
  std::unique_ptr<std::vector<Aside>>
      aside_;  // mostly none, and small: a model is a hundred of these vectors
};

}  // namespace cede
