"""Invalid input for `gyre simulate`, as a table: scenes and files with one wrong piece, and the message."""

import typing


class Refusals(typing.NamedTuple):
    scene: str
    files: dict  # files that the scene reads: name, content
    states: int  # number of states that the valid scene writes
    # name of the case: (piece of the scene, replacement, key path in the message, part of the rest of the message[,
    # batch whose first line the message names, as for a missing key])
    bad_scenes: dict
    # name of the case: (file, content, line, subject and part of the rest of the message)
    bad_files: dict


# The tests count lines, and strings contain a quote and a brace.
SPRINGS = """{
    "name": "small", "source": "of a \\" and a {",
    "seed": 7,
    "duration_s": 2,
    "time_step_s": 0.25,
    "springs": [
        {
            "name": "a",
            "count": 4,
            "spring": {"angular_frequency": 3, "damping_ratio": 0.5},
            "start": {
                "position": [1, 2, 3, 4],
                "velocity": {"normal": {"mean": 0, "deviation": 1}},
                "target": {"uniform": {"low": -1, "high": 1}}
            },
            "rest_distance": 0.001,
            "rest_speed": 0.001,
            "retarget": [
                {"at_s": 0.6, "target": 2, "first": 1, "last": 2}
            ]
        },
        {
            "name": "b",
            "count": 2,
            "spring": {"stiffness": 100, "damping_ratio": 1},
            "start": {
                "csv": "start.csv"
            }
        }
    ]
}
"""
START = "position,velocity,target\n1,0,0\n2.5,-3,1\n"

BAD_SPRINGS = {
    "unknown key": ('"seed": 7', '"seeds": 7', "seeds", "did you mean seed?"),
    "unknown key, not a typing error": ('"seed": 7', '"colour": 7', "colour", "expected one of name, source"),
    "unknown key in a batch": ('"count": 2', '"cuont": 2', "springs[1].cuont", "did you mean count?"),
    "unknown key in a form": ('"stiffness": 100', '"stifness": 100', "springs[1].spring.stifness", "mean stiffness?"),
    "unknown key in start": ('"csv": "start.csv"', '"file": "start.csv"', "springs[1].start.file", "unknown key"),
    "unknown distribution": ('"normal": {"mean"', '"cauchy": {"mean"', "springs[0].start.velocity.cauchy", "unknown"),
    "column without a file": ('"deviation": 1}}', '"deviation": 1}, "column": "v"}', "springs[0].start.velocity.column",
                              "requires csv, which is missing"),
    "duplicate key": ('"seed": 7', '"seed": 7, "seed": 8', "seed", "duplicate object key"),
    "duplicate key, deeper": ('"count": 4', '"count": 4, "count": 4', "springs[0].count", "duplicate object key"),
    "syntax": ('"seed": 7,', '"seed": 7;', "seed", "'}' expected"),
    "number beyond double": ('"rest_speed": 0.001', '"rest_speed": 1e999', "springs[0].rest_speed", "overflow"),
    "number beyond float": ('"rest_speed": 0.001', '"rest_speed": 1e39', "springs[0].rest_speed", "too large"),
    "number below float": ('"rest_speed": 0.001', '"rest_speed": 1e-50', "springs[0].rest_speed", "too small"),
    "number below double": ('"rest_speed": 0.001', '"rest_speed": 1e-400', "springs[0].rest_speed", "too small"),
    "number below double in a list": ("[1, 2, 3, 4]", "[1, 2, 3, -1E-400]", "springs[0].start.position[3]",
                                      "too small"),
    "number beyond float in a list": ("[1, 2, 3, 4]", "[1, 2, 3, -1e40]", "springs[0].start.position[3]", "too large"),
    "negative count": ('"count": 4', '"count": -4', "springs[0].count", "is -4, expected 1 or more"),
    "zero count": ('"count": 4', '"count": 0', "springs[0].count", "is 0, expected 1 or more"),
    "count not whole": ('"count": 4', '"count": 4.5', "springs[0].count",
                        "has a decimal point or an exponent, expected a whole number"),
    "count with an exponent": ('"count": 4', '"count": 4e18', "springs[0].count", "has a decimal point or an exponent"),
    "count of wrong type": ('"count": 4', '"count": "4"', "springs[0].count", "is a string, expected a whole number"),
    "count beyond memory": ('"count": 2', '"count": 4611686018427387904', "springs[1].count", "more memory"),
    "wrong type": ('"duration_s": 2', '"duration_s": "2"', "duration_s", "is a string, expected a number"),
    "name of wrong type": ('"name": "b"', '"name": 3', "springs[1].name", "expected a string"),
    "name that breaks CSV": ('"name": "b"', '"name": "b,c"', "springs[1].name", "without commas"),
    "name that reaches the terminal": ('"name": "b"', '"name": "b\\u007f"', "springs[1].name",
                                       "without control characters"),
    "name too long": ('"name": "b"', f'"name": "{"b" * 65}"', "springs[1].name", "expected 1 to 64"),
    "name used twice": ('"name": "b"', '"name": "a"', "springs[1].name", "another batch"),
    "two forms": ('_ratio": 1}', '_ratio": 1, "response_s": 1}', "springs[1].spring", "exactly one form"),
    "a form and a bit": ('"stiffness": 100, "damping_ratio": 1}',
                         '"mass": 1, "stiffness": 1, "damping": 1, "response_s": 1}', "springs[1].spring",
                         "exactly one form"),
    "half a form": (', "damping_ratio": 1}', "}", "springs[1].spring", "exactly one form"),
    "no spring": ('"stiffness": 100', '"stiffness": -100', "springs[1].spring", "expected stiffness >= 0"),
    "time beyond the end": ('"at_s": 0.6', '"at_s": 2.5', "springs[0].retarget[0].at_s", "up to the duration of 2 s"),
    "negative time": ('"at_s": 0.6', '"at_s": -1', "springs[0].retarget[0].at_s", "expected 0 or more"),
    "output beyond the end": ('"seed": 7', '"output_times_s": [1, 3]', "output_times_s[1]", "up to the duration"),
    "range outside the count": ('"last": 2', '"last": 4', "springs[0].retarget[0].last", "is 4, expected 1 to 3"),
    "range backwards": ('"last": 2', '"last": 0', "springs[0].retarget[0].last", "is 0, expected 1 to 3"),
    "range from outside": ('"first": 1', '"first": 9', "springs[0].retarget[0].first", "is 9, expected 0 to 3"),
    "no target": ('"target": 2, ', "", "springs[0].retarget[0].target", "is missing"),
    "short list": ("[1, 2, 3, 4]", "[1, 2, 3]", "springs[0].start.position", "has 3 numbers, expected 4"),
    "not a number in a list": ("[1, 2, 3, 4]", "[1, 2, null, 4]", "springs[0].start.position[2]", "is null"),
    "negative deviation": ('tion": 1}', 'tion": -1}', "springs[0].start.velocity.normal.deviation", "0 or more"),
    "high below low": ('"high": 1', '"high": -2', "springs[0].start.target.uniform.high", "expected -1 or more"),
    "rest limit alone": ('"rest_distance": 0.001,\n            "rest_speed": 0.001,', '"rest_distance": 0.001,',
                         "springs[0].rest_distance", "is given without rest_speed, expected both or neither"),
    "negative rest": ('"rest_speed": 0.001', '"rest_speed": -1', "springs[0].rest_speed", "expected 0 or more"),
    "time step of zero": ('"time_step_s": 0.25', '"time_step_s": 0', "time_step_s", "more than 0"),
    "too many frames": ('"time_step_s": 0.25', '"time_step_s": 1e-12', "time_step_s", "frames"),
    "more frames than are counted": ('"duration_s": 2,\n    "time_step_s": 0.25',
                                     '"time_step_s": 0.25, "duration_s": 3.75e8', "time_step_s",
                                     "1500000000 frames, expected at most 1000000000"),
    "negative frame time": ('"time_step_s": 0.25', '"frame_times_s": [1, -1, 2]', "frame_times_s[1]",
                            "is -1, expected 0 or more"),
    "frames of zero alone": ('"time_step_s": 0.25', '"frame_times_s": [0, 0]', "frame_times_s",
                             "has no frames or only frames of 0 s"),
    "two kinds of frames": ('"seed": 7', '"frame_times_s": [1]', "top level", "exactly one of"),
    "duration negative": ('"duration_s": 2', '"duration_s": -2', "duration_s", "more than 0"),
    "precise is not a boolean": ('"name": "b"', '"name": "b", "precise": "yes"', "springs[1].precise",
                            "is a string, expected true or false"),
    "precise and evaluated": ('"name": "b"', '"name": "b", "precise": true, "evaluate": true', "springs[1].precise",
                              "cannot be combined with evaluate, which computes each state from the start"),
    "file missing": ("start.csv", "none.csv", "springs[1].start.csv", "No such file"),
    "csv and inline": ('{\n                "csv"', '{"target": 1, "csv"', "springs[1].start", "either csv"),
}

