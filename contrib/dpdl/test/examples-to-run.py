#!/ usr / bin / env python3
#Copyright(c) 2026 the dpdl authors
#SPDX - License - Identifier : GPL - 2.0 - or -later

#(name with arguments, do_run, do_valgrind_run)
cpp_examples =
    [
        ("dpdl-minimal", "True", "False"),
    ]

    python_examples = []
