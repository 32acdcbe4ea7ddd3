"""`golpae completion`: the script with which a shell completes verbs and options.

Input: the name of a shell. Output: a script for it, made from the options of every verb.
Guarantee: nothing is installed or changed; the script completes names of files by itself.
"""

from __future__ import annotations

import argparse
import shlex
import sys

from golpae import exit_codes
from golpae.cli.verbs import VERBS

SHELLS = ("bash", "zsh")
SCRIPT = """\
# Completion of golpae in {shell}. Made by `golpae completion {shell}`.{begin}
_golpae() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" verb="${{COMP_WORDS[1]}}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={verbs}
    else
        case "$verb" in
{cases}
        esac
    fi
    case "$word" in
        -*) ;;
        *) [ "$COMP_CWORD" -eq 1 ] || [ "$verb" = help ] || [ "$verb" = completion ] || words="" ;;
    esac
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _golpae golpae
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="the shell: `bash` or `zsh`")
    parser.epilog = (
        f'{parser.epilog}\n\nbash: add `eval "$(golpae completion bash)"` to ~/.bashrc\n'
        'zsh:  add `eval "$(golpae completion zsh)"` to ~/.zshrc, below `compinit`'
    )


def run(args: argparse.Namespace) -> int:
    begin = "\nautoload -U +X bashcompinit && bashcompinit" if args.shell == "zsh" else ""
    verbs = shlex.quote(" ".join(sorted(VERBS)))
    cases = "\n".join(
        f"            {verb}) words={shlex.quote(' '.join(_words(verb)))} ;;" for verb in sorted(VERBS)
    )
    sys.stdout.write(SCRIPT.format(shell=args.shell, begin=begin, verbs=verbs, cases=cases))
    return exit_codes.HOLDS


def _words(verb: str) -> list[str]:
    """Return the words that can follow a verb: its options, or other words."""
    from golpae.cli.main import parser_of

    if verb == "help":
        from golpae.diagnostics import CODES

        return [*sorted(VERBS), *CODES]
    options = [option for action in parser_of(verb)._actions for option in action.option_strings]
    return [
        *(SHELLS if verb == "completion" else ()),
        *sorted(option for option in options if option.startswith("--")),
    ]
