// SPDX-License-Identifier: MIT
// Every documented limit: one more than it is refused by its name, exactly as many are taken.
#include "engine/engine.h"

#include <functional>

#include "engine_fixture.h"

namespace cede {
namespace {

std::string repeat(std::size_t count, const std::function<std::string(std::size_t)>& make) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + make(i);
  return out;
}

std::string numbered(std::string_view before, std::size_t i, std::string_view after) {
  return std::string(before) + std::to_string(i) + std::string(after);
}

struct Bound {
  const char* name;
  std::size_t limit;
  std::function<std::string(std::size_t)> document;  // with that many of them
};

class LimitTest : public testing::TestWithParam<Bound> {};

TEST_P(LimitTest, IsNamedWhenPassed) {
  const Bound& bound = GetParam();
  Options options;
  std::string why;
  ASSERT_EQ(set_option(options, std::string(bound.name) + "=" + std::to_string(bound.limit), why), Status::ok)
      << why;
  EXPECT_EQ(load_fault(bound.document(bound.limit), {}, options), "");
  const std::string fault = load_fault(bound.document(bound.limit + 1), {}, options);
  EXPECT_NE(fault.find(std::string("(limit ") + bound.name + ")"), std::string::npos) << fault;
  Engine engine(options);
  Problems problems;
  engine.load(bound.document(bound.limit + 1), problems);
  EXPECT_EQ(problems.all().at(0).status, Status::limit);
  EXPECT_EQ(problems.errors(), 1u) << "one limit passed is one error";
}

const auto kJobs = [](std::size_t n) {
  return cluster_with(repeat(
      n, [](std::size_t i) { return numbered(R"({"id":"j)", i, R"(","queue":"root","tasks":[{}]})"); }));
};
const auto kNodes = [](std::size_t n) {
  return cluster_with("", "", repeat(n, [](std::size_t i) { return numbered(R"({"id":"n)", i, R"("})"); }));
};

INSTANTIATE_TEST_SUITE_P(
    Engine, LimitTest,
    testing::Values(
        Bound{"max_jobs", 5, kJobs}, Bound{"max_nodes", 5, kNodes},
        Bound{"max_tasks", 5,
              [](std::size_t n) {
                return cluster_with(job_with("", repeat(n, [](std::size_t) { return "{}"; })));
              }},
        Bound{"max_tasks_per_job", 5,
              [](std::size_t n) {
                return cluster_with(job_with("", R"({"count":5})" + std::string(n > 5 ? ",{}" : "")));
              }},
        Bound{"max_queues", 5,
              [](std::size_t n) {
                return cluster_with("", "", R"({"id":"n"})",
                                    R"({"id":"root"},)" + repeat(n - 1, [](std::size_t i) {
                                      return numbered(R"({"id":"q)", i, R"(","parent":"root"})");
                                    }));
              }},
        Bound{"max_queue_depth", 5,
              [](std::size_t n) {
                return cluster_with("", "", R"({"id":"n"})",
                                    R"({"id":"q0"},)" + repeat(n - 1, [](std::size_t i) {
                                      return numbered(R"({"id":"q)", i + 1, R"(","parent":"q)") +
                                             std::to_string(i) + R"("})";
                                    }));
              }},
        Bound{"max_resources", 5,
              [](std::size_t n) {
                return cluster_with("", "", R"({"id":"n","resources":{)" + repeat(n, [](std::size_t i) {
                                              return numbered("\"r", i, "\":1");
                                            }) + "}}");
              }},
        Bound{"max_groups", 5,
              [](std::size_t n) {
                return R"({"format":"cede-cluster/1","groups":[)" +
                       repeat(n, [](std::size_t i) { return numbered(R"({"id":"g)", i, R"("})"); }) + "]}";
              }},
        Bound{"max_levels", 5,
              [](std::size_t n) {
                return cluster_with("", R"(,"network":{"levels":[)" + repeat(n, [](std::size_t i) {
                                          return numbered("\"l", i, "\"");
                                        }) + "]}");
              }},
        Bound{"max_domains", 5,
              [](std::size_t n) {
                return cluster_with(
                    "", R"(,"network":{"levels":["leaf"],"domains":[)" + repeat(n, [](std::size_t i) {
                          return numbered(R"({"id":"d)", i, R"(","level":"leaf"})");
                        }) + "]}");
              }},
        Bound{"max_reservations", 5,
              [](std::size_t n) {
                return cluster_with("", R"(,"reservations":[)" + repeat(n, [](std::size_t i) {
                                          return numbered(R"({"id":"r)", i, R"(","nodes":["n1"],"from":1})");
                                        }) + "]");
              }},
        Bound{"max_topologies", 5,
              [](std::size_t n) {
                return cluster_with("", R"(,"topologies":{)" + repeat(n, [](std::size_t i) {
                                          return numbered("\"t", i, R"(":{"gpus":0})");
                                        }) + "}");
              }},
        Bound{"max_labels", 5,
              [](std::size_t n) {
                return cluster_with("", "", R"({"id":"n","labels":{)" + repeat(n, [](std::size_t i) {
                                              return numbered("\"k", i, R"(":"v")");
                                            }) + "}}");
              }},
        Bound{"max_list", 5,
              [](std::size_t n) {
                return cluster_with(
                    job_with(R"("require":{"hosts":{"exclude":[)" +
                             repeat(n, [](std::size_t i) { return numbered("\"h", i, "\""); }) + "]}}"));
              }},
        Bound{"max_nesting", 9,
              [](std::size_t n) {
                return cluster_with("", R"(,"x-deep":)" + std::string(n - 1, '[') + std::string(n - 1, ']'));
              }},
        Bound{"max_site_bytes", 100,
              [](std::size_t n) {
                // The key, its value with quotes, and a NUL behind each.
                return cluster_with("", R"(,"x-a":")" + std::string(n - 7, 'y') + "\"");
              }},
        Bound{"max_document_bytes", 500,
              [](std::size_t n) {
                const std::string text = cluster_with("");
                return text + std::string(n - text.size(), ' ');
              }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Limits, DefaultsAreThoseOfTheOptions) {
  Options written;
  for (const OptionSpec& spec : option_specs()) {
    std::string why;
    Options fresh;
    const std::uint64_t built_in = spec.in(fresh);
    EXPECT_EQ(std::to_string(built_in), spec.fallback) << spec.name;
    EXPECT_EQ(set_option(written, std::string(spec.name) + "=" + spec.fallback, why), Status::ok) << why;
  }
}

TEST(Limits, DevicesAreBoundedForEver) {
  EXPECT_NE(load_fault(cluster_with("", R"(,"topologies":{"t":{"gpus":65}})")).find("outside 0..64"),
            std::string::npos);
}

}  // namespace
}  // namespace cede
