# SPDX-License-Identifier: MIT
import json
import os
import unittest

from cede_run import CommandTest

XML = '''<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x1" \
complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
\t<info name="Comment" value="tab &amp; back\\slash é"/>
    <object type="NUMANode" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" \
gp_index="6" local_memory="1073741824"/>
    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" \
gp_index="3">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" \
gp_index="2"/>
    </object>
    <object type="Core" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" \
gp_index="5">
      <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" \
gp_index="4"/>
    </object>
  </object>
</topology>
'''


def cluster(topologies, rest=""):
    return f'''{{"format": "cede-cluster/1", "now": 1760000000,
 "topologies": {topologies},
 "groups": [{{"id": "g", "policy": "default"}}], "queues": [{{"id": "root"}}],
 "nodes": [{{"id": "n1", "group": "g", "resources": {{"cpu": 2}}}}]{rest}}}
'''


class TopologyFileTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("box.xml", XML)

    def check(self, text):
        self.write("c.json", text)
        return self.cede("check", "c.json")

    def assert_good(self, result, name="c.json"):
        self.assertEqual(result, (0, f"{name}: ok, cede-cluster/1\n", ""))

    def test_read_and_inlined(self):
        self.assert_good(self.check(cluster('{"box": {"hwloc_xml_file": "box.xml"}}')))
        exported = self.cede("export", "--cluster", "c.json")
        self.assertEqual((exported[0], exported[2]), (0, ""))
        self.assertIn("box", json.loads(exported[1])["topologies"])

    def test_relative_to_the_document(self):
        os.mkdir(self.path("folder"))
        os.rename(self.path("box.xml"), self.path("folder/box.xml"))
        self.write("folder/c.json", cluster('{"box": {"hwloc_xml_file": "box.xml"}}'))
        self.assert_good(self.cede("check", "folder/c.json"), "folder/c.json")
        self.assert_good(self.cede("check", self.path("folder/c.json")), self.path("folder/c.json"))

    def test_relative_to_the_current_folder_for_standard_input(self):
        result = self.cede("check", "-", input=cluster('{"box": {"hwloc_xml_file": "box.xml"}}'))
        self.assert_good(result, "standard input")

    def test_absolute(self):
        self.assert_good(self.check(cluster('{"box": {"hwloc_xml_file": %s}}' % json.dumps(self.path("box.xml")))))

    def test_missing_files_are_all_told(self):
        text = cluster('{"dgx": {"hwloc_xml_file": "x.xml"}, "ok": {"hwloc_xml_file": "box.xml"},'
                       ' "a b": {"hwloc_xml_file": "."}}')
        self.assertEqual(self.check(text), (
            2, "", "c.json: topologies.dgx.hwloc_xml_file: cannot read 'x.xml': No such file or directory\n"
                   "c.json: topologies['a b'].hwloc_xml_file: cannot read '.': Is a directory\n"))
        self.assertEqual(self.cede("export", "--cluster", "c.json")[0], 2)
        status, out, _ = self.cede("check", "--json", "c.json")
        self.assertEqual((status, json.loads(out)["files"][0]["findings"][0]["path"]),
                         (2, "topologies.dgx.hwloc_xml_file"))

    def test_not_a_file_name(self):
        for name in ('""', '"a\\u0000b"', "5", "null"):
            self.assert_one_error(self.check(cluster('{"dgx": {"hwloc_xml_file": %s}}' % name)),
                                  "c.json: topologies.dgx.hwloc_xml_file: ", " is not a file name")

    def test_too_large(self):
        self.write("big.xml", XML + " " * (4 << 20))
        self.assert_one_error(self.check(cluster('{"dgx": {"hwloc_xml_file": "big.xml"}}')),
                              "topologies.dgx.hwloc_xml_file: 'big.xml' is larger than 4 MiB")
        self.assert_one_error(self.check(cluster('{"dgx": {"hwloc_xml_file": "/dev/zero"}}')), "not a regular file")
        for odd in ("pipe", "-"):
            with self.subTest(odd):
                if odd == "pipe":
                    os.mkfifo(os.path.join(self.folder, odd))
                self.assert_one_error(self.check(cluster('{"dgx": {"hwloc_xml_file": "%s"}}' % odd)), "cannot read")

    def test_other_places_are_left_alone(self):
        note = ', "x-note": {"topologies": {"t": {"hwloc_xml_file": "no.xml"}}}'
        self.assert_good(self.check(cluster('{"box": {"hwloc_xml_file": "box.xml", "x-a": {"hwloc_xml_file": "no"}}}',
                                            note)))
        self.assert_good(self.check(cluster('{"hwloc_xml_file": {"gpus": 1}}')))

    def test_changes(self):
        self.write("c.json", cluster("{}"))
        changes = '{"format": "cede-changes/1", "put": {"topologies": {"t": {"hwloc_xml_file": "%s"}}}}'
        self.write("d.json", changes % "box.xml")
        self.assertEqual(self.cede("check", "c.json", "d.json"),
                         (0, "c.json: ok, cede-cluster/1\nd.json: ok, cede-changes/1\n", ""))
        self.write("d.json", changes % "no.xml")
        self.assert_one_error(self.cede("check", "d.json"),
                              "d.json: put.topologies.t.hwloc_xml_file: cannot read 'no.xml': No such file")

    def test_wrong_file_is_told_where_the_user_wrote_it(self):
        self.write("bad.xml", "<topology>")
        text = cluster('{"box": {"hwloc_xml_file": "bad.xml"}}')
        column = text.splitlines()[1].index('"bad.xml"') + 1
        self.assert_one_error(self.check(text), f"c.json:2:{column}: topologies.box.hwloc_xml_file: ")

    def test_nccl_files(self):
        self.write("dump.xml", '<system version="1"><cpu numaid="0"><pci busid="0000:3b:00.0" class="0x030200" '
                               'vendor="0x10de" device="0x2330"><gpu dev="0"/></pci></cpu></system>')
        self.assert_good(self.check(cluster('{"box": {"nccl_xml_file": "dump.xml"}}')))
        exported = json.loads(self.cede("export", "--cluster", "c.json")[1])
        self.assertEqual(exported["topologies"]["box"], {"gpus": 1, "model": ["H100"], "pci": ["0000:3b:00.0"],
                                                         "numa": [[0]], "pcie": [[0]]})
        self.write("bad.xml", "<system><cpu/></system>")
        self.assert_one_error(self.check(cluster('{"box": {"nccl_xml_file": "bad.xml"}}')),
                              "c.json:2:42: topologies.box.nccl_xml_file: 'cpu' has numaid ''")
        self.assert_one_error(self.check(cluster('{"box": {"nccl_xml_file": "dump.xml", "gpus": 1}}')),
                              "topologies.box: 'nccl_xml' says it all")

    def test_columns_after_the_inserted_text(self):
        text = cluster('{"box": {"hwloc_xml_file": "box.xml"}, "two": {"gpu": 1}}')
        status, _, err = self.check(text)
        column = text.splitlines()[1].index('"gpu"') + 1
        self.assertEqual(status, 2)
        self.assertTrue(err.startswith(f"c.json:2:{column}: topologies.two.gpu: "), err)

    def test_malformed_json_is_the_library_s_to_tell(self):
        text = cluster('{"box": {"hwloc_xml_file": "box.xml"}}').replace('"queues":', '"queues"')
        self.assert_one_error(self.check(text), "c.json:3:")
        self.assert_one_error(self.check('{"format": "cede-cluster/1", "topologies": {"a": {"hwloc_xml_file": "b'),
                              "c.json:1:")


