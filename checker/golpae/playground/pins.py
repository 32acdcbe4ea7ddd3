"""What the page needs and golpae does not have: the Python of browsers, the editor, and wheels, each with its hash.

Output: `PINS`. An address is `npm:NAME@VERSION` or `pypi:NAME==VERSION/FILE`. A new version is a change of its address
and its hash, which `npm view NAME dist` and `pip hash FILE` print.
"""

from __future__ import annotations

from dataclasses import dataclass

NPM, PYPI = "npm:", "pypi:"  # whose clients download what follows
PYODIDE, EDITOR, WHEEL, SOLVER = "pyodide", "editor", "wheel", "solver"


@dataclass(frozen=True, slots=True)
class Pin:
    """A file to download. `digest` is its hash: the name of the function, `-`, and the hash in hexadecimal or base 64.

    Of an archive of npm, `files` are those that the page takes; `name` is what scripts import.
    """

    kind: str
    name: str
    url: str
    digest: str
    files: tuple[str, ...] = ()


def _npm(kind: str, name: str, version: str, digest: str, *files: str) -> Pin:
    return Pin(kind, name, f"{NPM}{name}@{version}", f"sha512-{digest}", files)


def _editor(name: str, version: str, digest: str, file: str = "dist/index.js") -> Pin:
    return _npm(EDITOR, name, version, digest, file)


PINS = (
    _npm(
        PYODIDE,
        "pyodide",
        "314.0.7",
        "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
        "pyodide-lock.json",
    ),
    _editor(
        "@codemirror/autocomplete",
        "6.20.4",
        "yF8RhOf2SXlg00+qtupzLhrglcas61boqaONiNcbPIebHCpJocpqTBA6dyrtUrQO47hqyTdeob/3XnYilT7TaQ==",
    ),
    _editor(
        "@codemirror/commands",
        "6.11.1",
        "O/4hG3SC1YwcmQ0d2UVNDs+AsaNWd1iHVxbTeEBuqH+6bExAiPK3iS/BvpY6rZGURALv4ZD3sIgcCmRvw3ehBg==",
    ),
    _editor(
        "@codemirror/language",
        "6.13.1",
        "zfvU2r3TyylQLMj/te+5CnQ0rSqZi8B1oTCBbQkagcLW4Xc6imab6qN+pEJhsuNOLaJqiRyBXp9UhWA1DhVvDw==",
    ),
    _editor(
        "@codemirror/lint",
        "6.9.8",
        "qNvtcE73xUto/D1RvtgSRI4A1Hg8ekxlvtZpjHpdpisLBnhyu82EUEJMEgaxkjuQCA8vqnrylENWKOsEDCOHcw==",
    ),
    _editor(
        "@codemirror/search",
        "6.7.2",
        "gUYkYhT2+n/+VGZ+8EzE5WFkYZUZYm1VOKDudIsNqh42uRVQJ0a6Yss9sdKT3MeOYfuL1N6AZA57oza0Oyr0LA==",
    ),
    _editor(
        "@codemirror/state",
        "6.7.6",
        "kAz+AncRtKuIknedxT1bq4XwXv4UowhbkHU1myPrtVb/jZtImWuV5BXzv5vK6i3kYACsdiZiQKFQQ5Mq7elW8w==",
    ),
    _editor(
        "@codemirror/streamparser",
        "6.0.0",
        "JTFPF6xrfjt0mnfGPgzcLiMwYmvIyNaoizp8BYzv8FE8KrT6GBGDZ190rtt+O7Wke3gG/MFHyiY9YGNeimof4w==",
    ),
    _editor(
        "@codemirror/view",
        "6.43.15",
        "HHsfpqFeHyXLs983pSRe38Xajs0vFWZQ2BuX0m7Ki8w3jZ5iD8cuR3lBz2/5/X53Dhf32SBHKh6rtSTB6tKeGw==",
    ),
    _editor(
        "@lezer/common",
        "1.5.5",
        "Pw7PVCndruF1pb3ebCxpSVpkMHSDjwRCLcTRw+RizUKco5QbWylwq2g4lnG/RYN7yTTQDXE9F77MwtkAyphrjg==",
    ),
    _editor(
        "@lezer/highlight",
        "1.2.5",
        "O1GMVKgtf5YspFaRzpmqkVgMtIk2HG9uMAbH6wdAIdNh3TVzCsch/+cRi+6l2//UGDKe6NB9BW3cvuR5ezMQ0w==",
    ),
    _editor(
        "@lezer/lr",
        "1.4.12",
        "On9HU4oMMiHPMkQDgoTnGahjgG5n/MkN38CgG77sMraKLL+3JBbeQNi1FcCXV9QRqwF9/BUXP3caHyJC1fBOTQ==",
    ),
    _editor(
        "@marijn/find-cluster-break",
        "1.0.4",
        "Wy0V7+SGUjnF9/TkiM1hKVDPj7jKXduPNboMVtHTA8dySMURWqfg/JZ9E2Sq8JgSJmkl7k7Qe9FLeMSrSraWmQ==",
        "src/index.js",
    ),
    _editor(
        "crelt",
        "1.0.7",
        "aK6BbWfhf4U/wCcLHKPJl/xa6VkVstRaPywWtMKGwuOLc/wZTyQYuoxgvZnNsBvv7Kg3YTBQYYBCggcviQczuA==",
        "index.js",
    ),
    _editor(
        "style-mod",
        "4.1.5",
        "WQ2llCZa9sZSkJA+aOwpg5DkfbAXFKGh//t3MRTBeruFiSBC+GXUmbBzrw3bXyboCWAbtCW9InDfBsXrRD/rAg==",
        "src/style-mod.js",
    ),
    _editor(
        "w3c-keyname",
        "2.2.8",
        "dpojBhNsCNN7T82Tm7k26A6G9ML3NkhDsnw9n/eoxSRlVBB4CEtIQ/KTCLI2Fwf3ataSXRhYFkQi3SlnFwPvPQ==",
        "index.js",
    ),
    Pin(
        WHEEL,
        "lark",
        f"{PYPI}lark==1.3.1/lark-1.3.1-py3-none-any.whl",
        "sha256-c629b661023a014c37da873b4ff58a817398d12635d3bbb2c5a03be7fe5d1e12",
    ),
    Pin(
        WHEEL,
        "msgspec",
        f"{PYPI}msgspec==0.23.0/msgspec-0.23.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "sha256-1836f50ad87e7c56600b648a1b75c3bbcce62835cb1f489435fc5fee8d068831",
    ),
    # The last version with a wheel for browsers. It counts its work otherwise than the one of pyproject.toml.
    Pin(
        SOLVER,
        "z3-solver",
        f"{PYPI}z3-solver==5.3.3.0/z3_solver-5.3.3.0-py3-none-pyemscripten_2026_0_wasm32.whl",
        "sha256-9381d9516345f53b21a8f4df243c5d608e9625aac658c3fb3975457bad260f60",
    ),
)