BAD_STARTS = {
    "row too short": ("start.csv", "position,velocity,target\n1,0,0\n2.5,-3\n", 3, "row 2", "has 2 values, expected 3"),
    "row too long": ("start.csv", "position,velocity\n1,0\n2.5,-3,1\n", 3, "row 2", "has 3 values, expected 2"),
    "empty row": ("start.csv", "position,velocity\n1,0\n\n2,0\n", 3, "row 2", "has 0 values, expected 2"),
    "nan": ("start.csv", "position,velocity\n1,0\n2.5,nan\n", 3, "velocity", "is not finite"),
    "inf": ("start.csv", "# a comment\nposition,velocity\n-inf,0\n1,1\n", 3, "position", "is not finite"),
    "beyond float": ("start.csv", "position,velocity\n1,1e39\n1,1\n", 2, "velocity", "too large"),
    "below float": ("start.csv", "position,velocity\n1,1e-50\n1,1\n", 2, "velocity", "too small"),
    "below double": ("start.csv", "position,velocity\n1,0\n1,-1e-400\n", 3, "velocity", "too small"),
    "not a number": ("start.csv", "position,velocity\n1,0\n2.5,x\n", 3, "velocity", "is not a number"),
    "hexadecimal": ("start.csv", "position,velocity\n1,0x10\n2.5,1\n", 2, "velocity", '"0x10" is not a number'),
    "empty cell": ("start.csv", "position,velocity\n1,\n2.5,1\n", 2, "velocity", "is not a number"),
    "wrong header": ("start.csv", "position,speed\n1,0\n2.5,1\n", 1, "header",
                     'is "position,speed", expected position,velocity,target'),
    "states": ("start.csv", "time_s,batch,index,position,velocity,target,awake\n0,a,0,1,0,0,1\n0,a,1,1,0,0,1\n", 1,
               "header", "expected position,velocity,target"),
    "no header": ("start.csv", "1,0\n2.5,1\n", 1, "header", "expected position,velocity,target"),
    "empty file": ("start.csv", "", 1, "header", "is missing"),
    "a row too many": ("start.csv", START + "1,2,3\n", 27, "springs[1].start.csv", "has 3 rows, expected 2"),
}

# The same for all other kinds and forms of batches.
FORMS = """{
    "duration_s": 2,
    "time_step_s": 0.25,
    "springs": [
        {
            "name": "each",
            "count": 3,
            "spring": {"response_s": {"csv": "styles.csv", "column": "response"}, "damping_ratio": [0.5, 1, 2]}
        },
        {
            "name": "palette",
            "count": 4,
            "palette": [
                {"response_s": 0.4, "damping_ratio": 1},
                {"stiffness": 200, "damping_ratio": 0.5}
            ],
            "which": [0, 1, 1, 0]
        },
        {
            "name": "evaluated",
            "count": 2,
            "spring": {"duration_s": 0.5, "bounce": 0.2},
            "evaluate": true
        }
    ],
    "particles": [
        {
            "name": "particles",
            "count": 3,
            "damping": [0.5, 0.9, 1],
            "acceleration": -9.8,
            "start": {"velocity": 3},
            "set": [
                {"at_s": 1, "velocity": 5, "first": 1}
            ]
        }
    ],
    "orientation_springs": [
        {
            "name": "turns",
            "count": 2,
            "follow": 0.5,
            "spring": {"angular_frequency": 8, "damping_ratio": 0.5},
            "start": {"orientation": [[0, 1], 0, 0, [1, 0]], "spin_world": [0, 0, 2], "target": [0, 2, 0, 0]},
            "rest_angle": 0.01, "rest_speed": 0.02,
            "retarget": [{"at_s": 0.5, "target": [0, 0, 1, 1], "last": 0}, {"at_s": 0.75, "target_spin": [0, 0, 4]}]
        }
    ],
    "flings": [
        {
            "name": "flings",
            "count": 2,
            "damping": 2,
            "lower": 0,
            "upper": 100,
            "spring": {"half_life_s": 0.1, "damping_ratio": 1},
            "rest_distance": 0.5,
            "rest_speed": 1,
            "fling": [{"at_s": 0.5, "velocity": 90}]
        }
    ]
}
"""
STYLES = "name,response,which\nslow,0.9,0\nquick,0.2,1\nmiddling,0.4,2\n"

