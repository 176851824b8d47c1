// SPDX-License-Identifier: MIT
#include "search_shapes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace cede::bench {

namespace {

constexpr Time kNow = 100'000'000'000;
constexpr Time kSecond = 1000;

class Builder {
 public:
  explicit Builder(std::uint64_t seed) : edit_({}, Limits{}, problems_, true), random_(seed) {
    edit_.set_now(kNow);
    GroupDraft group;
    group.row.name = name("g");
    edit_.put(group);
    QueueDraft root;
    root.row.name = name("root");
    edit_.put(root);
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  NameId name(const std::string& text) { return edit_.model().names.intern(text); }

  struct Amounts {
    std::string_view resource;
    Amount amount;
  };
  ShapeId shape(const std::vector<Amounts>& amounts) {
    std::vector<ResourceAmount> entries;
    for (const auto& [resource, amount] : amounts)
      entries.push_back({amount, edit_.resource(name(std::string(resource))), 0});
    std::sort(entries.begin(), entries.end(),
              [](const ResourceAmount& a, const ResourceAmount& b) { return a.resource < b.resource; });
    std::string bytes(entries.size() * sizeof(ResourceAmount), '\0');
    std::memcpy(bytes.data(), entries.data(), bytes.size());
    return edit_.model().shapes.intern(bytes);
  }

  void levels(const std::vector<std::string>& names) {
    std::vector<NameId> ids;
    for (const std::string& each : names) ids.push_back(name(each));
    edit_.set_levels(ids);
  }
  void domain(const std::string& id, const std::string& level, const std::string& parent = {}) {
    DomainDraft draft;
    draft.row.name = name(id);
    draft.level = name(level);
    if (!parent.empty()) draft.parent = name(parent);
    edit_.put(draft);
  }
  void node(const std::string& id, const std::vector<Amounts>& amounts, const std::string& leaf = {}) {
    NodeDraft draft;
    draft.row.name = name(id);
    draft.row.resources = shape(amounts);
    if (!leaf.empty()) draft.network.push_back(name(leaf));
    edit_.put(draft);
  }

  JobDraft job(const std::string& id, std::int32_t priority) {
    JobDraft draft;
    draft.core.name = edit_.model().job_names.intern(id);
    draft.queue = name("root");
    draft.core.priority = priority;
    draft.core.has_priority = true;
    return draft;
  }
  void runs_on(JobDraft& job, const std::string& node, const std::vector<Amounts>& amounts,
               DeviceMask gpus = 0) {
    job.core.state = JobState::running;
    TaskDraft task;
    task.core.resources = shape(amounts);
    task.core.gpus = gpus;
    task.extras.gpus_given = gpus != 0;
    task.node = name(node);
    job.tasks.push_back(task);
  }
  void waits(JobDraft& job, std::uint32_t count, const std::vector<Amounts>& amounts) {
    job.times.submitted = kNow - 100 * kSecond;
    TaskDraft task;
    task.core.resources = shape(amounts);
    task.core.count = count;
    task.extras.counted = true;
    job.tasks.push_back(task);
  }
  void require(JobDraft& job, const std::string& level, std::uint32_t most) {
    Requirement require;
    NetworkNeed entry;
    entry.level = level;
    entry.max_domains = most;
    require.network.push_back(entry);
    job.extras.require = edit_.intern_requirement(require);
  }
  void put(JobDraft& job) { edit_.put(job); }

  Model finish() {
    Model model = edit_.finish();
    if (problems_.failed()) {
      std::fprintf(stderr, "%s\n", problems_.all()[0].message().c_str());
      std::exit(1);
    }
    return model;
  }

 private:
  Problems problems_;
  ModelEdit edit_;
  std::mt19937_64 random_;
};

std::shared_ptr<PolicySet> policy(Profile profile, std::vector<SettingValues::Entry> settings) {
  auto set = std::make_shared<PolicySet>();
  Policy& policy = set->policies.emplace_back();
  policy.name = "default";
  policy.profile = profile;
  for (const auto& entry : settings) policy.settings.set(entry.id, entry.value);
  return set;
}

std::shared_ptr<PolicySet> priority_policy() { return policy(Profile::priority, {{Setting::front_only, 0}}); }

std::string number(std::uint64_t n) { return std::to_string(100'000'000 + n); }

}  // namespace

Shape k8s_basic(std::size_t nodes, bool mixed) {
  Builder b(1);
  for (std::size_t n = 0; n < nodes; ++n) {
    b.node("n" + number(n), {{"cpu", 4000}, {"mem", 32'000'000}});
    for (std::size_t k = 0; k < 4; ++k) {
      JobDraft job = b.job("low" + number(n * 4 + k), static_cast<std::int32_t>(b.below(6)));
      job.times.started = kNow - static_cast<Time>(1 + b.below(100'000)) * kSecond;
      b.runs_on(job, "n" + number(n), {{"cpu", 900}, {"mem", 1'000'000}});
      b.put(job);
    }
  }
  Shape shape;
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::string id = "high" + number(n);
    JobDraft job = b.job(id, 50);
    const Amount cpu = mixed ? 500 + static_cast<Amount>(b.below(40)) * 75 : 3000;
    b.waits(job, 1, {{"cpu", cpu}, {"mem", 1'000'000}});
    b.put(job);
    shape.requests.push_back(id);
  }
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

Shape k8s_gang(std::size_t nodes, bool mixed) {
  Builder b(2);
  for (std::size_t n = 0; n < nodes; ++n) {
    b.node("n" + number(n), {{"cpu", 4000}});
    for (std::size_t k = 0; k < 10; ++k) {
      JobDraft job = b.job("low" + number(n * 10 + k), mixed ? static_cast<std::int32_t>(b.below(6)) : 1);
      job.times.started = kNow - static_cast<Time>(mixed ? 1 + b.below(100'000) : 1000) * kSecond;
      b.runs_on(job, "n" + number(n), {{"cpu", mixed ? 200 + static_cast<Amount>(b.below(5)) * 50 : 350}});
      b.put(job);
    }
  }
  Shape shape;
  JobDraft job = b.job("gang", 50);
  b.waits(job, static_cast<std::uint32_t>(nodes), {{"cpu", 3000}});
  b.put(job);
  shape.requests.push_back("gang");
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

Shape kai_many(std::size_t nodes) {
  Builder b(3);
  for (std::size_t n = 0; n < nodes; ++n) {
    b.node("n" + number(n), {{"gpu", 8000}, {"cpu", 64'000}});
    for (std::size_t k = 0; k < 8; ++k) {
      JobDraft job = b.job("low" + number(n * 8 + k), 1);
      job.times.started = kNow - 1000 * kSecond;
      b.runs_on(job, "n" + number(n), {{"gpu", 1000}, {"cpu", 4000}}, DeviceMask{1} << k);
      b.put(job);
    }
  }
  Shape shape;
  for (std::size_t n = 0; n < nodes * 8; ++n) {
    const std::string id = "high" + number(n);
    JobDraft job = b.job(id, 50);
    b.waits(job, 1, {{"gpu", 1000}, {"cpu", 4000}});
    b.put(job);
    shape.requests.push_back(id);
  }
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

Shape kai_large(std::size_t nodes, std::size_t tasks) {
  Builder b(4);
  for (std::size_t n = 0; n < nodes; ++n) {
    b.node("n" + number(n), {{"gpu", 8000}, {"cpu", 64'000}});
    for (std::size_t k = 0; k < 8; ++k) {
      JobDraft job = b.job("low" + number(n * 8 + k), 1);
      job.times.started = kNow - static_cast<Time>(1 + b.below(100'000)) * kSecond;
      b.runs_on(job, "n" + number(n), {{"gpu", 1000}, {"cpu", 4000}}, DeviceMask{1} << k);
      b.put(job);
    }
  }
  Shape shape;
  JobDraft job = b.job("gang", 50);
  b.waits(job, static_cast<std::uint32_t>(tasks), {{"gpu", 8000}, {"cpu", 32'000}});
  b.put(job);
  shape.requests.push_back("gang");
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

// Every other node of a leaf is held by who may not be preempted: enough everywhere, nowhere on one leaf.
Shape no_topology(std::size_t nodes) {
  Builder b(5);
  b.levels({"leaf"});
  for (std::size_t leaf = 0; leaf * 40 < nodes; ++leaf) b.domain("l" + number(leaf), "leaf");
  for (std::size_t n = 0; n < nodes; ++n) {
    b.node("n" + number(n), {{"gpu", 8000}, {"cpu", 64'000}}, "l" + number(n / 40));
    for (std::size_t k = 0; k < 4; ++k) {
      JobDraft job = b.job("low" + number(n * 4 + k), n % 2 == 0 ? 1 : 90);
      job.times.started = kNow - static_cast<Time>(1 + b.below(100'000)) * kSecond;
      b.runs_on(job, "n" + number(n), {{"gpu", 2000}, {"cpu", 8000}}, DeviceMask{3} << (2 * k));
      b.put(job);
    }
  }
  Shape shape;
  JobDraft job = b.job("gang", 50);
  b.waits(job, 24, {{"gpu", 8000}, {"cpu", 32'000}});
  b.require(job, "leaf", 1);
  b.put(job);
  shape.requests.push_back("gang");
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

Shape kueue_topology() {
  Builder b(6);
  b.levels({"rack"});
  std::vector<std::string> extra;
  for (int r = 0; r < 25; ++r) extra.push_back("example.com/r" + std::to_string(r));
  const auto with_extras = [&](std::vector<Builder::Amounts> amounts, Amount each) {
    for (const std::string& name : extra) amounts.push_back({name, each});
    return amounts;
  };
  for (std::size_t rack = 0; rack < 8; ++rack) b.domain("rack" + number(rack), "rack");
  for (std::size_t n = 0; n < 2000; ++n) {
    b.node("n" + number(n),
           with_extras({{"cpu", 96'000}, {"mem", 1'000'000}, {"gpu", 8000}, {"nic", 8000}, {"disk", 100'000}},
                       10'000),
           "rack" + number(n / 250));
  }
  // 700 victims over the racks, the rest of the nodes held by jobs that stay.
  for (std::size_t n = 0; n < 2000; ++n) {
    const bool victim = n % 250 < 88 && n < 1960;
    const bool stays = !victim && n % 250 < 160;
    if (!victim && !stays) continue;
    JobDraft job = b.job((victim ? "victim" : "stays") + number(n), victim ? 1 : 90);
    job.times.started = kNow - static_cast<Time>(1 + b.below(100'000)) * kSecond;
    b.runs_on(job, "n" + number(n), with_extras({{"cpu", 48'000}, {"mem", 500'000}, {"gpu", 8000}}, 1000),
              0xFF);
    b.put(job);
  }
  Shape shape;
  JobDraft job = b.job("gang", 50);
  b.waits(job, 170, {{"cpu", 48'000}, {"mem", 500'000}, {"gpu", 8000}, {"nic", 1000}, {"disk", 1000}});
  b.require(job, "rack", 1);
  b.put(job);
  shape.requests.push_back("gang");
  shape.model = b.finish();
  shape.policies = priority_policy();
  return shape;
}

Shape huge(std::size_t nodes, bool gang) {
  Builder b(7);
  b.levels({"leaf", "spine"});
  const std::size_t leaves = (nodes + 39) / 40;
  for (std::size_t s = 0; s * 50 < leaves; ++s) b.domain("s" + number(s), "spine");
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    b.domain("l" + number(leaf), "leaf", "s" + number(leaf / 50));
  for (std::size_t n = 0; n < nodes; ++n)
    b.node("n" + number(n), {{"gpu", 8000}, {"cpu", 64'000}}, "l" + number(n / 40));
  // Four jobs of two devices to a node; one in twenty is a gang that has its other tasks on other leaves.
  std::vector<std::uint8_t> used(nodes, 0);
  std::size_t jobs = 0;
  const auto begin = [&] {
    JobDraft job = b.job("j" + number(jobs++), 1);
    job.core.job_class = static_cast<std::uint8_t>(b.below(4));
    job.times.started = kNow - static_cast<Time>(600 + b.below(40'000)) * kSecond;
    job.times.walltime = static_cast<Duration>(50'000 + b.below(100'000)) * kSecond;
    if (b.below(2) == 0) {
      job.checkpoint.mode = CheckpointMode::automatic;
      job.checkpoint.estimate = static_cast<Duration>(60 + b.below(600)) * kSecond;
    }
    return job;
  };
  const auto add = [&](JobDraft& job, std::size_t n) {
    b.runs_on(job, "n" + number(n), {{"gpu", 2000}, {"cpu", 8000}}, DeviceMask{3} << (2 * used[n]));
    ++used[n];
  };
  for (std::size_t n = 0; n < nodes; ++n) {
    while (used[n] < 4) {
      JobDraft job = begin();
      add(job, n);
      if (b.below(20) == 0) {
        const std::size_t more = 1 + b.below(3);
        for (std::size_t k = 0; k < more; ++k) {
          const std::size_t other = (n + 40 * (1 + b.below(leaves))) % nodes;
          if (used[other] < 4) add(job, other);
        }
      }
      b.put(job);
    }
  }
  Shape shape;
  JobDraft job = b.job("want", 50);
  job.core.job_class = 9;
  if (gang) {
    b.waits(job, 64, {{"gpu", 8000}, {"cpu", 32'000}});
    b.require(job, "leaf", 2);
  } else {
    b.waits(job, 1, {{"gpu", 1000}, {"cpu", 1000}});
  }
  b.put(job);
  shape.requests.push_back("want");
  shape.model = b.finish();
  shape.policies = policy(Profile::class_cost, {{Setting::max_victims, kNoSetting}});
  return shape;
}

}  // namespace cede::bench
