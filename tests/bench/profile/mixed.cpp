// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include "profile/profile_maker.h"
#include "profile/shapes.h"

namespace bench {

namespace {

constexpr std::size_t kPerLeaf = 32;
constexpr std::size_t kRounds = 10;

// Every third leaf has nodes of four GPUs, the others of eight. Leaves are opened as they are needed.
class FreeRoom {
 public:
  explicit FreeRoom(ProfileMaker& maker) : maker_(maker) {}

  // One of the nodes of a type with the least room that is enough; two of three small tasks go to nodes of
  // eight.
  std::size_t take(std::int64_t amount) {
    const bool small = amount <= 4000 && maker_.make().below(3) == 0;
    for (;;) {
      for (std::int64_t room = amount; room <= (small ? 4000 : 8000); room += 1000) {
        std::vector<std::size_t>& with = nodes(small, room);
        if (with.empty()) continue;
        std::swap(with[maker_.make().below(with.size())], with.back());
        const std::size_t node = with.back();
        with.pop_back();
        nodes(small, room - amount).push_back(node);
        return node;
      }
      open_leaf();
    }
  }
  // What is left, a job per node.
  void fill_up() {
    for (const bool small : {false, true}) {
      for (std::int64_t room = 1000; room <= 8000; room += 1000) {
        for (const std::size_t node : nodes(small, room)) maker_.runs(node, room);
      }
    }
  }

 private:
  std::vector<std::size_t>& nodes(bool small, std::int64_t room) {
    return by_room_[small ? 1 : 0][static_cast<std::size_t>(room / 1000)];
  }
  void open_leaf() {
    const bool small = leaves_++ % 3 == 2;
    for (std::size_t n = 0; n < kPerLeaf; ++n) {
      nodes(small, small ? 4000 : 8000).push_back(maker_.out().nodes.size());
      maker_.make().node(small ? 4000 : 8000, kPerLeaf);
    }
  }

  ProfileMaker& maker_;
  std::size_t leaves_ = 0;
  std::vector<std::size_t> by_room_[2][9];
};

// Four in ten jobs have one GPU; one in ten is a gang of 2, 4 or 8 nodes.
void run_one(ProfileMaker& maker, FreeRoom& free_room) {
  const std::uint64_t kind = maker.make().below(20);
  const std::int64_t amount = kind < 8 ? 1000 : kind < 12 ? 2000 : kind < 15 ? 4000 : kind < 19 ? 8000 : 4000;
  const std::size_t tasks = kind < 18 ? 1 : kind == 18 ? std::size_t{2} << maker.make().below(2) : 8;
  std::vector<std::size_t> nodes;
  for (std::size_t t = 0; t < tasks; ++t) nodes.push_back(free_room.take(amount));
  Description::Job& job = maker.runs(nodes[0], amount);
  job.gang = tasks > 1;
  job.walltime = kMinute * static_cast<std::int64_t>(60 * (120 + maker.make().below(48)));
  for (std::size_t t = 1; t < tasks; ++t) job.tasks.push_back({static_cast<std::uint32_t>(nodes[t]), amount});
}

Description mixed(const char* shape, const std::string& profile, int size, std::uint64_t seed,
                  std::size_t queues) {
  // Ten jobs a queue at least: what one job uses, no queue can give and keep its guarantee.
  ProfileMaker maker(shape, profile, size, seed, std::min(queues, static_cast<std::size_t>(size) / 10));
  maker.out().levels = {"leaf"};
  FreeRoom free_room(maker);
  for (int j = 0; j < size; ++j) run_one(maker, free_room);
  free_room.fill_up();
  constexpr const char* kOneLeaf = R"({"network":[{"level":"leaf"}]})";
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto ask = [&](std::int64_t amount, std::size_t tasks, const char* require = "") {
      Description::Job& job = maker.asks(amount, tasks);
      job.require = require;
      job.priority = static_cast<std::int32_t>(kRequester - round % 4);
    };
    for (const std::int64_t amount : {1000, 4000, 8000}) ask(amount, 1);
    if (maker.fair_share()) continue;
    ask(8000, 4);
    ask(8000, 16, kOneLeaf);
    ask(8000, 32);
    ask(2000, 16);
  }
  return maker.finish(0.4);
}

}  // namespace

Description mixed_20(const std::string& profile, int size, std::uint64_t seed) {
  return mixed("mixed/20 queues", profile, size, seed, 20);
}
Description mixed_1000(const std::string& profile, int size, std::uint64_t seed) {
  return mixed("mixed/1000 queues", profile, size, seed, 1000);
}

}  // namespace bench