BAD_FORMS = {
    "invalid parameter of a spring": ("[0.5, 1, 2]", "[0.5, -1, 2]", "springs[0].spring", "spring 1: invalid spring"),
    "short list of parameters": ("[0.5, 1, 2]", "[0.5, 1]", "springs[0].spring.damping_ratio", "2 numbers, expected 3"),
    "half a form per spring": (', "damping_ratio": [0.5, 1, 2]', "", "springs[0].spring", "exactly one form"),
    "parameter that is text": ("[0.5, 1, 2]", '"all"', "springs[0].spring.damping_ratio", "a number, an array"),
    "file of values missing": ("styles.csv", "none.csv", "springs[0].spring.response_s.csv", "No such file"),
    "no column": (', "column": "response"', "", "springs[0].spring.response_s.column", "expected a string"),
    "column and more": ('"column": "r', '"uniform": 1, "column": "r', "springs[0].spring.response_s.uniform",
                        "unknown key"),
    "spring and palette": ('"palette": [', '"spring": {}, "palette": [', "springs[1]", "exactly one of spring, palette",
                           "palette"),
    "smoothing without a time": ('"spring": {"duration_s": 0.5, "bounce": 0.2},\n            "evaluate": true',
                                 '"smoothing": {"half_life_s": 0}', "springs[2].smoothing", "a half_life_s above 0"),
    "smoothing and follow": ('"spring": {"duration_s": 0.5, "bounce": 0.2},\n            "evaluate": true',
                             '"follow": 0, "smoothing": {"half_life_s": 1}', "springs[2].follow", "no damping"),
    "follow above 1": ('"which": [0, 1, 1, 0]', '"follow": 1.25, "which": [0, 1, 1, 0]', "springs[1].follow",
                       "is 1.25, expected up to 1"),
    "time scale of a palette": ('"which": [0, 1, 1, 0]', '"time_scale": 2, "which": [0, 1, 1, 0]', "springs[1].time_scale",
                                "requires spring"),
    "bound and period": ('"which": [0, 1, 1, 0]', '"upper": 2, "period": 6, "which": [0, 1, 1, 0]', "springs[1].upper",
                         "cannot be combined with period"),
    "rest scale alone": ('"which": [0, 1, 1, 0]', '"rest_scale": 2, "which": [0, 1, 1, 0]', "springs[1].rest_scale",
                         "requires rest_distance and rest_speed"),
    "target that moves, evaluated": ('"evaluate": true', '"evaluate": true, "retarget": [{"at_s": 0.5, "target_velocity": 1}]',
                                     "springs[2].retarget", "target_velocity, which cannot be combined with evaluate"),
    "bound, evaluated": ('"evaluate": true', '"evaluate": true, "lower": 0', "springs[2].lower",
                         "cannot be combined with evaluate"),
    "neither": ('"spring": {"duration_s": 0.5, "bounce": 0.2},', "", "springs[2]", "exactly one of spring, palette",
                "evaluated"),
    "empty palette": ('"palette": [\n                {"response_s": 0.4, "damping_ratio": 1},\n'
                      '                {"stiffness": 200, "damping_ratio": 0.5}\n            ]', '"palette": []',
                      "springs[1].palette", "has 0 springs, expected 1 to 65536"),
    "invalid spring in a palette": ('"stiffness": 200', '"stiffness": -2', "springs[1].palette[1]", "invalid spring"),
    "palette per spring": ('"stiffness": 200', '"stiffness": [1, 2, 3, 4]', "springs[1].palette[1].stiffness",
                           "is an array"),
    "index outside": ("[0, 1, 1, 0]", "[0, 1, 2, 0]", "springs[1].which", "has 2 for spring 2"),
    "index negative": ("[0, 1, 1, 0]", "[0, -1, 1, 0]", "springs[1].which", "has -1 for spring 1"),
    "index not whole": ("[0, 1, 1, 0]", "[0, 1, 0.5, 0]", "springs[1].which", "whole number from 0 to 1"),
    "way of sharing": ("[0, 1, 1, 0]", '"evenly"', "springs[1].which", 'expected "runs", "random"'),
    "no index": (',\n            "which": [0, 1, 1, 0]', "", "springs[1].which", 'expected "runs", "random"',
                 "palette"),
    "index without a palette": ('"evaluate": true', '"which": "runs"', "springs[2].which", "requires palette"),
    "evaluate is not a boolean": ('"evaluate": true', '"evaluate": 1', "springs[2].evaluate", "expected true or false"),
    "evaluate and rest": ('"evaluate": true', '"evaluate": true, "rest_speed": 1', "springs[2].rest_speed",
                          "cannot be combined with evaluate"),
    "evaluate per spring": ("0.5, 1, 2]}", '0.5, 1, 2]}, "evaluate": true', "springs[0].evaluate", "one spring"),
    "evaluate a palette": ("[0, 1, 1, 0]", '"runs", "evaluate": true', "springs[1].evaluate", "one spring for all"),
    "damping of a particle": ("[0.5, 0.9, 1]", "[0.5, 0.9, -1]", "particles[0].damping", "is -1 for particle 2"),
    "damping of all": ("[0.5, 0.9, 1]", "-0.5", "particles[0].damping", "is -0.5, expected 0 or more"),
    "retention above 1": ("[0.5, 0.9, 1]", '{"fraction": 1.5, "interval_s": 1}',
                          "particles[0].damping.fraction", "is 1.5, expected more than 0 and up to 1"),
    "retention in no time": ("[0.5, 0.9, 1]", '{"fraction": 0.9, "interval_s": 0}',
                             "particles[0].damping.interval_s", "is 0, expected more than 0"),
    "damping without a time": ("[0.5, 0.9, 1]", '{"fraction": 0.9}', "particles[0].damping.interval_s", "is missing"),
    "damping in two forms": ("[0.5, 0.9, 1]", '{"fraction": 0.9, "half_life_s": 1}', "particles[0].damping",
                             "expected a number, fraction and interval_s, or half_life_s"),
    "damping of a negative half-life": ("[0.5, 0.9, 1]", '{"half_life_s": -1}', "particles[0].damping.half_life_s",
                                        "is -1, expected more than 0"),
    "damping too strong": ("[0.5, 0.9, 1]", '{"fraction": 1e-30, "interval_s": 1e-37}', "particles[0].damping",
                           "does not fit in a float"),
    "unknown key in a damping": ("[0.5, 0.9, 1]", '{"fraction": 0.9, "interval": 1}', "particles[0].damping.interval",
                                 "did you mean interval_s?"),
    "damping short": ("[0.5, 0.9, 1]", "[0.5]", "particles[0].damping", "has 1 numbers, expected 3"),
    "acceleration": ("-9.8", '"g"', "particles[0].acceleration", "expected a number"),
    "particles have no target": ('{"velocity": 3}', '{"target": 3}', "particles[0].start.target", "unknown key"),
    "nothing set": ('"velocity": 5, ', "", "particles[0].set[0].velocity", "is missing, and so is acceleration"),
    "set after the end": ('"at_s": 1', '"at_s": 3', "particles[0].set[0].at_s", "up to the duration of 2 s"),
    "set outside": ('"first": 1', '"first": 3', "particles[0].set[0].first", "is 3, expected 0 to 2"),
    "unknown key of particles": ('"damping": [', '"dampin": [', "particles[0].dampin", "did you mean damping?"),
    "count of particles": ('"count": 3,\n            "damping"', '"count": 4611686018427387904,\n            "damping"',
                           "particles[0].count", "more memory"),
    "orientation of length 0": ("[0, 1], 0, 0, [1, 0]", "[0, 1], 0, 0, [0, 0]",
                                "orientation_springs[0].start.orientation", "is 0 for orientation spring 0, expected a q"),
    "orientation and angles": ('"spin_world": [', '"euler_zxz_deg": [1, 2, 3], "spin_world": [',
                               "orientation_springs[0].start", "expected either orientation or euler_zxz_deg"),
    "target of length 0": ("[0, 2, 0, 0]", "[0, 0, 0, 0]", "orientation_springs[0].start.target", "is 0 for orientation"),
    "target of three values": ("[0, 2, 0, 0]", "[0, 2, 0]", "orientation_springs[0].start.target", "has 3 values, expected 4"),
    "new target of length 0": ("[0, 0, 1, 1]", "[0, 0, 0, 0]", "orientation_springs[0].retarget[0].target",
                               "is 0 for orientation spring 0"),
    "no new target": ('"target": [0, 0, 1, 1], ', "", "orientation_springs[0].retarget[0].target",
                      "is missing, and so is target_spin, expected an array of 4 values"),
    "follow beyond 1": ('"follow": 0.5', '"follow": 1.5', "orientation_springs[0].follow", "is 1.5, expected up to 1"),
    "follow backwards": ('"follow": 0.5', '"follow": -0.5', "orientation_springs[0].follow", "is -0.5, expected 0 or more"),
    "one limit of turns": ('"rest_speed": 0.02', '"notes": ""', "orientation_springs[0].rest_angle",
                           "is given without rest_speed, expected both or neither"),
    "rest of turns": ('"rest_angle": 0.01', '"rest_angle": -1', "orientation_springs[0].rest_angle", "0 or more"),
    "turns per spring": ('"angular_frequency": 8', '"angular_frequency": [8, 9]',
                         "orientation_springs[0].spring.angular_frequency", "is an array"),
    "spin in the body": ('"spin_world"', '"spin_body"', "orientation_springs[0].start.spin_body", "unknown key"),
    "damping of flings": ('"damping": 2', '"damping": -2', "flings[0].damping", "is -2, expected 0 or more"),
    "no damping of flings": ('"damping": 2,', "", "flings[0].damping", "is missing", "flings"),
    "edge of text": ('"lower": 0,', '"lower": "left",', "flings[0].lower", "expected a number"),
    "precise flings of text": ('"upper": 100', '"upper": 100, "precise": "yes"', "flings[0].precise",
                               "expected true or false"),
    "bound of a particle short": ('"acceleration": -9.8', '"lower": [1, 2]', "particles[0].lower",
                                  "has 2 numbers, expected 3"),
    "bounce above 1": ('"acceleration": -9.8', '"bounce": 1.5', "particles[0].bounce", "is 1.5, expected up to 1"),
    "bounce below 0": ('"acceleration": -9.8', '"bounce": -1', "particles[0].bounce", "is -1, expected 0 or more"),
    "precise particles of text": ('"damping": [0.5, 0.9, 1]', '"damping": [0.5, 0.9, 1], "precise": 0',
                                  "particles[0].precise", "is a whole number, expected true or false"),
    "edges crossed": ('"upper": 100', '"upper": -1', "flings[0].upper", "is -1, expected 0 or more"),
    "no spring at the edge": ('"half_life_s": 0.1, ', "", "flings[0].spring", "exactly one form"),
    "fling without a velocity": (', "velocity": 90', "", "flings[0].fling[0].velocity", "is missing, expected"),
    "rest of flings": ('"rest_distance": 0.5', '"rest_distance": -0.5', "flings[0].rest_distance", "0 or more"),
    "flings have no period": ('"rest_distance": 0.5', '"period": 3', "flings[0].period", "unknown key"),
    "count of flings": ('"count": 2,\n            "damping"', '"count": 4611686018427387904,\n            "damping"',
                        "flings[0].count", "more memory"),
    "name used in two kinds": ('"name": "flings"', '"name": "each"', "flings[0].name", "another batch"),
}

