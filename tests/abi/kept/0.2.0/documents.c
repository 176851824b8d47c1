/* SPDX-License-Identifier: MIT */
#include "documents.h"

const char policy_text[] =
    "{\"format\": \"cede-policy/1\",\n"
    " \"policies\": {\"default\": {\"profile\": \"guarantee\"},\n"
    "              \"gold\": {\"profile\": \"class-cost\", \"settings\": {\"max_victims\": 3}}}}\n";

const char gold_policy_text[] =
    "{\"format\": \"cede-policy/1\",\n"
    " \"policies\": {\"gold\": {\"profile\": \"class-cost\"}}}\n";

const char bad_policy_text[] =
    "{\"format\": \"cede-policy/1\",\n"
    " \"policies\": {\"default\": {\"profile\": \"guarantee\"},\n"
    "              \"late\": {\"profile\": \"class-cost\",\n"
    "                       \"settings\": {\"max_victim\": 3}}}}\n";

const char cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"},\n"
    "            {\"id\": \"root.a\", \"parent\": \"root\", \"guaranteed\": {\"gpu\": 2}, \"max\": {\"gpu\": "
    "8}},\n"
    "            {\"id\": \"root.b\", \"parent\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"cpu\": 16, \"mem\": \"64Gi\", "
    "\"gpu\": 4}},\n"
    "           {\"id\": \"n2\", \"group\": \"g\", \"resources\": {\"cpu\": 16, \"mem\": \"64Gi\", \"gpu\": "
    "4}}],\n"
    " \"jobs\": [{\"id\": \"j1\", \"queue\": \"root.a\", \"group\": \"g\", \"state\": \"running\", "
    "\"priority\": 3,\n"
    "           \"started\": 1759990000,\n"
    "           \"tasks\": [{\"id\": \"t0\", \"node\": \"n1\", \"resources\": {\"cpu\": \"500m\", \"gpu\": "
    "2}}]},\n"
    "          {\"id\": \"j2\", \"queue\": \"root.b\", \"group\": \"g\", \"priority\": 5, \"submitted\": "
    "1759999000,\n"
    "           \"tasks\": [{\"count\": 2, \"resources\": {\"gpu\": 1}}]}]}\n";

const char small_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n9\", \"group\": \"g\", \"resources\": {\"gpu\": 1}}]}\n";

const char gold_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"gold\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n9\", \"group\": \"g\", \"resources\": {\"gpu\": 1}}]}\n";

const char odd_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"},\n"
    "            {\"id\": \"root.a\", \"parent\": \"root\", \"guaranteed\": {\"gpu\": 2}},\n"
    "            {\"id\": \"root.a.x\", \"parent\": \"root.a\", \"guaranteed\": {\"gpu\": 2}},\n"
    "            {\"id\": \"root.a.y\", \"parent\": \"root.a\", \"guaranteed\": {\"gpu\": 1}}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 4}}]}\n";

