// SPDX-License-Identifier: MIT
// A saved state whose header and checksum are always right, so that what is inside is reached. The first byte
// says which cluster the engine has that it is restored into: the one it was saved beside, or one that has
// moved on. The second says what the rest is: the content itself, or a list of changes to a state that a real
// life has left; see changed(). Restored, it must serve: steps, plans, commits, another save and restore.
#include <algorithm>
#include <cstring>

#include "fuzz.h"

namespace {

constexpr std::size_t kHead = 8 + 4 + 8;  // mark, version, length
constexpr std::size_t kTail = 8;

std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t rest = ~std::uint64_t{0};
  for (const char c : bytes) {
    rest ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0xC96C5795D7870F42u : 0);
  }
  return ~rest;
}

void append(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> 8 * i & 0xFF);
}

std::string state_of(std::string_view content, std::uint32_t version) {
  std::string out = "cede-seq";
  append(out, version, 4);
  append(out, content.size(), 8);
  out += content;
  append(out, crc64(out), 8);
  return out;
}

std::uint32_t version_of(std::string_view state) {
  std::uint32_t version = 0;
  for (std::size_t i = 4; i > 0; --i) version = version << 8 | static_cast<unsigned char>(state[8 + i - 1]);
  return version;
}

std::string saved(const cede_engine* engine) {
  cede_text* text = nullptr;
  fuzz::Error error;
  error.status(cede_engine_save(engine, &text, error.out()), "cede_engine_save");
  const fuzz::Owned<cede_text> owned(text);
  return {cede_text_data(text), cede_text_size(text)};
}

std::int32_t step(cede_engine* engine, std::int64_t now, const char* released = nullptr) {
  cede_event event{};
  fuzz::Error named;
  if (released) {
    event.kind = CEDE_EVENT_RELEASED;
    named.status(
        cede_engine_name(engine, released, std::string_view(released).size(), &event.job, named.out()),
        "cede_engine_name");
  }
  cede_step* made = nullptr;
  fuzz::Error error;
  const std::int32_t status = error.status(
      cede_engine_step(engine, now, &event, sizeof event, released ? 1 : 0, nullptr, 0, &made, error.out()),
      "cede_engine_step");
  const fuzz::Owned<cede_step> owned(made);
  if (made) fuzz::look_at_step(made, released ? 1 : 0);
  return status;
}

void commit(cede_engine* engine, cede_plan* made) {
  const fuzz::Owned<cede_plan> plan(made);
  if (!made) return;
  fuzz::look_at_plan(made);
  std::uint64_t entry = 0;
  fuzz::Error error;
  if (cede_plan_outcome(made) <= CEDE_OUTCOME_PREEMPT)
    error.status(cede_engine_commit(engine, made, CEDE_NOW_OF_CLUSTER, 5, &entry, error.out()),
                 "cede_engine_commit");
  else
    error.status(cede_engine_note(engine, made, CEDE_NOW_OF_CLUSTER, 5, error.out()), "cede_engine_note");
}

void commit_job(cede_engine* engine, const char* job) {
  cede_plan* made = nullptr;
  fuzz::Error error;
  error.status(cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
               "cede_plan_create");
  commit(engine, made);
}

void commit_claim(cede_engine* engine) {
  cede_plan* made = nullptr;
  const char* const node = "n0";
  fuzz::Error error;
  error.status(cede_plan_create_claim(engine, "a", &node, 1, "reclaim", CEDE_NOW_OF_CLUSTER, nullptr, 0,
                                      &made, error.out()),
               "cede_plan_create_claim");
  commit(engine, made);
}

void commit_batch(cede_engine* engine) {
  const char* const jobs[] = {"w1", "w0", "w3"};
  cede_plan* plans[3] = {};
  fuzz::Error error;
  error.status(cede_plan_create_batch(engine, jobs, 3, CEDE_NOW_OF_CLUSTER, nullptr, 0, plans, error.out()),
               "cede_plan_create_batch");
  for (cede_plan* plan : plans) commit(engine, plan);
}

// What lives of every profile leave on their way.
const std::vector<std::string>& real_states() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (std::size_t profile = 0; profile < fuzz::kProfiles; ++profile) {
      for (int life = 0; life < 3; ++life) {
        const fuzz::Owned<cede_engine> engine = fuzz::small_engine(profile);
        if (life == 0) {
          for (const char* job : {"w2", "w0", "w4"}) commit_job(engine.get(), job);
        } else if (life == 1) {
          commit_batch(engine.get());
        } else {
          commit_claim(engine.get());
        }
        out.push_back(saved(engine.get()));
        step(engine.get(), 1000000000);
        out.push_back(saved(engine.get()));
        for (const char* job : {"j0", "j1", "j2", "j3"}) step(engine.get(), 1000020000, job);
        out.push_back(saved(engine.get()));
        step(engine.get(), 1000900000);
        out.push_back(saved(engine.get()));
      }
    }
    return out;
  }();
  return all;
}