BAD_STYLES = {
    "quote not closed": ("styles.csv", 'name,response\na,"1\nb",2\nc,3\n', 2, "quote", "is not closed on its line"),
    "text after a quote": ("styles.csv", 'name,response\na,"1"x\nb,2\nc,3\n', 2, "response", '"1x" is not a number'),
    "blank line inside": ("styles.csv", "name,response\na,1\n \nb,2\nc,3\n", 3, "row 2",
                          "has 0 values, expected 2"),
    "no such column": ("styles.csv", "name,speed\na,1\nb,2\nc,3\n", 1, "header",
                       'is "name,speed", has no column response'),
    "not a number": ("styles.csv", "name,response\na,1\nb,x\nc,3\n", 3, "response", "is not a number"),
    "row too short": ("styles.csv", "name,response\na,1\nb\nc,3\n", 3, "row 2", "has 1 values, expected 2"),
    "empty": ("styles.csv", "", 1, "header", "is missing"),
    "a row too few": ("styles.csv", "response\n1\n2\n", 8, "springs[0].spring.response_s.csv",
                      "has 2 rows, expected 3"),
}

# The same for bodies.
BODIES = """{
    "duration_s": 2,
    "time_step_s": 0.25,
    "bodies": [
        {
            "name": "moments",
            "count": 2,
            "inertia": [1, 2, [2.5, 2.75]],
            "torque": [0, 0, 0.5],
            "solver": {"method": "midpoint", "tolerance": 1e-5, "max_iterations": 5},
            "set": [
                {"at_s": 0.6, "spin_world": [1, 0, 0], "first": 1}
            ]
        },
        {
            "name": "tensor",
            "count": 1,
            "tensor": [3, 4, 5, 0.5, 0, -0.25],
            "start": {"orientation": [0, 0, 3, 4], "momentum": [1, 2, 3]},
            "observed": "seen.csv"
        },
        {
            "name": "shape",
            "count": 2,
            "shape": {"mass": [2, 3], "box": {"x": 1, "y": 2, "z": 3.5}},
            "start": {"csv": "start.csv"}
        }
    ]
}
"""
SEEN = "utc,at_s,alpha_deg,beta_deg,gamma_deg\nnoon,0.5,10,20,30\nlater,1.75,40,50,60\n"
STATES = ("orientation_x,orientation_y,orientation_z,orientation_w,momentum_x,momentum_y,momentum_z\n"
          "0,0,0,1,1,0,0\n0,0,1,1,0,2,0\n")