const char full_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": \"2025-10-09T08:53:20Z\",\n"
    " \"x-site\": {\"any\": [1, \"thing\"]},\n"
    " \"topologies\": {\"box4\": {\"gpus\": 4, \"numa\": [[0, 1], [2, 3]], \"pcie\": [[0, 1], [2, 3]],\n"
    "                          \"links\": {\"nvl\": [[0, 1, 2, 3]]},\n"
    "                          \"nics\": [{\"near\": [0, 1]}, {\"near\": [2, 3]}]}},\n"
    " \"network\": {\"levels\": [\"leaf\", \"spine\"],\n"
    "             \"domains\": [{\"id\": \"l1\", \"level\": \"leaf\", \"parent\": \"s1\"},\n"
    "                         {\"id\": \"s1\", \"level\": \"spine\"}]},\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\", \"resources\": {\"licence\": 20}}],\n"
    " \"reservations\": [{\"id\": \"maint\", \"nodes\": [\"n2\"], \"from\": 1760003600, \"until\": "
    "1760010000,\n"
    "                   \"for\": {\"queue\": \"root.ml\"}}],\n"
    " \"queues\": [{\"id\": \"root\"},\n"
    "            {\"id\": \"root.ml\", \"parent\": \"root\", \"guaranteed\": {\"gpu\": 4}, \"max\": "
    "{\"gpu\": 8},\n"
    "             \"weight\": 2, \"kind\": \"training\", \"preemption\": {\"policy\": \"fence\", \"delay\": "
    "\"30s\"},\n"
    "             \"priority_offset\": 1}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"cpu\": 112, \"mem\": \"2Ti\", "
    "\"gpu\": 4},\n"
    "            \"topology\": \"box4\", \"network\": [\"l1\"], \"state\": \"up\", \"home\": \"root.ml\",\n"
    "            \"fingerprint\": {\"driver\": \"550.54\", \"nicfw\": \"28.39\"}, \"fingerprint_at\": "
    "1759990000,\n"
    "            \"labels\": {\"zone\": \"a\"}},\n"
    "           {\"id\": \"n2\", \"group\": \"g\", \"resources\": {\"cpu\": 112, \"gpu\": 4}, \"topology\": "
    "\"box4\",\n"
    "            \"network\": [\"l1\"], \"state\": \"drain\"}],\n"
    " \"jobs\": [{\"id\": \"j\\u00e9\", \"queue\": \"root.ml\", \"group\": \"g\", \"app\": \"a1\", \"user\": "
    "\"u\",\n"
    "           \"project\": \"p\", \"tenant\": \"d\", \"kind\": \"batch\", \"state\": \"running\", "
    "\"priority\": 10,\n"
    "           \"class\": 4, \"gang\": true, \"submitted\": 1759990000, \"started\": 1759991000, "
    "\"walltime\": \"4h\",\n"
    "           \"checkpoint\": {\"mode\": \"auto\", \"last\": 1759999000, \"estimate\": \"5m\", "
    "\"timeout\": \"10m\",\n"
    "                          \"restart\": \"2m\", \"via\": \"signal\"},\n"
    "           \"preemptible\": \"last-resort\", \"may_preempt\": true, \"preempted_count\": 1,\n"
    "           \"tasks\": [{\"id\": \"t0\", \"node\": \"n1\", \"resources\": {\"cpu\": 8.5, \"mem\": "
    "\"64Gi\", \"gpu\": 2},\n"
    "                      \"gpus\": [0, 1]}]},\n"
    "          {\"id\": \"w\", \"queue\": \"root.ml\", \"group\": \"g\", \"submitted\": 1759999000, "
    "\"gang\": true,\n"
    "           \"require\": {\"nodes\": {\"min\": 1, \"max\": 2}, \"gpus\": [{\"level\": \"nvl\"}],\n"
    "                       \"network\": [{\"level\": \"leaf\", \"max_domains\": 1}]},\n"
    "           \"tasks\": [{\"count\": 4, \"resources\": {\"gpu\": 2}}]}]}\n";

#define PLACES(cpus) " cpuset='" cpus "' complete_cpuset='" cpus "' nodeset='0x1' complete_nodeset='0x1'"
#define PU(number, cpus, first, second)                                                          \
  "<object type='Core' os_index='" number "'" PLACES(cpus) " gp_index='" first                   \
                                                           "'>"                                  \
                                                           "<object type='PU' os_index='" number \
                                                           "'" PLACES(cpus) " gp_index='" second \
                                                                            "'/></object>"

#define HWLOC_XML \
  "<?xml version='1.0' encoding='UTF-8'?>"                                                                  \
  "<topology version='2.0'>"                                                                                \
  "<object type='Machine' os_index='0'" PLACES("0x3") " allowed_cpuset='0x3'"                               \
  " allowed_nodeset='0x1' gp_index='1'>"                                                                    \
  "<object type='NUMANode' os_index='0'" PLACES("0x3") " gp_index='2' local_memory='1024'/>"                \
  PU("0", "0x1", "3", "4") PU("1", "0x2", "5", "6")                                                         \
  "<object type='Bridge' gp_index='7' bridge_type='0-1' depth='0' bridge_pci='0000:[00-01]'>"               \
  "<object type='PCIDev' gp_index='8' pci_busid='0000:01:00.0' pci_type='0302 [10de:2330] [10de:16c1] a1'"  \
  " pci_link_speed='0.0'><object type='OSDev' gp_index='9' name='cuda0' subtype='CUDA' osdev_type='5'>"     \
  "<info name='GPUModel' value='H100'/></object></object></object>"                                         \
  "</object></topology>"
