/* SPDX-License-Identifier: MIT */
/* The small documents of these tests. Each is written out from the specification, never taken from an export.
 */
#ifndef CEDE_TESTS_ABI_DOCUMENTS_H
#define CEDE_TESTS_ABI_DOCUMENTS_H

extern const char policy_text[];      /* policies "default" (guarantee) and "gold" (class-cost) */
extern const char gold_policy_text[]; /* policy "gold" alone */
extern const char bad_policy_text[];  /* policies "default" and "late", and a setting nobody knows */

extern const char
    cluster_text[]; /* group g (policy default), queues root, root.a, root.b, nodes n1, n2, jobs j1, j2 */
extern const char small_cluster_text[];    /* one node, no job */
extern const char gold_cluster_text[];     /* one node in a group with policy "gold" */
extern const char odd_cluster_text[];      /* legal; the children guarantee more than their parent does */
extern const char full_cluster_text[];     /* every section of the document is used */
extern const char hwloc_cluster_text[];    /* a node whose topology is inline hwloc XML with one GPU */
extern const char imported_cluster_text[]; /* a node with NCCL XML, and a network from a topology.conf */
extern const char overcommitted_cluster_text[]; /* legal; the tasks of n1 hold more than it has */
extern const char wrong_cluster_text[];         /* three mistakes on lines 3, 5 and 6 */

extern const char hwloc_xml_text[];      /* one GPU, two cores */
extern const char nccl_xml_text[];       /* two linked GPUs, one NIC */
extern const char slurm_topology_text[]; /* leaves s0 (n1, n2) and s1 (n3), spine s2 */

extern const char change_text[];       /* puts j3, changes n2, removes j2: taken on cluster_text */
extern const char wrong_change_text[]; /* puts j3, then a job in a queue nobody knows */

extern const char
    sessions_policy_text[]; /* policy "default" (priority), rules for project p, users u, fixed */
extern const char sessions_cluster_text[]; /* full nodes n1..n3, running v1..v4, waiting w of p and u */
extern const char submission_text[];       /* puts jobs s1, refused by the rules of p, and s2 */
extern const char wrong_submission_text[]; /* puts a job whose priority the profile does not have */

/* Under class-cost: node n1, at home in root.owner, holds 6 GPUs of 4, `own` and `guest` three each; n3 holds
 * 4 of 2, and 3 of them may not be taken. */
extern const char crowded_policy_text[];
extern const char crowded_cluster_text[];

extern const char fair_policy_text[];  /* policies "default" (fair-share) and "other" (priority) */
extern const char fair_cluster_text[]; /* groups g (fair-share) and h (other); job v of g runs, p starves */

#endif