BAD_BODIES = {
    "no inertia": ('"inertia": [1, 2, [2.5, 2.75]],', "", "bodies[0]", "exactly one of inertia, tensor and shape",
                   "moments"),
    "two inertias": ('"torque": [0, 0, 0.5]', '"tensor": [1, 1, 1, 0, 0, 0]', "bodies[0]", "exactly one of inertia",
                     "moments"),
    "inertia of zero": ("[1, 2, [2.5, 2.75]]", "[1, 0, 2]", "bodies[0].inertia[1]", "is 0 for body 0, expected more"),
    "negative inertia": ("[2.5, 2.75]", "[2.5, -1]", "bodies[0].inertia[2]", "is -1 for body 1, expected more than 0"),
    "two moments": ("[1, 2, [2.5, 2.75]]", "[1, 2]", "bodies[0].inertia", "has 2 values, expected 3"),
    "one moment": ("[1, 2, [2.5, 2.75]]", "3", "bodies[0].inertia", "is a whole number, expected an array"),
    "short list of moments": ("[2.5, 2.75]", "[2.5]", "bodies[0].inertia[2]", "has 1 numbers, expected 2"),
    "tensor short": ("[3, 4, 5, 0.5, 0, -0.25]", "[3, 4, 5]", "bodies[1].tensor", "has 3 values, expected 6"),
    "negative tensor": ("[3, 4, 5, 0.5, 0, -0.25]", "[3, 4, 5, 9, 0, 0]", "bodies[1].tensor",
                        "body 0 has a negative principal moment: check signs and order, xx, yy, zz, xy, xz, yz"),
    "tensor beyond float": ("[3, 4, 5, 0.5, 0, -0.25]", "[3e38, 3e38, 3e38, 1e38, 0, 0]", "bodies[1].tensor",
                            "body 0 has a principal moment that is too large for a float: use larger units"),
    "tensor of a rod": ("[3, 4, 5, 0.5, 0, -0.25]", "[0.64, 0.36, 1, -0.48, 0, 0]", "bodies[1].tensor",
                        "body 0 has a principal moment that is 0 to the precision of a float: give a rod some width"),
    "tensor of a rod along an axis": ("[3, 4, 5, 0.5, 0, -0.25]", "[1, 0, 1, 0, 0, 0]", "bodies[1].tensor",
                                      "give a rod some width, at least 1e-6 of the largest moment"),
    "no shape": ('"box": {"x": 1, "y": 2, "z": 3.5}', '"density": 1', "bodies[2].shape.density",
                 "one of mass, box, ellipsoid, sphere, cylinder, capsule"),
    "only a mass": (', "box": {"x": 1, "y": 2, "z": 3.5}', "", "bodies[2].shape",
                    "mass and exactly one of box, ellipsoid, sphere, cylinder or capsule"),
    "two shapes": ('"box": {', '"sphere": {"radius": 1}, "box": {', "bodies[2].shape", "exactly one of box"),
    "no mass": ('"mass": [2, 3], ', "", "bodies[2].shape.mass", "is missing"),
    "mass of zero": ('"mass": [2, 3]', '"mass": [2, 0]', "bodies[2].shape.mass", "is 0 for body 1"),
    "no size": (', "z": 3.5', "", "bodies[2].shape.box.z", "is missing"),
    "negative size": ('"z": 3.5', '"z": -1', "bodies[2].shape.box.z", "is -1 for body 0"),
    "size of another shape": ('"z": 3.5', '"radius": 1', "bodies[2].shape.box.radius", "expected one of x, y, z"),
    "moment beyond float": ('"x": 1', '"x": 1e25', "bodies[2].shape", "too large for a float"),
    "moment below float": ('{"x": 1, "y": 2, "z": 3.5}', '{"x": 1e-25, "y": 1e-25, "z": 1}', "bodies[2].shape",
                           "too small for a float"),
    "unknown method": ('"midpoint"', '"rk4"', "bodies[0].solver.method",
                       "moser_veselov, midpoint, object_trapezoid, trapezoid or explicit_euler"),
    "order of another method": ('"midpoint"', '"midpoint", "order": 6', "bodies[0].solver.order",
                                "applies to moser_veselov only"),
    "unknown order": ('"midpoint", "tolerance": 1e-5, "max_iterations": 5', '"moser_veselov", "order": 4',
                      "bodies[0].solver.order", "is 4, expected 6 or 8"),
    "fixed point of a closed form": ('"midpoint", "tolerance": 1e-5, "max_iterations": 5',
                                     '"moser_veselov", "fixed_point": true', "bodies[0].solver.fixed_point",
                                     "applies to iterative methods only; moser_veselov does not"),
    "tolerance of a closed form": ('"midpoint", "tolerance": 1e-5, "max_iterations": 5', '"moser_veselov", "tolerance": 0',
                                   "bodies[0].solver.tolerance",
                                   "applies to iterative methods only; moser_veselov does not"),
    "iterations of a closed form": ('"midpoint", "tolerance": 1e-5', '"moser_veselov"', "bodies[0].solver.max_iterations",
                                    "applies to iterative methods only; moser_veselov does not"),
    "iterations of explicit Euler": ('"midpoint", "tolerance": 1e-5', '"explicit_euler"',
                                     "bodies[0].solver.max_iterations",
                                     "applies to iterative methods only; explicit_euler does not"),
    "negative tolerance": ("1e-5", "-1e-5", "bodies[0].solver.tolerance", "expected 0 or more"),
    "no iterations": ('"max_iterations": 5', '"max_iterations": 0', "bodies[0].solver.max_iterations",
                      "is 0, expected 1 to 1000"),
    "too many iterations": ('"max_iterations": 5', '"max_iterations": 1001', "bodies[0].solver.max_iterations",
                            "is 1001, expected 1 to 1000"),
    "fraction of a sub-step": ('"max_iterations": 5', '"substeps": 1.5', "bodies[0].solver.substeps", "a whole number"),
    "more sub-steps than the library counts": ('"max_iterations": 5', '"substeps": 16777217',
                                               "bodies[0].solver.substeps", "16777216"),
    "many sub-steps": ('"max_iterations": 5', '"max_substeps": 16777217', "bodies[0].solver.max_substeps",
                       "is 16777217, expected 1 to 16777216"),
    "fixed point is not a boolean": ('"max_iterations": 5', '"fixed_point": 1', "bodies[0].solver.fixed_point",
                                     "expected true or false"),
    "unknown setting": ('"max_iterations"', '"max_iteration"', "bodies[0].solver.max_iteration",
                        "did you mean max_iterations?"),
    "precise is not a boolean": ('"tensor": [', '"precise": 1, "tensor": [', "bodies[1].precise",
                                 "expected true or false"),
    "frame is not a boolean": ('"torque": [0, 0, 0.5]', '"torque": [0, 0, 0.5], "torque_in_body": "yes"',
                               "bodies[0].torque_in_body", "is a string, expected true or false"),
    "torque beyond float in the principal frame": (
        '"tensor": [', '"torque_in_body": true, "torque": [3e38, 3e38, 0], "tensor": [', "bodies[1].torque",
        "is a torque of 4.24264e+38 N m for body 0, too large for a float"),
    "torque beyond float at an event": (
        '"tensor": [', '"torque_in_body": true, "set": [{"at_s": 1, "torque": [0, 3e38, 3e38]}], "tensor": [',
        "bodies[1].set[0].torque", "is a torque of 4.24264e+38 N m for body 0, too large for a float"),
    "frame without a torque": ('"tensor": [', '"torque_in_body": false, "tensor": [', "bodies[1].torque_in_body",
                               "requires a torque, in the batch or in its set"),
    "damping that grows": ('"tensor": [', '"angular_damping": -1, "tensor": [', "bodies[1].angular_damping",
                           "is -1, expected 0 or more"),
    "damping of each": ('"tensor": [', '"angular_damping": [1], "tensor": [', "bodies[1].angular_damping",
                        "is an array, expected a number"),
    "damping without a time": ('"tensor": [', '"angular_damping": {"fraction": 0.5}, "tensor": [',
                               "bodies[1].angular_damping.interval_s", "is missing"),
    "torque short": ("[0, 0, 0.5]", "[0, 0.5]", "bodies[0].torque", "has 2 values, expected 3"),
    "torque of text": ("[0, 0, 0.5]", '[0, 0, "up"]', "bodies[0].torque[2]", "expected a number, an array of 2"),
    "no direction": ("[0, 0, 3, 4]", "[0, 0, 0, 0]", "bodies[1].start.orientation", "is 0 for body 0"),
    "three of a quaternion": ("[0, 0, 3, 4]", "[0, 0, 1]", "bodies[1].start.orientation", "has 3 values, expected 4"),
    "two orientations": ('"momentum": [1, 2, 3]', '"euler_zxz_deg": [1, 2, 3]', "bodies[1].start",
                         "either orientation or euler_zxz_deg"),
    "two momenta": ('"momentum": [1, 2, 3]', '"momentum": [1, 2, 3], "spin_body": [1, 2, 3]', "bodies[1].start",
                    "at most one of momentum, spin_body and spin_world"),
    "momentum beyond float": ('"momentum": [1, 2, 3]', '"spin_body": [1, 2, 3e38]', "bodies[1].start.spin_body",
                              "for body 0, too large for a float"),
    "momentum whose length is beyond float": ('"momentum": [1, 2, 3]', '"momentum": [3e38, 3e38, 0]',
                                              "bodies[1].start.momentum", "for body 0, too large for a float"),
    "momentum beyond float at an event": ("[1, 0, 0]", "[3e38, 0, 0]", "bodies[0].set[0].spin_world",
                                          "for body 1, too large for a float"),
    "unknown start": ('"momentum": [1, 2, 3]', '"position": 1', "bodies[1].start.position", "unknown key"),
    "csv and more": ('"csv": "start.csv"', '"csv": "start.csv", "momentum": [1, 1, 1]', "bodies[2].start",
                     "either csv or the other keys"),
    "two spins at once": ('"spin_world": [1, 0, 0]', '"spin_world": [1, 0, 0], "spin_body": [1, 0, 0]',
                          "bodies[0].set[0]", "at most one of momentum"),
    "nothing set": ('"spin_world": [1, 0, 0], ', "", "bodies[0].set[0].momentum",
                    "is missing, and so are spin_body, spin_world and torque, expected an array of 3 values"),
    "set is not a list": ('[\n                {"at_s": 0.6, "spin_world": [1, 0, 0], "first": 1}\n            ]', "1",
                          "bodies[0].set", "expected an array"),
    "set outside": ('"first": 1', '"first": 2', "bodies[0].set[0].first", "is 2, expected 0 to 1"),
    "set after the end": ('"at_s": 0.6', '"at_s": 2.5', "bodies[0].set[0].at_s", "up to the duration of 2 s"),
    "unknown key": ('"inertia"', '"inertias"', "bodies[0].inertias", "did you mean inertia?"),
    "count": ('"count": 1', '"count": 4611686018427387904', "bodies[1].count", "more memory"),
    "nothing observed": ("seen.csv", "none.csv", "bodies[1].observed", "No such file"),
    "observed with many bodies": ('"start": {"csv": "start.csv"}', '"observed": "seen.csv"', "bodies[2].observed",
                                  "requires a batch of one body, but this one has 2"),
}