// A real state's content with changes of four bytes each: what, where (two bytes), and a value.
std::string changed(const std::uint8_t* data, std::size_t size, std::uint32_t& version) {
  const std::string& base = real_states()[data[0] % real_states().size()];
  version = version_of(base);
  std::string out = base.substr(kHead, base.size() - kHead - kTail);
  for (std::size_t i = 1; i + 4 <= size && !out.empty(); i += 4) {
    const std::size_t at = (static_cast<std::size_t>(data[i + 1]) << 8 | data[i + 2]) % out.size();
    const std::uint8_t value = data[i + 3];
    switch (data[i] % 6) {
      case 0: out[at] = static_cast<char>(value); break;
      case 1: out[at] = static_cast<char>(out[at] + static_cast<char>(value)); break;
      case 2: std::memset(out.data() + at, value, std::min<std::size_t>(8, out.size() - at)); break;
      case 3: out.erase(at, value % 16); break;
      case 4: out.insert(at, value % 16, '\0'); break;
      default: out.insert(at, out.substr(at, value)); break;
    }
  }
  return out;
}

// Where a saved state may come back to: its own cluster, clusters that have lost what it speaks of, and none.
constexpr std::size_t kClusters = 4;

fuzz::Owned<cede_engine> new_engine_for(std::size_t profile, std::size_t cluster) {
  if (cluster == 3) return fuzz::new_engine(fuzz::policy_of(profile));
  fuzz::Owned<cede_engine> engine = fuzz::small_engine(profile);
  if (cluster == 0) return engine;
  // Fewer devices and other groups; or the running jobs gone and the waiting ones changed.
  static constexpr std::string_view kSmaller =
      R"({"format":"cede-changes/1","put":{"nodes":[{"id":"n0","group":"g1","resources":{"gpu":1,"cpu":16}},
{"id":"n2","group":"g0","resources":{"cpu":8},"network":["l0"]}]},"remove":{"jobs":["j0","j1","j3"]}})";
  static constexpr std::string_view kOthers =
      R"({"format":"cede-changes/1","put":{"jobs":[{"id":"w2","queue":"a","group":"g0","tasks":[{"resources":{"gpu":1}}]},
{"id":"w0","queue":"a","group":"g0","state":"running","started":999999,"tasks":[{"node":"n0","gpus":[0],"resources":{"gpu":1}}]}]},
"remove":{"jobs":["j0","j4","w4"]}})";
  const std::string_view text = cluster == 1 ? kSmaller : kOthers;
  fuzz::Error error;
  const std::int32_t status = error.status(
      cede_engine_apply(engine.get(), text.data(), text.size(), error.out()), "cede_engine_apply");
  fuzz::expect(status >= 0, "cede_engine_apply", "refuses the changes of the small cluster");
  return engine;
}

fuzz::Owned<cede_engine> engine_for(std::uint8_t choice) {
  static const std::vector<fuzz::Owned<cede_engine>> all = [] {
    std::vector<fuzz::Owned<cede_engine>> out;
    for (std::size_t i = 0; i < fuzz::kProfiles * kClusters; ++i)
      out.push_back(new_engine_for(i % fuzz::kProfiles, i / fuzz::kProfiles));
    return out;
  }();
  return fuzz::clone_of(all[choice % all.size()].get());
}

void live_on(cede_engine* engine) {
  fuzz::look_at_ledger(engine);
  step(engine, CEDE_NOW_OF_CLUSTER);
  for (const char* job : {"w0", "w1", "w2"}) commit_job(engine, job);
  commit_claim(engine);
  for (const char* job : {"j0", "j1"}) step(engine, 1000030000, job);
  fuzz::load(engine, fuzz::small_cluster());
  for (std::uint64_t entry = 1; entry < 4; ++entry) {
    fuzz::Error error;
    error.status(cede_engine_cancel(engine, entry, CEDE_NOW_OF_CLUSTER, error.out()), "cede_engine_cancel");
  }
  step(engine, 1009000000);
  fuzz::look_at_ledger(engine);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  std::uint32_t version = 0;
  std::string content;
  if (data[1] % 2 == 0) {
    version = version_of(real_states()[0]) - (data[1] / 2 % 4 == 1 ? 1 : 0);
    content.assign(data + 2, data + size);
  } else {
    content = changed(data + 2, size - 2, version);
  }
  const fuzz::Owned<cede_engine> engine = engine_for(data[0]);
  const std::uint64_t revision = cede_engine_revision(engine.get());
  const std::string before = saved(engine.get());
  const std::string state = state_of(content, version);
  fuzz::Error error;
  const std::int32_t status = error.status(
      cede_engine_restore(engine.get(), state.data(), state.size(), error.out()), "cede_engine_restore");
  if (status < 0) {
    fuzz::expect(cede_engine_revision(engine.get()) == revision && saved(engine.get()) == before,
                 "cede_engine_restore", "a failed call changed something");
    return 0;
  }
  // What was taken once is taken again, whatever it became.
  const std::string again = saved(engine.get());
  cede_error why{};
  if (cede_engine_restore(engine.get(), again.data(), again.size(), &why) != CEDE_OK)
    fuzz::fail("cede_engine_restore", std::string("what was restored and saved is refused: ") + why.text);
  live_on(engine.get());
  return 0;
}
