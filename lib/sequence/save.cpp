// SPDX-License-Identifier: MIT
#include "sequence/save.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "sequence/saved_fields.h"

namespace cede {

namespace {

constexpr std::string_view kMark = "cede-seq";
constexpr std::size_t kHeaderBytes = 8 + 4 + 8;
constexpr std::size_t kChecksumBytes = 8;

using NamedTime = std::pair<std::string, Time>;
using LabelledCount = std::pair<Metrics::TwoLabels, std::uint64_t>;
using NamedSum = std::pair<std::string, std::int64_t>;

std::vector<NamedTime> sorted_times(const CowMap<std::string, Time>& times) {
  std::vector<NamedTime> rows;
  times.for_each([&](const std::string& name, Time time) { rows.emplace_back(name, time); });
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <class Archive, class Times>
void times_fields(Archive& a, Times& times) {
  a.list(times, [&](auto& row) {
    a.text(row.first);
    a.number(row.second);
  });
}

template <class Archive, class Counts>
void counts_fields(Archive& a, Counts& counts) {
  a.list(counts, [&](auto& row) {
    a.text(row.first.first);
    a.text(row.first.second);
    a.number(row.second);
  });
}

template <class Archive, class Histogram>
void histogram_fields(Archive& a, Histogram& histogram) {
  for (auto& count : histogram.counts) a.number(count);
  a.number(histogram.sum);
}

std::string sum_fault(std::int64_t sum) {
  return sum >= 0 && sum <= PlanHistogram::kMaxSum ? std::string() : "the sum of a histogram is out of range";
}

}  // namespace

// The sequence as it is saved: maps as sorted lists, without anything that can be derived.
class SavedState {
 public:
  SavedState() = default;
  explicit SavedState(const Sequence& s)
      : now_(s.now_),
        last_entry_(s.last_entry_),
        last_action_(s.last_action_),
        revision_(s.revision_),
        storm_length_(s.storm_length_),
        storm_(s.storm_.rows()),
        node_commits_(sorted_times(s.node_commits_)),
        attempts_(sorted_times(s.attempts_)),
        starving_(sorted_times(s.starving_)),
        overcommitted_(sorted_times(s.overcommitted_)),
        inbox_(s.inbox_),
        metrics_(s.tally_.metrics()) {
    preemptions_.assign(metrics_.preemptions.begin(), metrics_.preemptions.end());
    plans_.assign(metrics_.plans.begin(), metrics_.plans.end());
    lost_work_.assign(metrics_.lost_work.begin(), metrics_.lost_work.end());
    // Remembered finished entries are left out: they concern only this engine's cluster.
    for (const EntryId id : s.ledger_.ids()) {
      if (!s.ledger_.find(id)->remembered) entries_.push_back(*s.ledger_.find(id));
    }
  }

  template <class Archive>
  void fields(Archive& a) {
    a.number(now_);
    a.number(last_entry_);
    a.number(last_action_);
    a.number(revision_);
    a.number(storm_length_);
    a.list(storm_, [&](auto& row) { saved_fields<Archive>(a, row); });
    times_fields(a, node_commits_);
    times_fields(a, attempts_);
    times_fields(a, starving_);
    a.list(inbox_, [&](auto& event) { saved_fields<Archive>(a, event); });
    counts_fields(a, preemptions_);
    histogram_fields(a, metrics_.checkpoint_seconds);
    a.number(metrics_.requeues);
    a.number(metrics_.failed_checkpoints);
    counts_fields(a, plans_);
    histogram_fields(a, metrics_.plan_seconds);
    times_fields(a, lost_work_);
    a.number(metrics_.holds_expired);
    a.number(metrics_.ignored_events);
    orders_fields(a);
    a.list(entries_, [&](auto& entry) { entry_fields(a, entry); });
    times_fields(a, overcommitted_);
  }

