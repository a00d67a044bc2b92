"""Tests of the program: output files, streams, progress, the summary; the scenes included with it; help."""

import json
import math
import os
import re
import signal
import stat
import subprocess
import sys
import time
import unittest

from tool_support import SCENES, TOOL, WRAPPER, ToolTest


class Output(ToolTest):
    BATCH = {"name": "s", "count": 5, "spring": {"response_s": 1, "damping_ratio": 1}, "start": {"position": 1}}

    def test_file_is_replaced_and_its_mode_kept(self):
        out = self.write("out.csv", "former\n")
        os.chmod(out, 0o640)
        os.symlink("out.csv", self.path("link.csv"))
        done = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("link.csv"))
        self.assertEqual(self.read("out.csv").count("\n"), 6)
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o640)
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertEqual(sorted(os.listdir(self.folder)), ["link.csv", "out.csv", "scene.json"])
        for word in ("scene ", "table ", "springs per second", "at rest ", "5 rows", "wall time "):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_umask_applies_to_new_files(self):
        scene = self.scene(springs=[self.BATCH])
        os.chmod(self.write("former.csv", "former\n"), 0o666)
        for name, mode in (("former.csv", 0o666), ("new.csv", 0o640)):
            self.gyre("simulate", scene, "-o", self.path(name), umask=0o027)
            self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, mode, name)

    def test_folder_without_read_permission(self):
        scene = self.scene(springs=[self.BATCH])
        folder = self.path("folder")
        os.mkdir(folder)
        os.chmod(folder, 0o333)
        launcher = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
        self.gyre("simulate", scene, "-o", self.path("folder/out.csv"), launcher=launcher)
        os.chmod(folder, 0o755)
        self.assertEqual(os.listdir(folder), ["out.csv"])

    def test_format_follows_the_extension(self):
        self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("out.jsonl"), "-q")
        self.assertEqual(json.loads(self.read("out.jsonl").splitlines()[4])["index"], 4)

    def test_ceiling(self):
        batch = dict(self.BATCH, count=65536)
        summary = self.gyre("simulate", self.scene(springs=[batch], time_step_s=0.005)).stdout
        share = float(summary.split("best step reaches")[1].split("%")[0])
        self.between(share, 1, 999, summary)
        self.assertEqual("alone (disturbed by other work):" in summary, share > 100, summary)

    def test_stdout_has_only_states(self):
        done = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", "-")
        self.assertEqual(done.stdout.count("\n"), 6)
        self.assertIn("springs per second", done.stderr)
        self.assertNotIn("\r", done.stderr)
        quiet = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", "-", "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), (done.stdout, ""))

    def test_output_times_of_the_scene(self):
        scene = self.scene(springs=[self.BATCH], output_times_s=[1, 0.5])
        self.assertEqual([row["time_s"] for row in self.states(scene)], ["0.5"] * 5 + ["1"] * 5)
        self.assertEqual([row["time_s"] for row in self.states(scene, "--at", "0.1")], ["0.1"] * 5)

    def test_output_times_are_unique_and_unsigned(self):
        scene = self.scene(springs=[self.BATCH], output_times_s=[1, -0.0, 1, 0])
        for arguments in ([], ["--at", "1,-0,1", "--at", "0"]):
            self.assertEqual([row["time_s"] for row in self.states(scene, *arguments)], ["0"] * 5 + ["1"] * 5)

    def test_rounding_of_frame_times(self):
        times = {"frame_times_s": [0.1] * 10, "output_times_s": [0.5, 1]}  # 0.1 ten times is below 1 in binary
        self.assertEqual(self.states(self.scene(springs=[self.BATCH], **times)),
                         self.states(self.scene(springs=[self.BATCH], duration_s=1, time_step_s=0.1,
                                                output_times_s=[0.5, 1])))
        self.gyre("simulate", self.scene(springs=[self.BATCH], duration_s=1.0001, **times), expect=2)

    def test_rate_replaces_the_frames(self):
        for frames in ({"time_step_s": 0.3}, {"frame_times_s": [0.5, 0.5]}):
            done = self.gyre("simulate", self.scene(duration_s=1, springs=[self.BATCH], **frames), "--rate", "144")
            self.assertIn("1 s in 144 frames, 144 steps", done.stdout)
        scene = self.scene(springs=[self.BATCH])
        for rate, message in (("0", "expected frames per second"), ("-3", "expected frames"), ("60Hz", "expected frames"),
                              ("nan", "expected frames"),
                              ("2000000000", "too many frames in the scene's duration of 1 s")):
            self.assertIn(f"--rate {rate}: {message}", self.gyre("simulate", scene, "--rate", rate, expect=2).stderr)

    def test_full_device(self):
        scene = self.scene(springs=[dict(self.BATCH, count=100000)])
        device = self.device("full", 7)
        error = self.gyre("simulate", scene, "-o", device, "--format", "csv", expect=1).stderr
        self.assertIn(f"{device}: cannot write: No space left", error)
        self.assertTrue(stat.S_ISCHR(os.stat(device).st_mode))
        for arguments in (["info"], ["simulate", "--help"]):
            with open(device, "wb") as full:
                done = subprocess.run(WRAPPER + [TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1, arguments)

    def test_inputs_are_not_replaced(self):
        self.write("dampings.csv", "damping\n" + "0.5\n" * 5)
        particles = {"name": "p", "count": 5, "damping": {"csv": "dampings.csv", "column": "damping"},
                     "start": {"position": 0, "velocity": 1}}
        scene = self.scene(particles=[particles])
        for file in ("dampings.csv", "scene.json"):
            before = self.read(file)
            error = self.gyre("simulate", scene, "-o", self.path(file), "--format", "csv", expect=2).stderr
            self.assertIn(f"{file}: is an input of this run", error)
            self.assertEqual(self.read(file), before)

    def test_options_of_states_need_an_output(self):
        for option in (("--at", "0.5"), ("--format", "csv")):
            error = self.gyre("simulate", self.scene(springs=[self.BATCH]), *option, expect=2).stderr
            self.assertIn(f"{option[0]}: requires --output", error)

    def test_stdout_redirected_to_a_file_is_appended_to(self):
        with open(self.path("out.csv"), "w", encoding="utf-8") as out:
            out.write("first\n")
            out.flush()
            subprocess.run(WRAPPER + [TOOL, "simulate", self.scene(springs=[self.BATCH]), "-o", "/dev/stdout",
                                      "--format", "csv"], stdout=out, stderr=subprocess.PIPE, check=True)
        self.assertTrue(self.read("out.csv").startswith("first\ntime_s,"))

    def test_links(self):
        os.symlink("none.csv", self.path("out.csv"))
        scene = self.scene(springs=[self.BATCH])
        error = self.gyre("simulate", scene, "-o", self.path("out.csv"), expect=1).stderr
        self.assertIn("it is a link to a file that does not exist", error)
        self.write("none.csv", "")
        self.gyre("simulate", scene, "-o", self.path("out.csv"))
        self.assertTrue(os.path.islink(self.path("out.csv")))
        self.assertIn("time_s", self.read("none.csv"))

    def test_write_protected(self):
        # Root may write anything, unless it has dropped that capability.
        launcher = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
        os.chmod(self.write("out.csv", "kept"), 0o444)
        error = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("out.csv"), expect=1,
                          launcher=launcher).stderr
        self.assertIn("out.csv: cannot write: Permission denied", error)
        self.assertEqual(self.read("out.csv"), "kept")

    def test_empty_output_name(self):
        error = self.gyre("simulate", self.scene(springs=[self.BATCH]), "--format", "csv", "-o", "", expect=2).stderr
        self.assertIn("the output name is empty", error)

    @unittest.skipUnless(os.geteuid() == 0, "only root may give a file to another")
    def test_owner_is_kept(self):
        out = self.write("out.csv", "former\n")
        os.chown(out, 65534, 100)
        self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", out)
        self.assertEqual((os.stat(out).st_uid, os.stat(out).st_gid), (65534, 100))

    def test_complete_output_is_kept_if_renaming_fails(self):
        """A folder that appears at the output's path during the run acts as a mount point."""
        out = self.path("out.csv")
        for time_step_s in (1e-5, 1e-6, 1e-7, 1e-8):  # until the folder appears before the run ends
            scene = self.scene(springs=[self.BATCH], duration_s=1, time_step_s=time_step_s, output_times_s=[1])
            running = subprocess.Popen(WRAPPER + [TOOL, "simulate", scene, "-q", "-o", out], stderr=subprocess.PIPE,
                                       encoding="utf-8")
            while running.poll() is None and not any(name.startswith("gyre-part-") for name in os.listdir(self.folder)):
                time.sleep(0.001)
            try:
                os.mkdir(out)
                break
            except FileExistsError:
                running.communicate()
                os.remove(out)
        error = running.communicate()[1]
        self.assertEqual(running.returncode, 1, error)
        part = error.split("the complete output is in ")[1].strip()
        with open(os.path.join(self.folder, part), encoding="utf-8") as file:
            self.assertEqual(file.read().count("\n"), 6)

    def test_long_names(self):
        scene = self.scene(springs=[self.BATCH])
        name = "n" * 251 + ".csv"
        self.gyre("simulate", scene, "-o", self.path(name))
        self.assertEqual(sorted(os.listdir(self.folder)), [name, "scene.json"])
        error = self.gyre("simulate", scene, "-o", self.path("n" + name), expect=1).stderr
        self.assertTrue(error.endswith("cannot write: File name too long\n"), error)
        self.assertEqual(sorted(os.listdir(self.folder)), [name, "scene.json"])

    def test_no_such_folder(self):
        error = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("no/out.csv"), expect=1).stderr
        self.assertIn("no/out.csv: cannot write: No such file", error)

    def test_signals_leave_nothing(self):
        scene = self.scene(springs=[dict(self.BATCH, count=100000)], duration_s=1e6, time_step_s=0.01,
                           output_times_s=[0, 1e6])
        out = self.write("out.csv", "former\n")
        before = sorted(os.listdir(self.folder))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            with self.subTest(signal=number):
                # A shell's background process ignores SIGINT and SIGQUIT; this one must not.
                process = subprocess.Popen(WRAPPER + [TOOL, "simulate", scene, "-q", "-o", out],
                                           preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL)
                                                               for each in (signal.SIGINT, signal.SIGQUIT)])
                try:
                    while sorted(os.listdir(self.folder)) == before and process.poll() is None:
                        time.sleep(0.01)
                    self.assertNotEqual(sorted(os.listdir(self.folder)), before, "no file was begun")
                    self.assertEqual(self.read("out.csv"), "former\n")
                    process.send_signal(number)
                    self.assertEqual(process.wait(), -number)
                finally:
                    process.kill()
                    process.wait()
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.assertEqual(self.read("out.csv"), "former\n")

    def long_run(self, duration_s):
        return self.scene(springs=[self.BATCH], duration_s=duration_s, time_step_s=1e-5)

    def progress_bar(self, **options):
        """The output of a run that takes long enough on this machine: more than a tenth of a second."""
        for duration_s in (1, 4, 16, 64):
            _, drawn = self.on_terminal("simulate", self.long_run(duration_s), **options)
            if drawn:
                break
        return drawn

    def test_progress_bar_is_shown_on_terminals(self):
        drawn = self.progress_bar()
        self.assertIn(b"million springs per second", drawn)
        self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)
        self.assertEqual(self.on_terminal("simulate", self.long_run(4), "-q"), (b"", b""))

    def test_progress_of_reading(self):
        normal = {"normal": {"mean": 0, "deviation": 1}}
        scene = self.scene(springs=[dict(self.BATCH, count=4000000, start={"position": normal, "velocity": normal})],
                           time_step_s=1)
        _, drawn = self.on_terminal("simulate", scene, columns=30)
        lines = drawn.decode().replace("\x1b[K", "").split("\r")
        told = [int(line[len("reading: "):].split()[0].replace(",", "")) for line in lines if "reading" in line]
        self.assertGreater(len(told), 1, lines)
        self.assertEqual(told, sorted(set(told)))
        self.assertLessEqual(told[-1], 12000000)  # positions, velocities and targets
        self.assertLess(max(map(len, lines)), 30)
        self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)
        self.assertEqual(self.on_terminal("simulate", scene, "-q"), (b"", b""))

    def test_no_progress_bar_on_dumb_terminals(self):
        _, drawn = self.on_terminal("simulate", self.long_run(4), kind="dumb")
        self.assertEqual(drawn, b"")

    def test_progress_bar_includes_writing(self):
        for count in (1000000, 4000000, 16000000):
            scene = self.scene(springs=[dict(self.BATCH, count=count)])
            _, drawn = self.on_terminal("simulate", scene, "-o", self.device("null", 3), "--format", "csv")
            shares = [int(share) for share in re.findall(rb"(\d+) %[^\r]*  [\d.,]+ million rows per second", drawn)]
            if len(shares) > 3:
                break
        self.assertGreater(len(shares), 3, drawn)
        self.assertEqual(shares, sorted(shares))
        self.assertLess(shares[0], 60)
        self.assertGreater(shares[-1], 70)

    def test_progress_bar_fits_the_terminal(self):
        for columns in (80, 40, 20, 8):
            with self.subTest(columns=columns):
                lines = self.progress_bar(columns=columns).decode().replace("\x1b[K", "").split("\r")
                self.assertTrue(any("%" in line for line in lines), lines)
                self.assertLess(max(map(len, lines)), columns)

    def test_overflow_is_reported(self):
        batch = {"name": "p", "count": 3, "damping": 0, "acceleration": [3e38, 0, -3e38]}
        scene = self.scene(particles=[batch], duration_s=100, time_step_s=1)
        done = self.gyre("simulate", scene, "-o", "-")
        self.assertIn("non-finite values in 2 of these rows", done.stderr)
        batch["acceleration"] = 1
        self.assertNotIn("finite", self.gyre("simulate", self.scene(particles=[batch]), "-o", "-").stderr)

    def test_nan_has_no_sign(self):
        batch = dict(self.BATCH, spring={"angular_frequency": 1, "damping_ratio": 0},
                     start={"position": 3e38, "velocity": [3e38, -3e38, 1, 3e38, -3e38], "target": -3e38})
        states = self.gyre("simulate", self.scene(springs=[batch], duration_s=100, time_step_s=1), "-o", "-").stdout
        self.assertIn(",nan,nan,", states)
        self.assertNotIn("-nan", states)

    def test_json_null_for_values_that_are_not_finite(self):
        batch = dict(self.BATCH, spring={"angular_frequency": 0, "damping_ratio": 0},
                     start={"position": 3e38, "velocity": 3e38})
        lines = self.gyre("simulate", self.scene(springs=[batch]), "-o", "-", "--format", "jsonl").stdout.splitlines()
        for line in lines:
            self.assertIsNone(json.loads(line, parse_constant=self.fail)["position"])

    def test_singular_nouns(self):
        body = {"name": "b", "count": 1, "inertia": [1, 2, 3]}
        summary = self.gyre("simulate", self.scene(bodies=[body], time_step_s=1), "-o", self.path("out.csv")).stdout
        for part in ("1 body in 1 batch", "1 frame, 1 step\n", "of 1 body\n", "1 row in"):
            self.assertIn(part, summary)
        body["count"] = 2
        summary = self.gyre("simulate", self.scene(bodies=[body]), "-o", self.path("out.csv")).stdout
        for part in ("2 bodies in 1 batch", "20 frames, 20 steps\n", "of 2 bodies\n", "2 rows in"):
            self.assertIn(part, summary)


