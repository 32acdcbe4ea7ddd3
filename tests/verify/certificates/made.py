"""A small game with a property of each kind, and its certificate, made once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import PROVED
from golpae.verify.certificates.folder import read_manifest
from golpae.verify.certificates.in_processes import write_certificate
from golpae.verify.certificates.recheck_table import Checked, TableJob, recheck_table
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.verify.shells import SHELLS

# Flips are counted for ever, and a rule reads how many there were, so that induction has to decide.
ENDLESS = SHELLS.replace(
    "state of the hand\n", "state of the match\n  flips: number = 0\n\nstate of the hand\n"
)
ENDLESS = ENDLESS.replace("then lit := not lit\n", "then lit := not lit\n  then flips := flips + 1\n")
ENDLESS = ENDLESS.replace('action flip by p "flip"\n', 'action flip by p "flip"\n  some: flips >= 0 "no"\n')
ENDLESS += """
action show(tile) by p "show"
  turn: p = thrower "no"
  pale-one: tile = pale "no"
  then lit := lit
"""
STATED = """
never crowded: size of sand > 4
always flipped after flip: lit /= earlier(lit)
always flips-stay after throw: flips = earlier(flips)
theorem two-kinds: every a in tiles: (number of b in tiles: b = a) = 2
claim some-alike: some h of 2 in tiles: every a in h: a = pale
reachable all-thrown: thrown = 4
ends in-time after throw: 4 - size of sand
"""
TABLE = "shells-2p"


def rules_in(folder: Path, text: str = ENDLESS + STATED) -> RuleSet:
    """Return the rules of the small game, written to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "shells.golpae"
    file.write_text(text, encoding="utf-8")
    return elaborate("shells", [file])


def certificate_in(folder: Path, rules: RuleSet) -> Path:
    """Write the certificate of the small game, and return its folder."""
    place = folder / "certificate"
    verifier = Verifier(instantiate(rules, 2, {}), Settings())
    proofs = [verifier.verify(p) for p in properties_of(rules)]
    assert {p.name: p.verdict for p in proofs} == dict.fromkeys((p.name for p in proofs), PROVED)
    written = write_certificate(place, proofs, {rules.rules: rules}, Settings(), 1, lambda done, total: None)
    assert not written.without
    return place


def checked(place: Path, rules: RuleSet) -> Checked:
    """Return what came of the one table of a certificate, in this process."""
    manifest = read_manifest(place)
    files = {f.path: f for f in manifest.files}
    return recheck_table(TableJob(place, manifest.tables[0], files, rules, manifest.seed, 1))


def edit(place: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest of a certificate."""
    file = place / "manifest.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    change(content)
    file.write_text(json.dumps(content), encoding="utf-8")


def forge(place: Path, path: str, change: Callable[[bytes], bytes]) -> None:
    """Change a file and its hash in the manifest."""
    content = change((place / path).read_bytes())
    (place / path).write_bytes(content)

    def entered(manifest: dict[str, Any]) -> None:
        (entry,) = (f for f in manifest["files"] if f["path"] == path)
        entry["sha256"], entry["bytes"] = hashlib.sha256(content).hexdigest(), len(content)

    edit(place, entered)