  // A contradiction between fields; empty if there is none.
  std::string fault() const {
    std::string why = times_fault(now_, storm_length_, storm_, lost_work_);
    if (why.empty()) why = named_times_fault(node_commits_);
    if (why.empty()) why = named_times_fault(attempts_);
    if (why.empty()) why = named_times_fault(starving_);
    if (why.empty()) why = named_times_fault(overcommitted_);
    if (why.empty()) why = sum_fault(metrics_.checkpoint_seconds.sum);
    if (why.empty()) why = sum_fault(metrics_.plan_seconds.sum);
    if (why.empty()) why = entries_fault(entries_, last_entry_, last_action_);
    return why;
  }

  Sequence sequence() {
    Sequence s;
    s.now_ = now_;
    s.last_entry_ = last_entry_;
    s.last_action_ = last_action_;
    s.revision_ = revision_;
    s.storm_length_ = storm_length_;
    for (const StormWindow::Row& row : storm_) s.storm_.restore(row);
    for (const auto& [node, time] : node_commits_) s.node_commits_.edit(node) = time;
    for (const auto& [job, time] : attempts_) s.attempts_.edit(job) = time;
    for (const auto& [job, time] : starving_) s.starving_.edit(job) = time;
    for (const auto& [node, time] : overcommitted_) s.overcommitted_.edit(node) = time;
    s.inbox_ = std::move(inbox_);
    metrics_.preemptions.insert(preemptions_.begin(), preemptions_.end());
    metrics_.plans.insert(plans_.begin(), plans_.end());
    metrics_.lost_work.insert(lost_work_.begin(), lost_work_.end());
    s.tally_ = MetricsCounter::of(metrics_);
    for (Entry& entry : entries_) {
      for (Victim& victim : entry.victims) victim.listed = false;
      entry.exit_stamps.assign(entry.tasks.size(), {});
      s.ledger_.put(std::move(entry));
    }
    return s;
  }

 private:
  // Each order is written once, although two entries share an order after a hold was taken over.
  void orders_fields(SavedWriter& a) {
    std::vector<const CommitOrder*> orders;
    for (const Entry& entry : entries_) {
      for (const auto& order : entry.orders) {
        if (order_numbers_.emplace(order.get(), orders.size()).second) orders.push_back(order.get());
      }
    }
    a.list(orders, [&](const CommitOrder* order) { saved_fields<SavedWriter>(a, *order); });
  }
  void orders_fields(SavedReader& a) {
    a.list(orders_, [&](std::shared_ptr<const CommitOrder>& order) {
      CommitOrder read;
      saved_fields<SavedReader>(a, read);
      order = std::make_shared<const CommitOrder>(std::move(read));
    });
  }

  void order_field(SavedWriter& a, const std::shared_ptr<const CommitOrder>& order) {
    a.number(order_numbers_.at(order.get()));
  }
  void order_field(SavedReader& a, std::shared_ptr<const CommitOrder>& order) {
    std::uint32_t number = 0;
    a.number(number);
    if (number >= orders_.size()) {
      a.fail("an entry has order " + std::to_string(number) + " of " + std::to_string(orders_.size()));
      return;
    }
    order = orders_[number];
  }

  template <class Archive, class EntryLike>
  void entry_fields(Archive& a, EntryLike& entry) {
    a.number(entry.id);
    a.word(entry.clock.state, kEntryStates.size(), "entry state");
    a.number(entry.clock.deadline);
    a.number(entry.clock.ready_at);
    a.number(entry.committed);
    a.flag(entry.hold_taken);
    a.number(entry.placed_by);
    a.list(entry.orders, [&](auto& order) { order_field(a, order); });
    a.list(entry.lost_nodes, [&](auto& node) { a.text(node); });
    a.list(entry.victims, [&](auto& victim) { saved_fields<Archive>(a, victim); });
    a.list(entry.tasks, [&](auto& mark) { a.word(mark, 4, "task mark"); });
    saved_fields<Archive>(a, entry.notice);
    saved_fields<Archive>(a, entry.release);
    a.list(entry.borrowed_rooms, [&](auto& borrowed_room) { saved_fields<Archive>(a, borrowed_room); });
    a.list(entry.lent, [&](auto& place) { saved_fields<Archive>(a, place); });
    a.flag(entry.space_lost);
    a.list(entry.beside, [&](auto& run) { saved_fields<Archive>(a, run); });
  }