class Others(ToolTest):
    def test_shipped_scenes(self):
        names = sorted(name for name in os.listdir(SCENES) if name.endswith(".json"))
        self.assertEqual(names, ["camera_follow.json", "dancing_pole.json", "fling_and_settle.json", "flywheel.json",
                                 "heads_and_camera.json", "million_retargeted.json", "particles.json", "tails.json",
                                 "toutatis.json", "ui_wall.json"])
        for name in names:
            with self.subTest(name):
                out = self.path("out.csv")
                done = self.gyre("simulate", os.path.join(SCENES, name), "-o", out)
                with open(os.path.join(SCENES, name), encoding="utf-8") as file:
                    scene = json.load(file)
                (kind,) = {"springs", "orientation_springs", "particles", "flings", "chains", "bodies"} & set(scene)
                self.assertIn(f"{kind.replace('_', ' ')} per second", done.stdout)
                rows = sum(batch["count"] * len(batch.get("bones", [None])) for batch in scene[kind]) * len(scene.get("output_times_s", [0]))
                text = self.read("out.csv")
                self.assertEqual(text.count("\n"), rows + 1)
                self.assertNotIn("nan", text)
                self.assertNotIn("inf", text)

    def test_presets_name_their_source(self):
        with open(os.path.join(SCENES, "ui_wall.json"), encoding="utf-8") as file:
            for batch in json.load(file)["springs"]:
                self.assertRegex(batch["source"], r"^(androidx: .*\.(java|kt)|developer\.apple\.com/)")

    def test_flings_match_their_sources(self):
        with open(os.path.join(SCENES, "fling_and_settle.json"), encoding="utf-8") as file:
            batches = {batch["name"]: batch for batch in json.load(file)["flings"]}
        figures = {"iOS normal": (-1000 * math.log(0.998), 1.1, 0.5, 100), "iOS fast": (-1000 * math.log(0.99), 1.3, 0.3, 75),
                   "Compose exponentialDecay": (4.2,)}
        self.assertEqual(set(batches), set(figures))
        for name, (damping, *spring) in figures.items():
            self.assertAlmostEqual(batches[name]["damping"] / damping, 1, delta=1e-7)
            self.assertRegex(batches[name]["source"], r"developer\.apple\.com/|androidx: .*\.kt")
            if spring:
                ratio, mass, stiffness = spring
                given = batches[name]["spring"]
                self.assertEqual((given["mass"], given["stiffness"]), (mass, stiffness))
                self.assertAlmostEqual(given["damping"], ratio * 2 * math.sqrt(mass * stiffness), delta=1e-5)

    def test_particle_count(self):
        with open(os.path.join(SCENES, "particles.json"), encoding="utf-8") as file:
            self.assertEqual(sum(batch["count"] for batch in json.load(file)["particles"]), 200000)

    def test_info(self):
        lines = self.gyre("info").stdout.splitlines()
        self.assertEqual(lines[0].split(), ["isa", "rounding", "in", "this", "build", "runs", "here"])
        listed = [tuple(line.split()[:2]) for line in lines[1:]]
        for isa in ("scalar", "sse2", "sse41", "avx2", "avx512", "neon"):
            for rounding in ("portable", "fused"):
                self.assertIn((isa, rounding), listed)
        self.assertNotIn("wasm128", "".join(lines))  # is reserved
        used = [line for line in lines if line.endswith("in use")]
        self.assertEqual(len(used), 1)
        self.assertIn("portable", used[0])
        self.assertIn("best", used[0])
        for line in lines[1:]:
            self.assertNotEqual(line.split()[2:4], ["no", "yes"], "runs, but is not built")

    def test_help_and_version(self):
        self.assertRegex(self.gyre("--version").stdout, r"^gyre \d+\.\d+\.\d+\n$")
        overview = self.gyre("help").stdout
        for heading in ("SYNOPSIS\n", "COMMANDS\n", "EXIT STATUS\n"):
            self.assertIn(heading, overview)
        for arguments in (["--help"], ["-h"]):
            self.assertEqual(self.gyre(*arguments).stdout, overview)
        self.assertEqual(self.gyre(expect=2).stderr, overview)
        for command in ("simulate", "info"):
            text = self.gyre("help", command).stdout
            self.assertTrue(text.startswith(f"{command.upper()}\n  gyre {command}"), text)
            for arguments in ([command, "--help"], [command, "-h"], [command, "x", "--help"]):
                self.assertEqual(self.gyre(*arguments).stdout, text, arguments)
        text = self.gyre("help", "simulate").stdout
        for part in ("--rounding", "keys springs, orientation_springs, particles,", "position,velocity,target",
                     "frame_time_s", "begin with #", "left out is 0", "standard input", "SCENES\n"):
            self.assertIn(part, text)

    def test_help_has_every_key_and_option(self):
        """The lists match the messages about an unknown key, form or method."""
        words = set()
        batch = {"name": "b", "count": 1}
        spring = {**batch, "spring": {"response_s": 1, "damping_ratio": 1}}
        body = {**batch, "inertia": [1, 1, 1]}
        wrong = {"qqqqqqqq": 1}
        chain = {**batch, "bones": [{"tail": [0, 1, 0], "stiffness": 1, "damping": 1}]}
        for scene in ({**wrong}, {"springs": [{**spring, **wrong}]}, {"particles": [{**batch, **wrong}]},
                      {"flings": [{**batch, **wrong}]}, {"bodies": [{**body, **wrong}]},
                      {"orientation_springs": [{**spring, **wrong}]},
                      {"orientation_springs": [{**spring, "start": wrong}]},
                      {"orientation_springs": [{**spring, "retarget": [wrong]}]},
                      {"chains": [{**chain, **wrong}]}, {"chains": [{**chain, "start": wrong}]},
                      {"chains": [{**chain, "set": [wrong]}]}, {"chains": [{**batch, "bones": [wrong]}]},
                      {"chains": [{**batch, "bones": [{"tail": [0, 1, 0], "vrm": wrong}]}]},
                      *({"chains": [{**chain, "colliders": [{"kind": kind, **wrong}]}]}
                        for kind in ("sphere", "capsule", "plane")),
                      {"springs": [{**batch, "spring": wrong}]}, {"springs": [{**spring, "start": wrong}]},
                      {"springs": [{**spring, "retarget": [wrong]}]},
                      {"springs": [{**spring, "start": {"position": {"uniform": wrong}}}]},
                      {"springs": [{**spring, "start": {"position": {"normal": wrong}}}]},
                      {"bodies": [{**body, "start": wrong}]}, {"bodies": [{**body, "set": [wrong]}]},
                      {"bodies": [{**body, "solver": wrong}]}, {"bodies": [{**batch, "shape": wrong}]}):
            with self.subTest(scene):
                error = self.gyre("simulate", self.scene(**scene), expect=2).stderr
                words |= set(error.split("unknown key, expected one of ")[1].strip().split(", "))
        error = self.gyre("simulate", self.scene(bodies=[{**body, "solver": {"method": "?"}}]), expect=2).stderr
        words |= set(re.split(", | or ", error.split('is "?", expected ')[1].strip()))
        text = self.gyre("help", "simulate").stdout
        self.assertGreater(len(words), 60)
        stated = set(re.findall(r"\w+", text))
        for name in ("orientation", "momentum"):  # "orientation_x to orientation_w"
            stated |= {f"{name}_{c}" for c in "xyzw" if f"{name}_x to" in " ".join(text.split())}
        self.assertEqual(words - stated, set())
        # Every form of a spring, with its keys on one line.
        error = self.gyre("simulate", self.scene(springs=[{**batch, "spring": {"mass": 1}}]), expect=2).stderr
        forms = error.split("exactly one form: ")[1].strip().replace(" (default 1)", "").split(", ")
        lines = [set(re.findall(r"\w+", line)) for line in text.splitlines() if " >= 0" in line or " > 0" in line]
        self.assertEqual(len(forms), len(lines))
        for form in forms:
            self.assertTrue(any(set(form.split(" + ")) <= line for line in lines), form)

    def test_help_has_every_option(self):
        text = self.gyre("help", "simulate").stdout
        for option in set(re.findall(r"--[a-z-]+", text)) - {"--help", "--quiet"}:
            with self.subTest(option=option):
                error = self.gyre("simulate", option, expect=2).stderr
                self.assertIn(f"option '{option}' requires an argument", error)

    def test_help_fits_a_terminal(self):
        for arguments in (["help"], ["help", "simulate"], ["help", "info"]):
            for line in self.gyre(*arguments).stdout.splitlines():
                self.assertLess(len(line), 80, line)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