TREE = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Switches=s0\n"


class NetworkFileTest(CommandTest):
    def cluster(self, network):
        self.write("c.json", cluster("{}", ',\n "network": %s' % network))

    def test_read_and_inlined(self):
        self.write("topology.conf", TREE.replace("[1-2]", "1"))
        self.cluster('{"slurm_topology_file": "topology.conf"}')
        self.assertEqual(self.cede("check", "c.json"), (0, "c.json: ok, cede-cluster/1\n", ""))
        exported = json.loads(self.cede("export", "--cluster", "c.json")[1])
        self.assertEqual(exported["network"], {"levels": ["leaf", "spine"], "domains": [
            {"id": "s0", "level": "leaf", "parent": "s1"}, {"id": "s1", "level": "spine"}]})
        self.assertEqual(exported["nodes"][0]["network"], ["s0"])

    def test_findings_name_the_file_s_own_lines(self):
        self.write("topology.conf", TREE)
        self.cluster('{"slurm_topology_file": "topology.conf"}')
        status, _, err = self.cede("check", "c.json")
        self.assertEqual((status, err), (
            0, "c.json:5:37: network.slurm_topology_file: warning: node 'n2' of topology.conf (line 1), "
               "is not in the cluster\n"))
        self.write("topology.conf", TREE + "\nSwitchName=s2 Nodes=n2\n")
        self.assert_one_error(self.cede("check", "c.json"), "c.json:5:37: network.slurm_topology_file: "
                              "topology.conf line 4: node 'n2' is already on leaf 's0' (line 1)")

    def test_files_that_cannot_be_read(self):
        self.cluster('{"slurm_topology_file": "none"}')
        self.assert_one_error(self.cede("check", "c.json"),
                              "c.json: network.slurm_topology_file: cannot read 'none': No such file")
        self.write("large", b"#" * ((16 << 20) + 1))
        self.cluster('{"slurm_topology_file": "large"}')
        self.assert_one_error(self.cede("check", "c.json"), "c.json: network.slurm_topology_file: "
                              "'large' is larger than 16 MiB, the most a topology.conf may have")

    def test_elsewhere_it_is_an_unknown_field(self):
        self.write("c.json", cluster('{"box": {"gpus": 1, "slurm_topology_file": "none"}}'))
        self.assert_one_error(self.cede("check", "c.json"), "unknown field 'slurm_topology_file'")
        self.cluster('{"hwloc_xml_file": "none"}')
        self.assert_one_error(self.cede("check", "c.json"), "unknown field 'hwloc_xml_file'")