  Time now_ = kNoTime;
  EntryId last_entry_ = kNoEntry;
  ActionId last_action_ = kNoAction;
  std::uint64_t revision_ = 0;
  Duration storm_length_ = 0;
  std::vector<StormWindow::Row> storm_;
  std::vector<NamedTime> node_commits_;
  std::vector<NamedTime> attempts_;
  std::vector<NamedTime> starving_;
  std::vector<NamedTime> overcommitted_;
  std::vector<Event> inbox_;
  Metrics metrics_;
  std::vector<LabelledCount> preemptions_;
  std::vector<LabelledCount> plans_;
  std::vector<NamedSum> lost_work_;
  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const CommitOrder>> orders_;
  std::map<const CommitOrder*, std::uint32_t> order_numbers_;
};

std::string save(const Sequence& sequence) {
  SavedState state(sequence);
  SavedWriter content;
  state.fields(content);
  const std::string body = content.take();
  SavedWriter out;
  for (const char c : kMark) out.number(c);
  out.number(kSavedVersion);
  out.number(static_cast<std::uint64_t>(body.size()));
  std::string bytes = out.take() + body;
  SavedWriter checksum;
  checksum.number(crc64(bytes));
  return bytes + checksum.take();
}

namespace {

// The content between header and checksum, or the fault of the frame.
std::string_view unwrap(std::string_view bytes, std::uint32_t& version, std::string& why, Status& status) {
  status = Status::damaged;
  if (bytes.size() < kHeaderBytes + kChecksumBytes) {
    why = std::to_string(bytes.size()) + " bytes are too few";
    return {};
  }
  if (!bytes.starts_with(kMark)) {
    why = "does not begin with '" + std::string(kMark) + "'";
    return {};
  }
  std::uint64_t length = 0;
  SavedReader header(bytes.substr(kMark.size(), kHeaderBytes - kMark.size()));
  header.number(version);
  header.number(length);
  if (version > kSavedVersion) {
    status = Status::version;
    why = "version " + std::to_string(version) + " is newer than " + std::to_string(kSavedVersion);
    return {};
  }
  if (version < kFirstSavedVersion) {
    status = Status::version;
    why = "it was saved by 0.1.0; this library restores what 0.2.0 and later versions save";
    return {};
  }
  const std::uint64_t there = bytes.size() - kHeaderBytes - kChecksumBytes;
  if (length != there) {
    why = (there < length ? "cut off: it has " : "too long: it has ") + std::to_string(there) + " of " +
          std::to_string(length) + " bytes";
    return {};
  }
  std::uint64_t checksum = 0;
  SavedReader(bytes.substr(bytes.size() - kChecksumBytes)).number(checksum);
  if (checksum != crc64(bytes.substr(0, bytes.size() - kChecksumBytes))) {
    why = "checksum does not match";
    return {};
  }
  return bytes.substr(kHeaderBytes, there);
}

}  // namespace

std::optional<Sequence> restore(std::string_view bytes, Problems& problems) {
  std::string why;
  Status status = Status::damaged;
  std::uint32_t version = 0;
  const std::string_view content = unwrap(bytes, version, why, status);
  SavedState state;
  if (why.empty()) {
    SavedReader reader(content, version);
    state.fields(reader);
    if (reader.failed()) {
      why = reader.fault();
    } else if (!reader.at_end()) {
      why = "the content ends too early";
    } else {
      why = state.fault();
    }
  }
  if (!why.empty()) {
    problems.error({}, "saved state: " + why, status);
    return std::nullopt;
  }
  return state.sequence();
}

}  // namespace cede