#define NCCL_XML                                                                                         \
  "<system version='1'><cpu numaid='0'><pci busid='0000:01:00.0' class='0x030200' vendor='0x10de' "      \
  "device='0x2330'><gpu dev='0'><nvlink target='0000:02:00.0' count='4' tclass='0x030200'/></gpu></pci>" \
  "<pci busid='0000:02:00.0' class='0x030200' vendor='0x10de' device='0x2330'><gpu dev='1'>"             \
  "<nvlink target='0000:01:00.0' count='4' tclass='0x030200'/></gpu></pci>"                              \
  "<nic><net name='eth0'/></nic></cpu></system>"

const char hwloc_xml_text[] = HWLOC_XML;
const char nccl_xml_text[] = NCCL_XML;
const char slurm_topology_text[] =
    "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n3\n# up\nSwitchName=s2 Switches=s[0-1]\n";

const char hwloc_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"topologies\": {\"box\": {\"hwloc_xml\": \"" HWLOC_XML
    "\"}},\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"topology\": \"box\", \"resources\": {\"gpu\": 1}}]}\n";

const char imported_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"topologies\": {\"box\": {\"nccl_xml\": \"" NCCL_XML
    "\"}},\n"
    " \"network\": {\"slurm_topology\": \"SwitchName=s0 Nodes=n[1-1]\\nSwitchName=s1 Switches=s0\"},\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"topology\": \"box\", \"resources\": {\"gpu\": 2}}]}\n";

const char overcommitted_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 2}}],\n"
    " \"jobs\": [{\"id\": \"j1\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000,\n"
    "           \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 2}},\n"
    "                     {\"node\": \"n1\", \"resources\": {\"gpu\": 1}}]}]}\n";

const char wrong_cluster_text[] =
    "{\"format\": \"cede-cluster/1\",\n"
    " \"now\": 1760000000,\n"
    " \"groups\": [{\"id\": \"g\", \"policy\": \"default\", \"polici\": 1}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": -1}},\n"
    "           {\"id\": \"n2\", \"group\": \"g\", \"state\": \"upp\"}]}\n";

const char change_text[] =
    "{\"format\": \"cede-changes/1\",\n"
    " \"put\": {\"jobs\": [{\"id\": \"j3\", \"queue\": \"root.a\", \"group\": \"g\", \"submitted\": "
    "1760000000,\n"
    "                   \"tasks\": [{\"resources\": {\"gpu\": 4}}]}],\n"
    "         \"nodes\": [{\"id\": \"n2\", \"group\": \"g\", \"resources\": {\"gpu\": 8}, \"state\": "
    "\"drain\"}]},\n"
    " \"remove\": {\"jobs\": [\"j2\"]}}\n";

const char wrong_change_text[] =
    "{\"format\": \"cede-changes/1\",\n"
    " \"put\": {\"jobs\": [{\"id\": \"j3\", \"queue\": \"root.a\", \"group\": \"g\", \"submitted\": "
    "1760000000,\n"
    "                   \"tasks\": [{\"resources\": {\"gpu\": 4}}]},\n"
    "                  {\"id\": \"j4\", \"queue\": \"root.c\", \"group\": \"g\", \"submitted\": 1760000000,\n"
    "                   \"tasks\": [{\"resources\": {\"gpu\": 4}}]}]}}\n";

