// SPDX-License-Identifier: MIT
#include <limits>

#include "document/cluster_object_readers.h"
#include "model/bounds.h"
#include "policy/settings/setting_values.h"

namespace cede {

namespace {
constexpr FieldNames<10> kQueueFields{{"id", "parent", "guaranteed", "max", "weight", "kind", "preemption",
                                       "priority_offset", "settings", "fair_share"}};
enum class PreemptionField : std::uint8_t { policy, delay };
constexpr FieldNames<2> kPreemptionFields{{"policy", "delay"}};
}  // namespace

class QueueSink::PreemptionSink final : public ObjectSink<PreemptionField, 2> {
 public:
  PreemptionSink(Reading& reading, QueueSink& owner)
      : ObjectSink(reading, kPreemptionFields), owner_(owner) {}
  ValueSink* start() {
    ObjectSink::start();
    return this;
  }
  void scalar(const Scalar& value) override {
    QueueRow& row = owner_.draft_.row;
    if (field() == PreemptionField::policy) return reading_.read_word(value, kQueuePolicies, row.policy);
    reading_.read_duration(value, row.delay);
    if (row.delay == 0) reading_.fail("0 is not a delay; it must be above 0");
  }
  SiteFields* site() override { return &owner_.site_; }
  std::string site_prefix() const override { return "preemption/"; }

 private:
  QueueSink& owner_;
};

QueueSink::QueueSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kQueueFields),
      edit_(edit),
      guaranteed_(reading, edit, true),
      max_(reading, edit, true),
      settings_(reading, SettingHolder::queue),
      preemption_(std::make_unique<PreemptionSink>(reading, *this)) {}

ValueSink* QueueSink::start() {
  ObjectSink::start();
  draft_ = {};
  site_.clear();
  values_ = {};
  return this;
}

void QueueSink::scalar(const Scalar& value) {
  QueueRow& row = draft_.row;
  switch (field()) {
    case QueueField::id: return reading_.read_name(value, edit_.model().names, row.name);
    case QueueField::parent: return reading_.read_name(value, edit_.model().names, draft_.parent);
    case QueueField::weight:
      reading_.read_decimal(value, 3, kMaxWeight, row.weight);
      if (row.weight == 0) reading_.fail("0 is not a weight; it must be above 0");
      return;
    case QueueField::kind: return reading_.read_word(value, kJobKinds, row.kind);
    case QueueField::priority_offset:
      return reading_.read_integer(value, std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max(), row.priority_offset);
    case QueueField::fair_share: return reading_.read_decimal(value, 12, kWholeShare, row.fair_share);
    case QueueField::guaranteed:
    case QueueField::max:
    case QueueField::preemption:
    case QueueField::settings:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* QueueSink::object() {
  switch (field()) {
    case QueueField::guaranteed: return guaranteed_.start(draft_.row.guaranteed);
    case QueueField::max: return max_.start(draft_.row.max);
    case QueueField::preemption: return static_cast<PreemptionSink&>(*preemption_).start();
    case QueueField::settings: return settings_.start(values_, site_);
    default: return ObjectSink::object();
  }
}

void QueueSink::end() {
  if (!saw(QueueField::id)) reading_.fail_member("id", "missing");
  if (draft_.row.name == kNoName) return edit_.skip(Kind::queue);
  Model& model = edit_.model();
  draft_.row.settings = model.blobs.intern(encode_settings(values_));
  draft_.row.site = model.blobs.intern(site_);
  edit_.put(draft_);
}

}  // namespace cede
