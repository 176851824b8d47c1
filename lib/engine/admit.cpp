// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "document/admission_writer.h"
#include "engine/engine.h"
#include "policy/settings/effective_settings.h"

namespace cede {

std::optional<AdmissionAnswer> Engine::admit(std::string_view job, std::optional<std::string_view> changes,
                                             Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (!policies_) return fail("the engine has no policy to admit by", Status::invalid);
  std::optional<Model> changed;
  if (changes) {
    changed = read_changes_text(*changes, problems);
    if (!changed) return std::nullopt;
  }
  const std::shared_ptr<const ProjectedCluster> projection =
      changed
          ? std::make_shared<const ProjectedCluster>(project_cluster(*changed, sequence_, policies_.get()))
          : this->projection();
  const Model& model = *projection->model;
  const JobId id = model.find_job(job);
  if (!id) {
    const std::size_t known = model.jobs.live();
    return fail("unknown-job: " + quote(job) + " is not a job; " + std::to_string(known) +
                    (known == 1 ? " job is known" : " jobs are known"),
                Status::unknown);
  }
  const Policy* policy = policy_of(model, model.groups[model.jobs[id].group], *policies_);
  if (!policy) return fail("the job's group has no policy", Status::invalid);
  return cede::admit(EffectiveSettings(model, *policies_, *policy), projection->in_flight, id);
}

std::string admission_document(const AdmissionAnswer& answer) { return write_admission(answer); }

}  // namespace cede