@unittest.skipIf("address" in os.environ.get("CEDE_SANITIZE", ""), "the sanitizer wants to be loaded first")
class InterceptedTest(CommandTest):
    """What the library is given, and what happens when its parser dies."""

    def setUp(self):
        super().setUp()
        self.write("box.xml", XML)

    def given(self, text):
        self.write("c.json", text)
        self.cede("check", "c.json", LD_PRELOAD=os.environ["CEDE_INTERCEPT"], CEDE_INTERCEPTED=self.path("given"))
        with open(self.path("given"), encoding="utf-8", newline="") as file:
            return file.read()

    def test_every_other_byte_stays(self):
        before = '{"format": "cede-cluster/1",\r\n\t"x": "\\"hwloc_xml_file\\": [{\\\\",' \
                 ' "l": [{"a": 1}, 2.5e3, null],' \
                 ' "topologies": [{"a": {"hwloc_xml_file": "box.xml"}}],' \
                 ' "topologies" : {"hwloc_xml_file": "box.xml", "é": {"hwloc_xml_file":["box.xml"], "x": [], '
        after = ',"hwloc_xml": 1},\n "c": {"d": {"hwloc_xml_file": "box.xml"}}}, "hwloc_xml_file": "box.xml"}\n'
        xml = json.dumps(XML, ensure_ascii=False)
        self.assertEqual(self.given(before + '"hwloc_xml_file" \n : "box.xml"' + after),
                         before + '"hwloc_xml" \n : ' + xml + after)

    def test_escaped_spelling(self):
        given = self.given(r'{"format": "cede-cluster/1", "topologie\u0073": '
                           r'{"b": {"\u0068wloc_xml_file": "b\u006fx.xml"}}}')
        self.assertEqual(json.loads(given)["topologies"]["b"], {"hwloc_xml": XML})

    def test_several_files_and_control_characters(self):
        self.write("two.xml", b"\x01\x7f\x1b\r\n\"\\")
        given = self.given('{"format": "cede-cluster/1", "topologies": {"a": {"hwloc_xml_file": "box.xml"},\n'
                           '"b": {"hwloc_xml_file": "two.xml"}}}')
        self.assertEqual(given.count("\n"), 1)
        self.assertEqual(json.loads(given)["topologies"],
                         {"a": {"hwloc_xml": XML}, "b": {"hwloc_xml": "\x01\x7f\x1b\r\n\"\\"}})

    def test_malformed_is_left_alone(self):
        text = '{"format": "cede-cluster/1", "topologies": {"a": {,"hwloc_xml_file": "box.xml"}}}'
        self.assertEqual(self.given(text), text)

    def test_parser_that_dies(self):
        self.write("bad.xml", "<crash-here/>")
        self.write("c.json", cluster('{"ok": {"hwloc_xml_file": "box.xml"}, "dgx": {"hwloc_xml_file": "bad.xml"}}'))
        for arguments in (("check", "c.json"), ("export", "--cluster", "c.json")):
            self.assertEqual(self.cede(*arguments, LD_PRELOAD=os.environ["CEDE_INTERCEPT"]), (
                2, "", "c.json: topologies.dgx.hwloc_xml_file: parsing this XML ended with: Aborted\n"))

    def test_nccl_xml_is_tried_too(self):
        self.write("c.json", cluster('{"dgx": {"nccl_xml": "<crash-here/>"}}'))
        self.assert_one_error(self.cede("check", "c.json", LD_PRELOAD=os.environ["CEDE_INTERCEPT"]),
                              "c.json: topologies.dgx.nccl_xml: parsing this XML ended with: Aborted")

    def test_parser_that_never_ends(self):
        self.write("c.json", cluster('{"dgx": {"hwloc_xml": "<spin-here/>"}}'))
        self.assert_one_error(self.cede("check", "c.json", LD_PRELOAD=os.environ["CEDE_INTERCEPT"]),
                              "c.json: topologies.dgx.hwloc_xml: parsing this XML ended with: ")


if __name__ == "__main__":
    unittest.main()
