"""The claims of a rule book, with the verdicts that are kept, and what shows them.

Input: the properties of a rule set, what is kept about them, the pages of games.
Output: markup.
Guarantee: verdicts are those that are kept; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from golpae.pages.book.blocks import Part
from golpae.pages.book.claims import KeptVerdicts
from golpae.pages.book.exact import ExactText, with_
from golpae.pages.book.pictures import BookPictures
from golpae.pages.book.sources import Sources
from golpae.pages.document import escaped

UNDECIDED = "not yet decided"
ABOUT = (
    "What holds in every game. Verdicts are those that are kept beside the text; "
    "<code>golpae prove</code> checks them again."
)


class Claims:
    """The properties of a rule set named `named`, with the switches `active`."""

    def __init__(
        self,
        named: str,
        active: Sequence[str],
        kept: KeptVerdicts,
        games: Mapping[tuple[str, str, int], str],
        pictures: BookPictures,
        exact: ExactText,
        sources: Sources,
    ) -> None:
        self._named, self._active, self._kept, self._games = named, active, kept, games
        self._pictures, self._exact, self._sources = pictures, exact, sources

    def all(self, properties: Sequence[Part]) -> str:
        """Return the chapter of the properties; nothing if there are none."""
        added = [
            (part, switch)
            for switch, of in self._exact.added.items()
            for part in of
            if part.kind == "property"
        ]
        if not properties and not added:
            return ""
        cited = [part for part in properties if part.head.ids]
        others = [part for part in properties if not part.head.ids]
        claims = "".join(map(self._claim, cited or others))
        if cited and others:
            more = "".join(map(self._claim, others))
            claims += (
                f"<details><summary>{len(others)} more, which no source claims</summary>{more}</details>"
            )
        claims += "".join(self._claim(part, switch) for part, switch in added)
        return f'<p class="quiet">{ABOUT}</p>{self._no_games()}{claims}'

    def _claim(self, part: Part, switch: str | None = None) -> str:
        name = part.path.partition(" ")[2]
        about = self._exact.only(switch) if switch is not None else ""
        label = with_(switch) if switch is not None else ""
        found_as = self._exact.found_as(part.path, switch or "")
        exact = self._exact.folded(part, switch=switch or "")
        remarks = "".join(f'<p class="remark">{escaped(remark)}</p>' for remark in part.head.remarks)
        return (
            f'<article class="block of-property"{found_as}{about}>'
            f"<h3>{escaped(part.heading)}{label}</h3>"
            f"{remarks}{self._sources.gists(part.head.ids)}{self._verdict(name)}{exact}</article>"
        )

    def _verdict(self, name: str) -> str:
        """Return the verdict on a property, and links to the games that show it, of each rule set that has one."""
        kept = self._kept
        said = kept.verdicts.get(self._named, {}).get(name)
        said = said or kept.everywhere.verdict(name, self._active) or UNDECIDED
        games: dict[str, list[str]] = {}
        for (rules, which, players), link in sorted(self._games.items()):
            if which == name:
                words = f"a game with {players} players that shows it"
                games.setdefault(rules, []).append(f'<a href="{escaped(link)}">{words}</a>')
        links = "".join(
            f' <span class="shown" data-rules="{escaped(rules)}"{"" if rules == self._named else " hidden"}>'
            f"{', '.join(of_rules)}</span>"
            for rules, of_rules in games.items()
        )
        everywhere = kept.everywhere.words(name)
        if everywhere:
            links += f'<br><span class="quiet">of all combinations: {escaped(everywhere)}</span>'
        verdict = f'<p class="said"><span data-claim="{escaped(name)}">{escaped(said)}</span>{links}</p>'
        return verdict + "".join(self._values(name))

    def _values(self, name: str) -> Iterator[str]:
        """Yield the tiles that show a verdict, of each rule set that has some."""
        for (rules, which), values in sorted(self._kept.values.items()):
            shown = self._pictures.values(values) if which == name else ""
            if shown:
                hidden = "" if rules == self._named else " hidden"
                yield f'<div class="examples" data-rules="{escaped(rules)}"{hidden}>{shown}</div>'

    def _no_games(self) -> str:
        """Return the words for rule sets of which no game is kept; nothing if that is so of all."""
        if not self._games:
            return ""
        is_shown = any(rules == self._named for rules, _, _ in self._games)
        words = "No game is kept that shows a claim under the chosen rules."
        return f'<p class="quiet" id="no-games"{" hidden" if is_shown else ""}>{words}</p>'
