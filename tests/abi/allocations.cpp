// SPDX-License-Identifier: MIT
#include "allocations.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t made_ = 0;
std::ptrdiff_t living_ = 0;
std::size_t living_bytes_ = 0;
std::size_t countdown_ = 0;  // 0: not failing
bool for_good_ = false;
bool delivered_ = false;

bool fails_now() {
  if (countdown_ == 0) return false;
  if (countdown_ > 1) {
    --countdown_;
    return false;
  }
  delivered_ = true;
  if (!for_good_) countdown_ = 0;
  return true;
}

void* take(std::size_t size, std::size_t alignment) noexcept {
  if (fails_now()) return nullptr;
  if (size == 0) size = 1;
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size);
  if (memory) {
    ++made_;
    ++living_;
    living_bytes_ += malloc_usable_size(memory);
  }
  return memory;
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = take(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void give(void* memory) noexcept {
  if (memory) {
    --living_;
    living_bytes_ -= malloc_usable_size(memory);
  }
  std::free(memory);
}

}  // namespace

namespace allocations {

void fail_after(std::size_t nth, bool for_good) {
  countdown_ = nth;
  for_good_ = for_good;
  delivered_ = false;
}

bool stop_failing() {
  countdown_ = 0;
  return delivered_;
}

std::size_t made() { return made_; }
std::ptrdiff_t living() { return living_; }
std::size_t living_bytes() { return living_bytes_; }

}  // namespace allocations

void* operator new(std::size_t size) { return take_or_throw(size, 0); }
void* operator new[](std::size_t size) { return take_or_throw(size, 0); }
void* operator new(std::size_t size, std::align_val_t align) {
  return take_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return take_or_throw(size, static_cast<std::size_t>(align));
}
// A nothrow allocation that fails is one the caller can do without (std::stable_sort's buffer): counted,
// never failed.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  const std::size_t countdown = countdown_;
  countdown_ = 0;
  void* memory = take(size, 0);
  countdown_ = countdown;
  return memory;
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* memory) noexcept { give(memory); }
void operator delete[](void* memory) noexcept { give(memory); }
void operator delete(void* memory, std::size_t) noexcept { give(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give(memory); }