BAD_BODIES_FILES = {
    "observed too late": ("seen.csv", SEEN.replace("1.75", "2.5"), 3, "at_s", "from 0 to the duration of the scene"),
    "observed before the start": ("seen.csv", SEEN.replace("0.5", "-0.5"), 2, "at_s", "expected a time from 0"),
    "observed before": ("seen.csv", SEEN.replace("1.75", "0.5"), 3, "at_s",
                        "expected a later time than in the previous row"),
    "observed nothing": ("seen.csv", SEEN.replace("beta_deg", "beta"), 1, "header", "has no column beta_deg"),
    "observed text": ("seen.csv", SEEN.replace("50", "x"), 3, "beta_deg", "is not a number"),
    "start without a column": ("start.csv", STATES.replace(",momentum_z", ""),
                               1, "header", "expected orientation_x,orientation_y,"),
    "start without a direction": ("start.csv", STATES.replace("\n0,0,1,1", "\n0,0,0,0"), 26, "bodies[2].start.csv",
                                  "row 2: the orientation is 0"),
}

# Chains of bones.
CHAINS = """{
    "duration_s": 2,
    "time_step_s": 0.25,
    "chains": [
        {
            "name": "tails",
            "count": 2,
            "bones": [
                {"tail": [0, -0.1, 0], "vrm": {"stiffness": 1, "drag_force": 0.4, "rate": 50}, "limit": 1.5},
                {"tail": [0, -0.2, 0], "spring": {"response_s": 0.5, "damping_ratio": 0.8}, "follow": 0.25, "radius": 1},
                {"tail": [0, -0.3, 0], "stiffness": 9, "damping": 3, "drag": 2, "load_damping": 0.5, "gravity": -1,
                 "rest": [0, 0, 1, 2], "hinge": [1, 0, 4]}
            ],
            "scale": [1, 2],
            "gravity": [0, -9.8, 0],
            "wind": [[1, 2], 0, 3],
            "colliders": [
                {"kind": "sphere", "attached": true, "position": [3, 0, 0], "radius": [0.1, -1]},
                {"kind": "capsule", "position": [4, 0, 0], "end": [4, 1, 0], "radius": 0.2},
                {"kind": "plane", "position": [0, -5, 0], "normal": [0, 2, 0]}
            ],
            "rest_angle": 0.01, "rest_speed": 0.02,
            "skip_asleep": true,
            "start": {"position": [[0, 9], 0, 0], "orientation": [0, 0, 0, 2], "velocity": [1, 0, 0], "spin": [0, 3, 0]},
            "set": [
                {"at_s": 0.6, "velocity": [0, 0, 0], "first": 1}
            ]
        },
        {
            "name": "ears",
            "count": 1,
            "bones": [{"tail": [0, 0.3, 0], "stiffness": 7, "damping": 0}]
        }
    ]
}
"""

