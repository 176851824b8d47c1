// SPDX-License-Identifier: MIT
#include "document/cluster_object_readers.h"

namespace cede {

namespace {
constexpr FieldNames<5> kReservationFields{{"id", "nodes", "from", "until", "for"}};
enum class ForField : std::uint8_t { queue, user, job };
constexpr FieldNames<3> kForFields{{"queue", "user", "job"}};
}  // namespace

class ReservationSink::ForSink final : public ObjectSink<ForField, 3> {
 public:
  ForSink(Reading& reading, ReservationSink& owner) : ObjectSink(reading, kForFields), owner_(owner) {}
  ValueSink* start() {
    ObjectSink::start();
    return this;
  }
  void scalar(const Scalar& value) override {
    if (value.is_null()) return reading_.fail_type("a name", value);
    ReservationDraft& draft = owner_.draft_;
    if (draft.row.reserved_for != ReservedFor::nobody)
      return reading_.fail("a reservation is for one party only");
    Model& model = owner_.edit_.model();
    switch (field()) {
      case ForField::queue:
        draft.row.reserved_for = ReservedFor::queue;
        return reading_.read_name(value, model.names, draft.queue);
      case ForField::user:
        draft.row.reserved_for = ReservedFor::user;
        return reading_.read_name(value, model.names, draft.row.user);
      case ForField::job:
        draft.row.reserved_for = ReservedFor::job;
        return reading_.read_name(value, model.job_names, draft.row.job);
    }
  }
  void end() override {
    if (owner_.draft_.row.reserved_for == ReservedFor::nobody) {
      reading_.fail("names nobody; 'queue', 'user' or 'job' is wanted, or null for nobody at all");
    }
  }
  SiteFields* site() override { return &owner_.site_; }
  std::string site_prefix() const override { return "for/"; }

 private:
  ReservationSink& owner_;
};

ReservationSink::ReservationSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kReservationFields),
      edit_(edit),
      nodes_(reading, edit.limits()),
      for_(std::make_unique<ForSink>(reading, *this)) {}

ValueSink* ReservationSink::start() {
  ObjectSink::start();
  draft_.row = {};
  draft_.queue = kNoName;
  draft_.nodes.clear();
  site_.clear();
  return this;
}

void ReservationSink::scalar(const Scalar& value) {
  switch (field()) {
    case ReservationField::id: return reading_.read_name(value, edit_.model().names, draft_.row.name);
    case ReservationField::from: return reading_.read_time(value, draft_.row.from);
    case ReservationField::until: return reading_.read_time(value, draft_.row.until);
    case ReservationField::nodes: return reading_.fail_type("a list of nodes", value);
    case ReservationField::reserved_for:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* ReservationSink::object() {
  return field() == ReservationField::reserved_for ? static_cast<ForSink&>(*for_).start()
                                                   : ObjectSink::object();
}

ValueSink* ReservationSink::array() {
  return field() == ReservationField::nodes ? nodes_.start(edit_.model().names, draft_.nodes)
                                            : ObjectSink::array();
}

void ReservationSink::end() {
  if (!saw(ReservationField::id)) reading_.fail_member("id", "missing");
  if (!saw(ReservationField::nodes)) reading_.fail_member("nodes", "missing");
  if (draft_.row.from == kNoTime) reading_.fail_member("from", "missing; a time is wanted");
  if (draft_.row.name == kNoName) return edit_.skip(Kind::reservation);
  draft_.row.site = edit_.model().blobs.intern(site_);
  edit_.put(draft_);
}

}  // namespace cede
