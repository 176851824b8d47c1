// SPDX-License-Identifier: MIT
#include "document/admission_writer.h"

#include "document/json_text.h"

namespace cede {

std::string write_admission(const AdmissionAnswer& answer) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").text(kAdmissionFormat).key("job").text(answer.job);
  json.key("policy").text(answer.policy).key("profile").text(to_word(answer.profile, kProfiles));
  json.key("admitted").flag(answer.admitted()).key("rule");
  if (answer.admitted()) {
    json.raw("null");
  } else {
    json.text(answer.rule);
  }
  json.key("reason").text(answer.reason);
  json.key("priority").number(answer.priority).key("class").number(answer.job_class).key("preemptible");
  if (answer.preemptible == Preemptible::last_resort) {
    json.text("last-resort");
  } else {
    json.flag(answer.preemptible == Preemptible::yes);
  }
  const AdmissionTerms& offer = answer.offer;
  json.key("offer").begin_object().key("priority");
  if (offer.priorities.empty()) {
    json.raw("null");
  } else {
    json.begin_object().key("min").number(offer.priorities.min).key("max").number(offer.priorities.max);
    json.key("default").number(offer.default_priority).key("may_change").flag(offer.may_change).end_object();
  }
  json.key("max_class").number(offer.max_class).key("may_opt_out").flag(offer.may_opt_out);
  json.end_object();
  if (!answer.quota.empty()) {
    json.key("quota").begin_object().key("answer").text(answer.quota);
    json.key("reason").text(answer.quota_text).end_object();
  }
  json.end_object();
  out.push_back('\n');
  return out;
}

}  // namespace cede
