/* SPDX-License-Identifier: MIT */
/* What travels with its size, cede_topology_facts, is tried in growth.c. */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* From a copy that ends where the text ends and is overwritten before this returns. */
static int32_t create(const char* text, int32_t kind, const char* name, cede_topology** topology,
                      cede_error* error) {
  const size_t size = strlen(text);
  char* copy = malloc(size + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, text, size);
  const int32_t status = cede_topology_create(copy, size, kind, name, topology, error);
  memset(copy, 'x', size);
  free(copy);
  return status;
}

static cede_topology* topology_of(const char* text) {
  cede_topology* topology = NULL;
  cede_error error;
  CU_ASSERT_EQUAL(create(text, CEDE_TOPOLOGY_ANY, "box", &topology, &error), CEDE_OK);
  CU_ASSERT_EQUAL(error.status, CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(topology);
  return topology;
}

static cede_topology_facts facts_of(const cede_topology* topology) {
  cede_topology_facts facts;
  CU_ASSERT_EQUAL(cede_topology_get(topology, &facts, sizeof facts, NULL), CEDE_OK);
  return facts;
}

static void create_refuses_what_is_missing(void) {
  cede_topology* topology = UNTOUCHED_TOPOLOGY;
  cede_error error;
  CU_ASSERT_EQUAL(cede_topology_create(NULL, 0, CEDE_TOPOLOGY_ANY, NULL, &topology, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_topology_create("", 0, CEDE_TOPOLOGY_ANY, NULL, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_topology_create(NULL, 0, 99, NULL, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(create(nccl_xml_text, -1, NULL, &topology, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(create(nccl_xml_text, CEDE_TOPOLOGY_SLURM + 1, NULL, &topology, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(create(nccl_xml_text, CEDE_TOPOLOGY_ANY, "", &topology, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(create(nccl_xml_text, CEDE_TOPOLOGY_ANY, "a\nb", &topology, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(create(nccl_xml_text, CEDE_TOPOLOGY_ANY, "\xff", &topology, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_PTR_EQUAL(topology, UNTOUCHED_TOPOLOGY);
}

static void create_names_the_line_of_a_mistake(void) {
  static const struct {
    const char* text;
    int32_t kind;
    int32_t status;
    uint32_t line;
    const char* named;
  } wrong[] = {
      {"<topology version='2.0'>\n<object type='Group'/></topology>", CEDE_TOPOLOGY_ANY, CEDE_E_DOCUMENT, 2,
       "'Group'"},
      {"<topology version='3.0'/>", CEDE_TOPOLOGY_HWLOC_XML, CEDE_E_DOCUMENT, 1, "--export-xml-flags v2"},
      {"<system>\n\n<cpu/></system>", CEDE_TOPOLOGY_ANY, CEDE_E_DOCUMENT, 3, "numaid"},
      {"SwitchName=s1 Nodes=n7\nSwitchName=s2 Nodes=n7\n", CEDE_TOPOLOGY_ANY, CEDE_E_DOCUMENT, 2,
       "topology.conf line 2: node 'n7' is already on leaf 's1' (line 1)"},
      {"SwitchName=s1 Nodes=n[0-99999999]", CEDE_TOPOLOGY_SLURM, CEDE_E_LIMIT, 1, "1000000"},
      {"", CEDE_TOPOLOGY_ANY, CEDE_E_DOCUMENT, 0, "no switch"},
      {"<system/>", CEDE_TOPOLOGY_HWLOC_XML, CEDE_E_DOCUMENT, 1, "'system'"},
      {"<system/>", CEDE_TOPOLOGY_SLURM, CEDE_E_DOCUMENT, 1, "Key=Value"},
      {slurm_topology_text, CEDE_TOPOLOGY_NCCL_XML, CEDE_E_DOCUMENT, 1, "NCCL"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    cede_topology* topology = UNTOUCHED_TOPOLOGY;
    cede_error error;
    CU_ASSERT_EQUAL(create(wrong[i].text, wrong[i].kind, NULL, &topology, &error), wrong[i].status);
    CU_ASSERT_TRUE(well_formed(&error, wrong[i].status));
    CU_ASSERT_EQUAL(error.line, wrong[i].line);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i].named));
    CU_ASSERT_PTR_EQUAL(topology, UNTOUCHED_TOPOLOGY);
  }
}

static void machines_are_counted(void) {
  cede_topology* hwloc = topology_of(hwloc_xml_text);
  cede_topology* nccl = topology_of(nccl_xml_text);
  const cede_topology_facts one = facts_of(hwloc);
  const cede_topology_facts two = facts_of(nccl);
  CU_ASSERT_EQUAL(one.kind, CEDE_TOPOLOGY_HWLOC_XML);
  CU_ASSERT_EQUAL(one.devices, 1);
  CU_ASSERT_EQUAL(one.physical_devices, 1);
  CU_ASSERT_EQUAL(one.numa_nodes, 1);
  CU_ASSERT_EQUAL(one.sockets, 0);
  CU_ASSERT_EQUAL(one.cores, 2);
  CU_ASSERT_EQUAL(one.islands, 0);
  CU_ASSERT_EQUAL(one.links_known, 0);
  CU_ASSERT_EQUAL(one.nics, 0);
  CU_ASSERT_EQUAL(two.kind, CEDE_TOPOLOGY_NCCL_XML);
  CU_ASSERT_EQUAL(two.devices, 2);
  CU_ASSERT_EQUAL(two.islands, 1);
  CU_ASSERT_EQUAL(two.links_known, 1);
  CU_ASSERT_EQUAL(two.cores, 0);
  CU_ASSERT_EQUAL(two.nics, 1);
  CU_ASSERT_EQUAL(two.levels + two.domains + two.nodes, 0);
  CU_ASSERT_PTR_NULL(cede_topology_level(nccl, 0));
  CU_ASSERT_EQUAL(cede_topology_domain_count(nccl, 0), 0);
  cede_topology_destroy(hwloc);
  cede_topology_destroy(nccl);
}

static void networks_have_levels_and_domains(void) {
  cede_topology* network = topology_of(slurm_topology_text);
  const cede_topology_facts facts = facts_of(network);
  CU_ASSERT_EQUAL(facts.kind, CEDE_TOPOLOGY_SLURM);
  CU_ASSERT_EQUAL(facts.levels, 2);
  CU_ASSERT_EQUAL(facts.domains, 3);
  CU_ASSERT_EQUAL(facts.nodes, 3);
  CU_ASSERT_EQUAL(facts.devices + facts.numa_nodes + facts.nics, 0);
  CU_ASSERT_STRING_EQUAL(cede_topology_level(network, 0), "leaf");
  CU_ASSERT_STRING_EQUAL(cede_topology_level(network, 1), "spine");
  CU_ASSERT_PTR_NULL(cede_topology_level(network, 2));
  CU_ASSERT_EQUAL(cede_topology_domain_count(network, 0), 2);
  CU_ASSERT_EQUAL(cede_topology_domain_count(network, 1), 1);
  CU_ASSERT_EQUAL(cede_topology_domain_count(network, SIZE_MAX), 0);
  CU_ASSERT_STRING_EQUAL(cede_topology_domain(network, 0, 1), "s1");
  CU_ASSERT_STRING_EQUAL(cede_topology_domain(network, 1, 0), "s2");
  CU_ASSERT_PTR_NULL(cede_topology_domain(network, 0, 2));
  CU_ASSERT_PTR_NULL(cede_topology_domain(network, 2, 0));
  cede_topology_destroy(network);
}

static void signatures_tell_classes_apart(void) {
  cede_topology* one = topology_of(hwloc_xml_text);
  cede_topology* same = topology_of(hwloc_xml_text);
  cede_topology* other = topology_of(nccl_xml_text);
  CU_ASSERT_EQUAL(strlen(cede_topology_signature(one)), 32);
  CU_ASSERT_STRING_EQUAL(cede_topology_signature(one), cede_topology_signature(same));
  CU_ASSERT_STRING_NOT_EQUAL(cede_topology_signature(one), cede_topology_signature(other));
  cede_topology_destroy(one);
  cede_topology_destroy(same);
  cede_topology_destroy(other);
}

/* The document is what a cluster takes: its part of it, put into one, gives the same class. */
static void documents_and_pictures(void) {
  static const char* const texts[] = {hwloc_xml_text, nccl_xml_text, slurm_topology_text};
  static const char* const kinds[] = {"\"hwloc-xml\"", "\"nccl-xml\"", "\"slurm-topology\""};
  for (size_t i = 0; i < 3; ++i) {
    cede_topology* topology = topology_of(texts[i]);
    cede_text* json = NULL;
    cede_text* picture = NULL;
    cede_error error;
    CU_ASSERT_EQUAL(cede_topology_json(topology, &json, &error), CEDE_OK);
    CU_ASSERT_EQUAL(error.status, CEDE_OK);
    CU_ASSERT_EQUAL(cede_topology_picture(topology, CEDE_PICTURE_TEXT, 0, &picture, &error), CEDE_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(json), "\"cede-topology/1\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(json), kinds[i]));
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(json), cede_topology_signature(topology)));
    CU_ASSERT_EQUAL(strncmp(cede_text_data(picture), "box: ", 5), 0);
    cede_topology_destroy(topology);
    CU_ASSERT_TRUE(cede_text_size(json) == strlen(cede_text_data(json))); /* a text outlives its topology */
    CU_ASSERT_TRUE(cede_text_size(picture) == strlen(cede_text_data(picture)));
    cede_text_destroy(json);
    cede_text_destroy(picture);
  }
  cede_topology* nameless = NULL;
  cede_text* picture = NULL;
  CU_ASSERT_EQUAL(create(nccl_xml_text, CEDE_TOPOLOGY_NCCL_XML, NULL, &nameless, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_topology_picture(nameless, CEDE_PICTURE_TEXT, 100, &picture, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(strncmp(cede_text_data(picture), "topology: 2 GPUs (H100)", 23), 0);
  cede_text_destroy(picture);
  cede_topology_destroy(nameless);
}

static void refuses_null(void) {
  cede_topology* topology = topology_of(nccl_xml_text);
  cede_text* text = UNTOUCHED_TEXT;
  cede_topology_facts facts;
  cede_error error;
  CU_ASSERT_EQUAL(cede_topology_json(NULL, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_topology_picture(NULL, CEDE_PICTURE_TEXT, 0, &text, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_topology_json(topology, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_topology_picture(topology, CEDE_PICTURE_TEXT, 39, &text, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_topology_picture(topology, CEDE_PICTURE_SVG, 100, &text, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_topology_picture(topology, 0, 0, &text, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_topology_picture(topology, CEDE_PICTURE_TEXT, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
  CU_ASSERT_EQUAL(cede_topology_get(NULL, &facts, sizeof facts, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_topology_get(topology, NULL, sizeof facts, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_NULL(cede_topology_signature(NULL));
  CU_ASSERT_PTR_NULL(cede_topology_level(NULL, 0));
  CU_ASSERT_PTR_NULL(cede_topology_domain(NULL, 0, 0));
  CU_ASSERT_EQUAL(cede_topology_domain_count(NULL, 0), 0);
  cede_topology_destroy(NULL);
  cede_topology_destroy(topology);
}

/* A cluster document takes the same texts, and says the same about them. */
static void agrees_with_the_documents(void) {
  cede_engine* engine = engine_with(policy_text, imported_cluster_text);
  char* exported = export_of(engine);
  CU_ASSERT_PTR_NOT_NULL(strstr(exported, "\"levels\":[\"leaf\",\"spine\"]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(exported, "\"network\":[\"s0\"]"));
  cede_topology* topology = topology_of(nccl_xml_text);
  cede_text* json = NULL;
  CU_ASSERT_EQUAL(cede_topology_json(topology, &json, NULL), CEDE_OK);
  const char* const compact = strstr(cede_text_data(json), "{\"gpus\"");
  CU_ASSERT_PTR_NOT_NULL_FATAL(compact);
  char* copy = malloc(strlen(compact) + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  strcpy(copy, compact);
  copy[strlen(copy) - 2] = '\0'; /* the document's own brace and line break */
  CU_ASSERT_PTR_NOT_NULL(strstr(exported, copy));
  free(copy);
  cede_text_destroy(json);
  cede_topology_destroy(topology);
  free(exported);
  cede_engine_destroy(engine);
}

CU_TestInfo topology_tests[] = {
    {"create refuses what is missing", create_refuses_what_is_missing},
    {"create names the line of a mistake", create_names_the_line_of_a_mistake},
    {"machines are counted", machines_are_counted},
    {"networks have levels and domains", networks_have_levels_and_domains},
    {"signatures tell classes apart", signatures_tell_classes_apart},
    {"documents and pictures", documents_and_pictures},
    {"refuses NULL", refuses_null},
    {"agrees with the documents", agrees_with_the_documents},
    CU_TEST_INFO_NULL,
};
