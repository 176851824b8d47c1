# SPDX-License-Identifier: MIT
import json
import os
import stat
import unittest

from cede_run import CLUSTER, POLICY, WRONG_CLUSTER, CommandTest


class ExportTest(CommandTest):
    def test_loads_back_to_the_same(self):
        status, out, err = self.cede("export", "--cluster", "cluster.json")
        self.assertEqual((status, err), (0, ""))
        document = json.loads(out)
        self.assertEqual(document["format"], "cede-cluster/1")
        self.assertEqual([n["id"] for n in document["nodes"]], ["n1"])
        self.assertEqual(document["jobs"][0]["tasks"][0]["count"], 2)
        self.assertTrue(out.endswith("}\n"))
        self.assertEqual(self.cede("export", "--cluster=-", input=out), (0, out, ""))

    def test_with_policy(self):
        status, out, err = self.cede("export", "--policy", "policy.json", "--cluster", "cluster.json")
        self.assertEqual((status, err), (0, ""))
        json.loads(out)
        self.write("other.json", POLICY.replace('"default"', '"other"'))
        result = self.cede("export", "--policy", "other.json", "--cluster", "cluster.json")
        self.assert_one_error(result, "cluster.json:3:", ": groups[0].policy: ")

    def test_the_first_mistake_is_told(self):
        self.write("wrong.json", WRONG_CLUSTER)
        result = self.cede("export", "--cluster", "wrong.json")
        self.assert_one_error(result, "wrong.json:3:", "(and 2 more; 'cede check' lists them)")
        self.write("bad.json", POLICY.replace("class-cost", "class-cots"))
        result = self.cede("export", "--policy", "bad.json", "--cluster", "cluster.json")
        self.assert_one_error(result, "bad.json:2:", ": policies.default.profile: ")

    def test_wrong_document(self):
        self.assert_one_error(self.cede("export", "--cluster", "policy.json"),
                              "policy.json: format: this is a cede-policy/1 document, and cede-cluster/1 is needed")
        self.assert_one_error(self.cede("export", "--cluster", "cluster.json", "--policy", "cluster.json"),
                              "cluster.json: format: this is a cede-cluster/1 document, and cede-policy/1 is needed")

    def test_missing(self):
        self.assert_one_error(self.cede("export"), "cede: export needs --cluster=FILE")
        self.assert_one_error(self.cede("export", "--cluster", "no.json"), "cannot read 'no.json'")
        self.assert_one_error(self.cede("export", "--cluster=-", "--policy=-", input=CLUSTER), "named twice")


class OutputFileTest(CommandTest):
    def export(self, *arguments):
        return self.cede("export", "--cluster", "cluster.json", *arguments)

    def test_new_file(self):
        expected = self.export()[1]
        for arguments in (("-o", "out.json"), ("-oout.json",), ("--output", "out.json"), ("--output=out.json",)):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.export(*arguments), (0, "", ""))
                self.assertEqual(self.read("out.json"), expected)
                os.remove(self.path("out.json"))
        self.assertEqual(self.export("-o", "-"), (0, expected, ""))

    def test_mode(self):
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        self.export("-o", "out.json")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out.json")).st_mode), 0o640)
        os.chmod(self.path("out.json"), 0o604)
        self.export("-o", "out.json")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out.json")).st_mode), 0o604)

    def test_replaced_whole(self):
        self.write("out.json", "old")
        with open(self.path("out.json"), encoding="utf-8") as old:
            self.assertEqual(self.export("-o", "out.json")[0], 0)
            self.assertEqual(old.read(), "old")
        self.assertEqual(self.read("out.json"), self.export()[1])
        self.assertEqual(sorted(os.listdir(self.folder)), ["cluster.json", "out.json", "policy.json"])

    def test_onto_its_own_input(self):
        expected = self.export()[1]
        self.assertEqual(self.export("-o", "cluster.json"), (0, "", ""))
        self.assertEqual(self.read("cluster.json"), expected)

    def test_link_stays_a_link(self):
        self.write("real.json", "old")
        os.symlink("real.json", self.path("link.json"))
        self.export("-o", "link.json")
        self.assertTrue(os.path.islink(self.path("link.json")))
        self.assertEqual(self.read("real.json"), self.export()[1])

    def test_device(self):
        self.assertEqual(self.export("-o", "/dev/null"), (0, "", ""))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assert_one_error(self.export("-o", "/dev/full"), "cannot write '/dev/full': No space left on device")

    def test_failure_leaves_the_old_file(self):
        self.write("out.json", "old")
        self.write("cluster.json", WRONG_CLUSTER)
        self.assertEqual(self.export("-o", "out.json")[0], 2)
        self.assertEqual(self.read("out.json"), "old")

    def test_no_such_folder(self):
        self.assert_one_error(self.export("-o", "no/out.json"), "cannot write 'no/out.json': No such file or directory")
        os.mkdir(self.path("folder"))
        self.assert_one_error(self.export("-o", "folder"), "cannot write 'folder': Is a directory")


if __name__ == "__main__":
    unittest.main()
