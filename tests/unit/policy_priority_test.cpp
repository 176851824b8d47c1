// SPDX-License-Identifier: MIT
#include "sequence_engine_fixture.h"

namespace cede {
namespace {

Scene ordered(std::string_view order) {
  return Scene("priority", JsonObject{{"preemption_order", order}}).node("n1", 8).node("n2", 8);
}

JsonObject with(int priority, int started = 1000) { return {{"priority", priority}, {"started", started}}; }

// Which jobs give way to a request for a whole node.
std::string asks(Scene scene, int amount = 8) { return scene.waits("p", amount, R"("priority":60)").asks(); }

TEST(PriorityOrder, OnlyLowerPrioritiesGiveWay) {
  const auto spared = [](int theirs) {
    return Scene("priority", R"("preemptible_priority":100)")
        .node("n1", 8)
        .runs("low", "n1", 1, R"("priority":1)")
        .runs("v", "n1", 7, {{"priority", theirs}})
        .waits("p", 8, R"("priority":60)")
        .plan();
  };
  EXPECT_EQ(in_words(spared(59)), "preempt low,v");
  EXPECT_EQ(excluded_by(spared(60), "v"), "priority");
}

TEST(PriorityOrder, NewestAmongEqualPriorities) {
  EXPECT_EQ(asks(ordered("newest").runs("a", "n1", 8, with(2, 100)).runs("b", "n2", 8, with(2, 200))),
            "preempt b");
  EXPECT_EQ(asks(ordered("oldest").runs("a", "n1", 8, with(2, 200)).runs("b", "n2", 8, with(2, 100))),
            "preempt b");
  EXPECT_EQ(asks(ordered("newest").runs("a", "n1", 8, with(2, 300)).runs("b", "n2", 8, with(1, 200))),
            "preempt b")
      << "the priority comes first";
}

TEST(PriorityOrder, FewestAmongEqualHighest) {
  EXPECT_EQ(asks(ordered("fewest")
                     .runs("a1", "n1", 4, with(3))
                     .runs("a2", "n1", 4, with(0))
                     .runs("b", "n2", 8, with(3))),
            "preempt b");
  EXPECT_EQ(asks(ordered("fewest")
                     .runs("a1", "n1", 4, with(3))
                     .runs("a2", "n1", 4, with(3))
                     .runs("b1", "n2", 4, with(3))
                     .runs("b2", "n2", 4, with(0))),
            "preempt b1,b2")
      << "then counts per priority";
  EXPECT_EQ(asks(ordered("fewest")
                     .runs("a1", "n1", 4, with(2))
                     .runs("a2", "n1", 4, with(2))
                     .runs("b", "n2", 8, with(3))),
            "preempt a1,a2")
      << "the highest priority comes first";
}

TEST(PriorityOrder, SmallestAmongEqualHighest) {
  EXPECT_EQ(asks(ordered("smallest")
                     .runs("a", "n1", 7, with(3))
                     .runs("b1", "n2", 5, with(3))
                     .runs("b2", "n2", 3, with(5)),
                 5),
            "preempt b1");
  EXPECT_EQ(asks(ordered("smallest").runs("a", "n1", 8, with(2)).runs("b", "n2", 5, with(3)), 5), "preempt a")
      << "the highest priority comes first";
  EXPECT_EQ(asks(ordered("smallest")
                     .runs("a1", "n1", 4, with(3))
                     .runs("a2", "n1", 4, with(3))
                     .runs("b1", "n2", 4, with(3))
                     .runs("b2", "n2", 4, with(0))),
            "preempt b1,b2")
      << "then counts per priority";
}

// ---- which job is the front

TEST(PriorityFront, AJobOfASwitchedOffQueueBlocksNoOther) {
  const auto line = [](const JsonObject& of_queue) {
    return Scene("priority")
        .queue("root.a", of_queue)
        .queue("root.a.x")
        .node("n1", 8)
        .runs("v", "n1", 8, R"("priority":1)")
        .waits("w", 8, in_queue("root.a.x", R"("priority":50)"))
        .waits("p", 8, R"("priority":40)");
  };
  EXPECT_EQ(line({}).asks(), "wait not-front");
  const Scene off = line({{"settings", JsonObject{{"preemption", "off"}}}});
  EXPECT_EQ(off.asks(), "preempt v");
  EXPECT_EQ(off.asks("w"), "wait off");
}

// A victim waits again once it was put as pending. Until then it can ask for nothing.
TEST(PriorityFront, AVictimOnItsWayOutBlocksNoOther) {
  const Scene scene =
      Scene("priority", R"("requeue":"always")")
          .node("n1", 8)
          .node("n2", 8)
          .runs("v", "n1", 8, R"("priority":5)")
          .runs("o", "n2", 8, R"("priority":0)")
          .job("w", R"("submitted":980000,"priority":50)", R"({"resources":{"cpu":8},"required_node":"n1"})")
          .waits("p", 8, R"("priority":4)");
  Manager run(scene);
  EXPECT_EQ(run.asks("p"), "wait not-front") << "w is the front";
  EXPECT_EQ(run.commit("w"), "1");
  EXPECT_EQ(run.asks("v"), "wait not-waiting");
  EXPECT_EQ(run.asks("p"), "preempt o");
  EXPECT_EQ(run.step(1), "TERM v");
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "requeue v, start w");
  EXPECT_EQ(run.asks("p", 2), "preempt o");
  run.put_job(
      R"({"id":"v","queue":"root","submitted":900000,"priority":5,"tasks":[{"resources":{"cpu":8}}]})");
  EXPECT_EQ(run.asks("p", 2), "wait not-front") << "v is the front";
}

}  // namespace
}  // namespace cede
