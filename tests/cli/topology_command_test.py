# SPDX-License-Identifier: MIT
import json
import os
import unittest

from cede_run import CommandTest
from topology_files_test import XML

TREE = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n3\n\nSwitchName=s2 Switches=s[0-1]\n"


def nccl(busid, device="0x2330"):
    return f'''<system version="1">
  <cpu numaid="0">
    <pci busid="{busid}" class="0x030200" vendor="0x10de" device="{device}"><gpu dev="0"/></pci>
  </cpu>
</system>
'''


class TopologyCommandTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("box.xml", XML)
        self.write("a.xml", nccl("0000:3b:00.0"))
        self.write("b.xml", nccl("0000:4b:00.0"))
        self.write("c.xml", nccl("0000:3b:00.0", "0x20b0"))
        self.write("topology.conf", TREE)

    def test_draws_a_machine(self):
        self.assertEqual(self.cede("topology", "a.xml"), (0, """\
a.xml: 1 GPU (H100), 1 NUMA node, NICs not known
┌─ NUMA 0 ────────┐
│ ┌─────────────┐ │
│ │ GPU 0  H100 │ │
│ └─────────────┘ │
└─────────────────┘
""", ""))
        self.assertEqual(self.cede("topology", "box.xml"), (0, """\
box.xml: 0 GPUs, 1 NUMA node, 2 cores, NICs not known
without GPUs: NUMA 0, 2 cores
""", ""))

    def test_draws_a_network(self):
        picture = """\
%s: 3 nodes; levels: 2 leaf, 1 spine
spine s2  3 nodes
├─ leaf s0  2 nodes  n[1-2]
└─ leaf s1  1 node  n3
"""
        self.assertEqual(self.cede("topology", "topology.conf"), (0, picture % "topology.conf", ""))
        self.assertEqual(self.cede("topology", "-", input=TREE), (0, picture % "standard input", ""))
        os.mkdir(self.path("folder"))
        self.write("folder/net", TREE)
        self.assertEqual(self.cede("topology", "folder/net"), (0, picture % "net", ""))

    def test_groups_files_into_classes(self):
        status, out, err = self.cede("topology", "a.xml", "c.xml", "topology.conf", "b.xml", "box.xml")
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[0], "5 files: 3 classes of machines, 1 network")
        heads = [line for line in lines if line.startswith(("class ", "network "))]
        self.assertEqual(heads, ["class 1: a.xml, b.xml", "class 2: c.xml", "network 1: topology.conf",
                                 "class 3: box.xml"])
        self.assertEqual(out.count("1 GPU (H100)"), 1)
        self.assertEqual(out.count("1 GPU (A100)"), 1)
        out = self.cede("topology", "a.xml", "b.xml")[1]
        self.assertTrue(out.startswith("2 files: 1 class of machines\n\nclass 1: a.xml, b.xml\na.xml: 1 GPU"), out)
        out = self.cede("topology", "topology.conf", "topology.conf")[1]
        self.assertTrue(out.startswith("2 files: 1 network\n\nnetwork 1: topology.conf, topology.conf\n"), out)

    def test_json(self):
        status, out, err = self.cede("topology", "--json", "a.xml", "b.xml", "topology.conf", "none.xml")
        self.assertEqual((status, err), (2, "cede: cannot read 'none.xml': No such file or directory\n"))
        document = json.loads(out)
        self.assertEqual(document["format"], "cede-topologies/1")
        self.assertEqual([c["files"] for c in document["classes"]], [["a.xml", "b.xml"], ["topology.conf"]])
        machine, network = (c["topology"] for c in document["classes"])
        self.assertEqual((machine["format"], machine["kind"], machine["name"]), ("cede-topology/1", "nccl-xml", "a.xml"))
        self.assertEqual(machine["topology"]["pci"], ["0000:3b:00.0"])
        self.assertEqual(network["network"]["levels"], ["leaf", "spine"])
        self.assertEqual(network["nodes"][2], {"id": "n3", "network": ["s1"]})
        self.assertEqual(document["failed"], [
            {"file": "none.xml", "line": 0, "text": "cannot read 'none.xml': No such file or directory"}])
        # The parts are what a cluster document takes.
        cluster = {"format": "cede-cluster/1", "topologies": {"box": machine["topology"]},
                   "network": network["network"], "nodes": network["nodes"], "groups": [{"id": "g"}]}
        self.assertEqual(self.cede("check", "-", input=json.dumps(cluster))[0], 0)
        self.assertEqual(json.loads(self.cede("topology", "--json", "a.xml")[1])["failed"], [])

    def test_mistakes_are_told_with_their_line(self):
        self.write("bad.conf", TREE + "SwitchName=s3 Nodes=n1\n")
        self.assert_one_error(self.cede("topology", "bad.conf"),
                              "bad.conf:5: node 'n1' is already on leaf 's0' (line 1)\n")
        self.write("bad.xml", nccl("3b"))
        self.assert_one_error(self.cede("topology", "bad.xml"),
                              "bad.xml:3: pci has busid '3b'; it looks like '0000:3b:00.0'\n")
        self.write("three.xml", XML.replace('version="2.0"', 'version="3.0"'))
        self.assert_one_error(self.cede("topology", "three.xml"), "three.xml:3: hwloc 3 XML is not read; export it "
                              "with 'lstopo --export-xml-flags v2 FILE.xml'\n")
        self.write("empty", "")
        self.assert_one_error(self.cede("topology", "empty"), "empty: topology.conf: it names no switch and no block\n")
        self.write("cluster.json", '{"format": "cede-cluster/1"}')
        self.assert_one_error(self.cede("topology", "cluster.json"), "cluster.json:1: ")

    def test_good_files_are_shown_beside_bad_ones(self):
        self.write("bad.xml", "<system><cpu/></system>")
        status, out, err = self.cede("topology", "bad.xml", "a.xml", "none")
        self.assertEqual((status, err), (2, "bad.xml:1: 'cpu' has numaid '', outside 0..255\n"
                                            "cede: cannot read 'none': No such file or directory\n"))
        self.assertIn("class 1: a.xml\n", out)

    def test_files_that_are_none(self):
        self.assert_one_error(self.cede("topology"), "topology needs at least one FILE")
        self.assert_one_error(self.cede("topology", "-", "-", input=""), "standard input is named twice")
        self.assert_one_error(self.cede("topology", "."), "cede: cannot read '.': Is a directory")
        self.assert_one_error(self.cede("topology", "/dev/zero"), "/dev/zero: larger than 16 MiB")
        self.write("large.xml", b"<topology>" + b" " * (5 << 20))
        self.assert_one_error(self.cede("topology", "large.xml"), "large.xml: the text has 5242890 bytes")
        self.write("bytes", b"\xff\xfe")
        self.assert_one_error(self.cede("topology", "bytes"), "bytes: topology.conf: it is not UTF-8")

    def test_odd_names(self):
        for name in ("new\nline.xml", "é" * 120, b"\xff\xfe.xml"):
            path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
            with open(path, "wb") as file:
                file.write(nccl("0000:3b:00.0").encode())
            status, out, err = self.cede("topology", name)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(": 1 GPU (H100)", out)
            self.assertEqual(out.count("\n"), 6)

    def test_is_plain_when_piped(self):
        self.assertNotIn("\x1b", self.cede("topology", "a.xml", "c.xml")[1])
        status, shown = self.cede_on_terminal("topology", "a.xml", "c.xml")
        self.assertEqual(status, 0)
        self.assertIn("\x1b[1mclass 1: ", shown)


@unittest.skipIf("address" in os.environ.get("CEDE_SANITIZE", ""), "the sanitizer wants to be loaded first")
class HostileTest(CommandTest):
    """What happens when the parser dies: one message each, and the other files are shown."""

    def cede(self, *arguments, **more):
        return super().cede(*arguments, LD_PRELOAD=os.environ["CEDE_INTERCEPT"], **more)

    def test_files_that_kill_the_parser(self):
        self.write("a.xml", nccl("0000:3b:00.0"))
        self.write("x.xml", "<crash-here/>")
        self.write("y.xml", "<crash-here/><!-- again -->")
        status, out, err = self.cede("topology", "x.xml", "a.xml", "y.xml", "a.xml")
        self.assertEqual((status, err), (2, "x.xml: parsing this XML ended with: Aborted\n"
                                            "y.xml: parsing this XML ended with: Aborted\n"))
        self.assertIn("4 files: 1 class of machines\n\nclass 1: a.xml, a.xml\n", out)

    def test_a_file_that_never_ends(self):
        self.write("x.xml", "<spin-here/>")
        self.assert_one_error(self.cede("topology", "x.xml"), "x.xml: parsing this XML ended with: ")


if __name__ == "__main__":
    unittest.main()