const char sessions_policy_text[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"priority\"}},\n"
    " \"admission\": {\"projects\": {\"p\": {\"min\": 5, \"max\": 50, \"max_class\": 7}},\n"
    "               \"users\": {\"u\": {\"default_priority\": 20, \"may_opt_out\": false}, \"fixed\": "
    "{\"may_change\": false}, \"high\": {\"may_opt_out\": {\"min\": 50}}}}}\n";

const char sessions_cluster_text[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}], \"queues\": "
    "[{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"resources\": {\"gpu\": 4}}, {\"id\": \"n2\", \"resources\": {\"gpu\": "
    "4}},\n"
    "           {\"id\": \"n3\", \"resources\": {\"gpu\": 4}}],\n"
    " \"jobs\": [{\"id\": \"v1\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000, "
    "\"priority\": 1,\n"
    "           \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 2}, \"gpus\": [0, 1]}]},\n"
    "          {\"id\": \"v2\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000, "
    "\"priority\": 1,\n"
    "           \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 2}, \"gpus\": [2, 3]}]},\n"
    "          {\"id\": \"v3\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759991000, "
    "\"priority\": 1,\n"
    "           \"tasks\": [{\"node\": \"n2\", \"resources\": {\"gpu\": 4}, \"gpus\": [0, 1, 2, 3]}]},\n"
    "          {\"id\": \"v4\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759992000, "
    "\"priority\": 2,\n"
    "           \"tasks\": [{\"node\": \"n3\", \"resources\": {\"gpu\": 4}}]},\n"
    "          {\"id\": \"w\", \"queue\": \"root\", \"project\": \"p\", \"user\": \"u\", \"submitted\": "
    "1759999000,\n"
    "           \"tasks\": [{\"id\": \"t\", \"count\": 2, \"resources\": {\"gpu\": 2}}]}]}\n";

const char submission_text[] =
    "{\"format\": \"cede-changes/1\",\n"
    " \"put\": {\"jobs\": [{\"id\": \"s1\", \"queue\": \"root\", \"project\": \"p\", \"priority\": 60, "
    "\"tasks\": [{}]},\n"
    "                  {\"id\": \"s2\", \"queue\": \"root\", \"project\": \"p\", \"class\": 6, \"tasks\": "
    "[{}]}]}}\n";

const char wrong_submission_text[] =
    "{\"format\": \"cede-changes/1\",\n"
    " \"put\": {\"jobs\": [{\"id\": \"s1\", \"queue\": \"root\", \"priority\": 101, \"tasks\": [{}]}]}}\n";

const char crowded_policy_text[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\"}}}\n";

const char crowded_cluster_text[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}],\n"
    " \"queues\": [{\"id\": \"root\"}, {\"id\": \"root.owner\", \"parent\": \"root\"},\n"
    "            {\"id\": \"root.others\", \"parent\": \"root\", \"max\": {\"gpu\": 1}}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"home\": \"root.owner\", \"resources\": {\"gpu\": 4}},\n"
    "           {\"id\": \"n2\", \"resources\": {\"gpu\": 4}}, {\"id\": \"n3\", \"resources\": {\"gpu\": "
    "2}}],\n"
    " \"jobs\": [{\"id\": \"guest\", \"queue\": \"root.others\", \"state\": \"running\", \"started\": "
    "1759999000,\n"
    "           \"class\": 1, \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 3}}]},\n"
    "          {\"id\": \"own\", \"queue\": \"root.owner\", \"state\": \"running\", \"started\": "
    "1759990000,\n"
    "           \"class\": 5, \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 3}}]},\n"
    "          {\"id\": \"fixed\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000,\n"
    "           \"kind\": \"sensitive\", \"tasks\": [{\"node\": \"n3\", \"resources\": {\"gpu\": 2}}, "
    "{\"node\": \"n3\", \"resources\": {\"gpu\": 1}}]},\n"
    "          {\"id\": \"loose\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000,\n"
    "           \"tasks\": [{\"node\": \"n3\", \"resources\": {\"gpu\": 1}}]}]}\n";

const char fair_policy_text[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"fair-share\"}, \"other\": "
    "{\"profile\": \"priority\"}}}\n";

const char fair_cluster_text[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}, {\"id\": \"h\", "
    "\"policy\": \"other\"}],\n"
    " \"queues\": [{\"id\": \"root\"}],\n"
    " \"nodes\": [{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"gpu\": 4}}],\n"
    " \"jobs\": [{\"id\": \"v\", \"queue\": \"root\", \"group\": \"g\", \"state\": \"running\", "
    "\"started\": 1759990000,\n"
    "           \"tasks\": [{\"id\": \"a\", \"node\": \"n1\", \"resources\": {\"gpu\": 2}},\n"
    "                     {\"id\": \"b\", \"node\": \"n1\", \"resources\": {\"gpu\": 2}, \"started\": "
    "1759991000}]},\n"
    "          {\"id\": \"p\", \"queue\": \"root\", \"group\": \"g\", \"below_fair_share_since\": "
    "1759999969,\n"
    "           \"tasks\": [{\"resources\": {\"gpu\": 4}}]}]}\n";