BAD_CHAINS = {
    "unknown key": ('"wind"', '"winds"', "chains[0].winds", "did you mean wind?"),
    "unknown key of a bone": ('"limit"', '"limits"', "chains[0].bones[0].limits", "did you mean limit?"),
    "unknown key of vrm": ('"drag_force"', '"drag"', "chains[0].bones[0].vrm.drag", "unknown key, expected one of"),
    "unknown key in start": ('"spin": [0, 3, 0]', '"target": [0, 3, 0]', "chains[0].start.target", "unknown key"),
    "unknown key of an event": ('"velocity": [0, 0, 0]', '"scale": 1', "chains[0].set[0].scale", "unknown key"),
    "no bones": ('[{"tail": [0, 0.3, 0], "stiffness": 7, "damping": 0}]', "[]", "chains[1].bones",
                 "has 0 bones, expected 1 to 65536"),
    "bones missing": (',\n            "bones": [{"tail": [0, 0.3, 0], "stiffness": 7, "damping": 0}]', "",
                      "chains[1].bones", "is missing, expected an array", "ears"),
    "a bone is a number": ('{"tail": [0, 0.3, 0], "stiffness": 7, "damping": 0}', "7", "chains[1].bones[0]",
                           "expected an object"),
    "no tail": ('"tail": [0, 0.3, 0], ', "", "chains[1].bones[0].tail", "is missing, expected an array"),
    "tail of two numbers": ("[0, 0.3, 0]", "[0, 0.3]", "chains[1].bones[0].tail", "has 2 numbers, expected 3"),
    "tail of text": ("[0, 0.3, 0]", '[0, "long", 0]', "chains[1].bones[0].tail[1]", "expected a number"),
    "tail without a length": ("[0, -0.1, 0]", "[0, 0, 0]", "chains[0].bones[0].tail", "has no length"),
    "no way to move": ('"stiffness": 7, "damping": 0', '"radius": 1', "chains[1].bones[0]",
                       "expected exactly one of vrm, spring and stiffness"),
    "two ways to move": ('"limit": 1.5', '"stiffness": 7', "chains[0].bones[0]", "exactly one of vrm, spring and st"),
    "damping of a spring": ('"radius": 1', '"damping": 1', "chains[0].bones[1].damping", "requires stiffness, which is"),
    "drag of a spring": ('"radius": 1', '"drag": 1', "chains[0].bones[1].drag", "requires stiffness, which is missing"),
    "load damping of vrm": ('"limit": 1.5', '"load_damping": 1', "chains[0].bones[0].load_damping", "requires stiffness"),
    "follow of vrm": ('"limit": 1.5', '"follow": 1', "chains[0].bones[0].follow", "requires spring, which is missing"),
    "follow beyond 1": ('"follow": 0.25', '"follow": 2', "chains[0].bones[1].follow", "is 2, expected up to 1"),
    "gravity of vrm": ('"limit": 1.5', '"gravity": 1', "chains[0].bones[0].gravity",
                       "cannot be combined with vrm, which has gravity_power"),
    "half a spring": (', "damping_ratio": 0.8', "", "chains[0].bones[1].spring", "exactly one form"),
    "negative stiffness": ('"stiffness": 7', '"stiffness": -7', "chains[1].bones[0].stiffness", "expected 0 or more"),
    "no damping": (', "damping": 0', "", "chains[1].bones[0].damping", "is missing, expected a number"),
    "negative damping": ('"damping": 0', '"damping": -1', "chains[1].bones[0].damping", "is -1, expected 0 or more"),
    "negative drag": ('"drag": 2', '"drag": -2', "chains[0].bones[2].drag", "is -2, expected 0 or more"),
    "drag above damping": ('"drag": 2', '"drag": 4', "chains[0].bones[2].drag", "is 4, expected up to the damping of 3"),
    "negative load damping": ('"load_damping": 0.5', '"load_damping": -1', "chains[0].bones[2].load_damping", "0 or more"),
    "gravity of a bone as a vector": ('"gravity": -1', '"gravity": [0, 1, 0]', "chains[0].bones[2].gravity",
                                      "is an array, expected a number"),
    "vrm without drag": (', "drag_force": 0.4', "", "chains[0].bones[0].vrm.drag_force", "is missing, expected a number"),
    "vrm without stiffness": ('"stiffness": 1, ', "", "chains[0].bones[0].vrm.stiffness", "is missing, expected a number"),
    "vrm of negative stiffness": ('"stiffness": 1,', '"stiffness": -1,', "chains[0].bones[0].vrm.stiffness", "0 or more"),
    "vrm's drag above 1": ('"drag_force": 0.4', '"drag_force": 1.5', "chains[0].bones[0].vrm.drag_force",
                           "is 1.5, expected up to 1"),
    "vrm's drag below 0": ('"drag_force": 0.4', '"drag_force": -1', "chains[0].bones[0].vrm.drag_force", "0 or more"),
    "vrm's gravity below 0": ('"rate": 50', '"gravity_power": -1', "chains[0].bones[0].vrm.gravity_power", "0 or more"),
    "vrm at no rate": ('"rate": 50', '"rate": 0', "chains[0].bones[0].vrm.rate", "is 0, expected more than 0"),
    "vrm too stiff": ('[0, -0.1, 0], "vrm": {"stiffness": 1,', '[0, -1e-8, 0], "vrm": {"stiffness": 1e38,',
                      "chains[0].bones[0].vrm", "gives a stiffness or a damping that does not fit in a float"),
    "spring too stiff": ('"response_s": 0.5', '"response_s": 1e-30', "chains[0].bones[1].spring", "does not fit in a"),
    "negative radius of a bone": ('"radius": 1}', '"radius": -1}', "chains[0].bones[1].radius", "is -1, expected 0 or"),
    "negative limit": ('"limit": 1.5', '"limit": -1', "chains[0].bones[0].limit", "is -1, expected 0 or more"),
    "rest of three numbers": ("[0, 0, 1, 2]", "[0, 0, 1]", "chains[0].bones[2].rest", "has 3 numbers, expected 4"),
    "rest of length 0": ("[0, 0, 1, 2]", "[0, 0, 0, 0]", "chains[0].bones[2].rest", "is 0, expected a quaternion"),
    "hinge of length 0": ("[1, 0, 4]", "[0, 0, 0]", "chains[0].bones[2].hinge", "is 0 or along the tail"),
    "hinge along the tail": ("[1, 0, 4]", "[0, 5, 0]", "chains[0].bones[2].hinge", "is 0 or along the tail"),
    "negative scale": ("[1, 2],\n            \"gravity\"", "[1, -2],\n            \"gravity\"", "chains[0].scale",
                       "is -2 for chain 1, expected 0 or more"),
    "gravity of two values": ("[0, -9.8, 0]", "[0, -9.8]", "chains[0].gravity", "has 2 values, expected 3"),
    "wind for three chains": ("[[1, 2], 0, 3]", "[[1, 2, 3], 0, 3]", "chains[0].wind[0]", "has 3 numbers, expected 2"),
    "colliders are no list": ('"colliders": [', '"colliders": 1, "notes": [', "chains[0].colliders", "expected an array"),
    "kind of collider": ('"kind": "sphere"', '"kind": "cube"', "chains[0].colliders[0].kind",
                         'is "cube", expected sphere, capsule, plane, inside_sphere or inside_capsule'),
    "no kind": ('"kind": "sphere", ', "", "chains[0].colliders[0].kind", "is missing, expected a string"),
    "end of a sphere": ('"kind": "capsule"', '"kind": "sphere"', "chains[0].colliders[1].end", "unknown key"),
    "capsule without an end": ('"kind": "sphere"', '"kind": "inside_capsule"', "chains[0].colliders[0].end",
                               "is missing, expected an array"),
    "radius of a plane": ('"normal": [0, 2, 0]', '"normal": [0, 2, 0], "radius": 1', "chains[0].colliders[2].radius",
                          "unknown key"),
    "no normal": (', "normal": [0, 2, 0]', "", "chains[0].colliders[2].normal", "is missing, expected an array"),
    "normal of length 0": ("[0, 2, 0]", "[0, [1, 0], 0]", "chains[0].colliders[2].normal",
                           "is 0 for chain 1, expected a direction"),
    "sphere without a radius": (', "radius": [0.1, -1]', "", "chains[0].colliders[0].radius",
                                "is missing, expected a number, an array of 2 numbers"),
    "sphere without a position": ('"position": [3, 0, 0], ', "", "chains[0].colliders[0].position", "is missing"),
    "attached is a number": ('"attached": true', '"attached": 1', "chains[0].colliders[0].attached", "true or false"),
    "one limit of rest": ('"rest_angle": 0.01, ', "", "chains[0].rest_speed", "is given without rest_angle"),
    "negative rest": ('"rest_angle": 0.01', '"rest_angle": -1', "chains[0].rest_angle", "expected 0 or more"),
    "skip_asleep of text": ('"skip_asleep": true', '"skip_asleep": "no"', "chains[0].skip_asleep", "true or false"),
    "orientation of length 0": ("[0, 0, 0, 2]", "[0, 0, 0, 0]", "chains[0].start.orientation", "is 0 for chain 0, expect"),
    "orientation and angles": ('"spin": [0, 3, 0]', '"euler_zxz_deg": [1, 2, 3]', "chains[0].start",
                               "expected either orientation or euler_zxz_deg"),
    "velocity is a number": ('"velocity": [1, 0, 0]', '"velocity": 1', "chains[0].start.velocity", "expected an array"),
    "nothing set": (', "velocity": [0, 0, 0]', "", "chains[0].set[0].velocity",
                    "is missing, and so are spin, gravity and wind, expected an array of 3 values"),
    "set outside": ('"first": 1', '"first": 2', "chains[0].set[0].first", "is 2, expected 0 to 1"),
    "set after the end": ('"at_s": 0.6', '"at_s": 2.5', "chains[0].set[0].at_s", "up to the duration of 2 s"),
    "count": ('"count": 1', '"count": 4611686018427387904', "chains[1].count", "more memory"),
    "name used twice": ('"name": "ears"', '"name": "tails"', "chains[1].name", "another batch"),
}

REFUSALS = {
    "springs": Refusals(SPRINGS, {"start.csv": START}, 6, BAD_SPRINGS, BAD_STARTS),
    "forms": Refusals(FORMS, {"styles.csv": STYLES}, 16, BAD_FORMS, BAD_STYLES),
    "chains": Refusals(CHAINS, {}, 7, BAD_CHAINS, {}),
    "bodies": Refusals(BODIES, {"seen.csv": SEEN, "start.csv": STATES}, 5, BAD_BODIES, BAD_BODIES_FILES),
}
