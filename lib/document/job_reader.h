// SPDX-License-Identifier: MIT
#pragma once

#include "document/job_fields.h"
#include "document/policy_reader.h"
#include "document/reading.h"
#include "document/requirement_reader.h"
#include "model/edit.h"

namespace cede {

// One entry of a job's `tasks`.
class TaskSink final : public ObjectSink<TaskField, 11> {
 public:
  TaskSink(Reading& reading, ModelEdit& edit);
  ValueSink* start(std::vector<TaskDraft>& out);
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  // `gpus`: whole devices as numbers, shared ones as {"index": 3, "share": 0.5}.
  class GpusSink final : public ObjectSink<ShareField, 2> {
   public:
    GpusSink(Reading& reading, TaskSink& owner);
    ValueSink* start_list();
    void scalar(const Scalar& value) override;
    void end() override;
    SiteFields* site() override { return &site_; }

   private:
    class ListSink final : public ValueSink {
     public:
      ListSink(Reading& reading, GpusSink& owner) : ValueSink(reading), owner_(owner) {}
      void scalar(const Scalar& value) override;
      ValueSink* object() override;

     private:
      GpusSink& owner_;
    };
    void take(std::int64_t device, std::int64_t share);

    TaskSink& owner_;
    ListSink list_;
    std::int64_t index_ = -1;
    std::int64_t share_ = -1;
    SiteFields site_;  // of the current object; its device index may come last
  };
  friend class GpusSink;

  TaskDraft& draft() { return out_->back(); }
  void read_count(const Scalar& value, TaskCore& core);

  ModelEdit& edit_;
  std::vector<TaskDraft>* out_ = nullptr;
  SiteFields site_;
  ResourceSink resources_;
  GpusSink gpus_;
  std::vector<DeviceShare> shares_;
};

// One entry of `jobs`.
class JobSink final : public ObjectSink<JobField, 31> {
 public:
  JobSink(Reading& reading, ModelEdit& edit);
  ValueSink* start();
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  void end() override;
  SiteFields* site() override { return &site_; }

 private:
  class CheckpointSink final : public ObjectSink<CheckpointField, 6> {
   public:
    CheckpointSink(Reading& reading, JobSink& owner);
    ValueSink* start();
    void scalar(const Scalar& value) override;
    SiteFields* site() override { return &owner_.site_; }
    std::string site_prefix() const override { return "checkpoint/"; }

   private:
    JobSink& owner_;
  };
  class TasksSink final : public ValueSink {
   public:
    TasksSink(Reading& reading, JobSink& owner) : ValueSink(reading), owner_(owner) {}
    ValueSink* object() override { return owner_.task_.start(owner_.draft_.tasks); }

   private:
    JobSink& owner_;
  };
  friend class CheckpointSink;
  friend class TasksSink;

  ModelEdit& edit_;
  JobDraft draft_;
  SiteFields site_;
  SettingValues values_;
  TaskSink task_;
  TasksSink tasks_;
  CheckpointSink checkpoint_;
  ResourceSink max_;
  SettingsSink settings_;
  RequirementSink require_;
};

// The values of `preemptible`: true, false or "last-resort".
void read_preemptible(Reading& reading, const Scalar& value, Preemptible& out);

}  // namespace cede
