"""Method, par sheets of every pay table and deck count, and the summary of a submission."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb

from houseway.odds.par_sheet import ParSheet, Row
from houseway.report.document import Block, Column, DataChart, DataTable, Heading, Listing, Paragraph, Run, Series, Text
from houseway.report.figures import ExactFigure, SquareRoot, count, decimal, money, one_in, percent
from houseway.report.parts import offered
from houseway.report.played_odds import COUNTED, DRAWN, IN_FLOATS, SOLVED, PlayedOdds
from houseway.report.second_method import second_method
from houseway.report.studied import Studied, Variant
from houseway.solve.results import SolvedResult, SolvedResults
from houseway.solve.solver import offered_sheet, solver_of

CONFIDENCE = {"90 %": Fraction(1645, 1000), "95 %": Fraction(1960, 1000), "99 %": Fraction(2576, 1000)}
"""How many standard deviations either side hold so much of a normal distribution."""
HOW = {
    COUNTED: "every deal counted, exact",
    SOLVED: "every deal counted for this player, exact",
    IN_FLOATS: "solved for the best player in 64-bit floats",
    DRAWN: "drawn with the seed 1, with its standard error",
}
MOST_BARS = 24


def method(studied: Studied) -> list[Block]:
    """How the figures were found, and how they were checked."""
    rows: list[list[Text]] = []
    for name, wager in studied.wagers.items():
        odds = studied.odds(name)
        deals: Text = count(f"method.{name}.deals", odds.sheet.total) if odds.sheet else ""
        rows.append([wager.name, HOW[odds.how], odds.player, deals, list(_total_checked(studied, odds))])
    columns = [Column("Wager"), Column("How", wide=True), Column("Player"), Column("Deals", "right"), Column("Checked against")]
    differ = sum(1 for finding in studied.findings if finding.status == "differs")
    said: list[Text] = [
        "A rule is one function: the one that pays at the table is the one that is counted, so that rules and mathematics "
        "cannot differ. What it pays is data beside it.",
        "Deals are whole numbers and odds are fractions of them; nothing is rounded but what is printed. The exact value of "
        "every figure is in the document that is attached.",
    ]
    if studied.findings:
        about: list[Run] = ["Of ", count("published.figures", len(studied.findings)), " figures that the documents print, "]
        said.append([*about, count("published.differ", differ), " cannot be reproduced under any reading (section 10)."])
    return [DataTable(columns, rows), Listing(said), *second_method(studied)]


def _total_checked(studied: Studied, odds: PlayedOdds) -> Iterator[Run]:
    """The number of deals as it must be: ways to choose the cards of a hand, and of two hands from what is left."""
    if odds.sheet is None or odds.how == DRAWN:
        return
    shoe = sum(studied.edition.game.shoe(odds.settings))
    cards, total = odds.wager.cards, odds.sheet.total
    half = cards // 2
    expected = {
        f"C({shoe}, {cards})": comb(shoe, cards),
        f"C({shoe}, {half}) × C({shoe - half}, {half})": comb(shoe, half) * comb(max(shoe - half, 0), half),
        f"{shoe} × {shoe - 1} × ... ({cards} cards)": _ordered(shoe, cards),
        f"C({shoe}, {cards - 1}) × {shoe - cards + 1}": comb(shoe, max(cards - 1, 0)) * (shoe - cards + 1),
    }
    words = next((words for words, deals in expected.items() if deals == total), "")
    if words:
        yield words
    else:
        yield "the sum of all outcomes"


def _ordered(shoe: int, cards: int) -> int:
    deals = 1
    for gone in range(cards):
        deals *= shoe - gone
    return deals


def all_sheets(studied: Studied) -> list[Block]:
    """A par sheet for every wager, pay table and number of decks."""
    blocks: list[Block] = [
        Paragraph(
            "Return is what an event adds to the player's expected win for each unit staked: what it pays times its "
            "probability. The total is the house edge with its sign turned.",
            "note",
        )
    ]
    for name, wager in studied.wagers.items():
        edges: list[Variant] = []
        for variant in studied.variants(name):
            odds = studied.odds(name, variant.settings, every_result=bool(studied.asked.options["best"]))
            if not odds.is_spread:
                edges.append(variant)
                continue
            id_ = f"odds.{name}.{variant.id}"
            player = f" · {odds.player}" if odds.player else ""
            blocks.append(Heading(f"{wager.name}{f', {variant.words}' if variant.words else ''}{player}"))
            blocks += _sheet(odds.sheet, id_) if odds.sheet else _results(odds.results, id_) if odds.results else []
            if variant.is_asked:
                blocks += _return_chart(odds.rows, id_)
        if edges:
            blocks += _edges_only(studied, name, edges)
    when_offered = solver_of(studied.edition).when_offered
    for name in (name for name in offered(studied.asked) if name in when_offered):
        for variant in studied.variants(name):
            where = f", {variant.words}" if variant.words else ""
            blocks.append(Heading(f"{studied.edition.name_of(name)}{where} · {when_offered[name].known}"))
            blocks += _sheet(offered_sheet(studied.edition, name, variant.settings), f"odds.{name}.{variant.id}")
    apart = {name: wager for name, wager in studied.edition.offered.items() if wager.count is None}
    follows = [wager.name for name, wager in apart.items() if name not in when_offered]
    if follows:
        blocks.append(
            Paragraph(f"{', '.join(follows)}: bet by a decision; the odds are part of those of the wager it rides on.", "note")
        )
    return blocks


def _edges_only(studied: Studied, name: str, variants: list[Variant]) -> list[Block]:
    """A wager of which the best play is solved, and not every result, which takes long: its edge."""
    rows: list[list[Text]] = []
    for variant in variants:
        odds = studied.odds(name, variant.settings)
        edge = percent(f"odds.{name}.{variant.id}.edge", odds.edge)
        rows.append([variant.words or "as set", edge, percent(f"odds.{name}.{variant.id}.rtp", 1 - odds.edge)])
    odds = studied.odds(name)
    said = f"House edge of the first bet for {odds.player}, {HOW[odds.how]}."
    if odds.is_spread:
        said += " Every result of these is found in a submission that is asked for what takes minutes (--best)."
    columns = [Column("", wide=True), Column("House edge", "right"), Column("Return", "right")]
    return [Heading(f"{odds.wager.name}: other shoes"), Paragraph(said), DataTable(columns, rows)]


def _results(solved: SolvedResults, id_: str) -> list[Block]:
    """Every result of the best player, in floats."""
    rows: list[list[Text]] = [
        [
            row.name,
            row.pays,
            decimal(f"{id_}.{row.outcome}.probability", row.probability, 10),
            decimal(f"{id_}.{row.outcome}.return", row.contribution, 6),
            one_in(f"{id_}.{row.outcome}.one_in", row.probability, 1),
        ]
        for row in solved.rows
    ]
    certain = sum((row.probability for row in solved.rows), Fraction(0))
    returned = decimal(f"{id_}.return", -solved.house_edge, 6)
    foot: list[Text] = ["Total", "", decimal(f"{id_}.certain", certain, 10), returned, ""]
    columns = [Column("Result of a round", wide=True), Column("Net", "right"), Column("Probability", "right")]
    columns += [Column("Return", "right"), Column("1 in", "right")]
    about: list[Run] = ["House edge ", percent(f"{id_}.edge", solved.house_edge), " of the first bet, return to the player "]
    about += [percent(f"{id_}.rtp", 1 - solved.house_edge), ". On average ", decimal(f"{id_}.staked", solved.staked, 6)]
    about += [" are staked for each unit of it, with all raises; of these the house keeps "]
    about += [percent(f"{id_}.risk", solved.element_of_risk), ". Solved in 64-bit floats: the sums hold to 14 digits."]
    return [DataTable(columns, rows, [foot]), Paragraph(about)]


def _sheet(sheet: ParSheet, id_: str) -> list[Block]:
    rows: list[list[Text]] = []
    for row in sheet.rows:
        own = f"{id_}.{row.outcome}"
        riding = [f"{sheet.edition.name_of(name)} {paid}" for name, paid in row.rides.items()]
        rows.append(
            [
                row.name,
                "; ".join([row.pays, *riding]),
                count(f"{own}.combinations", row.combinations),
                decimal(f"{own}.probability", row.probability, 8),
                decimal(f"{own}.return", row.contribution, 6),
                one_in(f"{own}.one_in", row.probability, 1) if row.probability else "never",
            ]
        )
    foot: list[Text] = [
        "Total",
        "",
        count(f"{id_}.total", sheet.total),
        decimal(f"{id_}.certain", sum((row.probability for row in sheet.rows), Fraction(0)), 8),
        decimal(f"{id_}.return", -sheet.house_edge_without_envy, 6),
        "",
    ]
    columns = [Column("Event", wide=True), Column("Pays", "right"), Column("Combinations", "right")]
    columns += [Column("Probability", "right"), Column("Return", "right"), Column("1 in", "right")]
    about: list[Run] = ["House edge ", edge_of(sheet, f"{id_}.edge"), ", return to the player "]
    about += [percent(f"{id_}.rtp", 1 - sheet.house_edge_without_envy), "."]
    if sheet.envy:
        about += [" Envy adds, for each other player, ", decimal(f"{id_}.envy", sheet.envy.cents_per_other, 4)]
        about += [" cents a round, on a bet of at least ", money(f"{id_}.envy_min", sheet.envy.min_bet_cents), "."]
    return [DataTable(columns, rows, [foot]), Paragraph(about)]


def edge_of(sheet: ParSheet, id_: str) -> ExactFigure:
    """The house edge from the pay table alone, with its error where it was drawn."""
    return percent(id_, sheet.house_edge_without_envy, 4, sheet.standard_error)


def _return_chart(rows: Sequence[Row] | Sequence[SolvedResult], id_: str) -> list[Block]:
    """Where the return comes from: what is won, without the loss that would dwarf it."""
    won = [row for row in rows if row.net > 0 and row.probability]
    if not 3 <= len(won) <= MOST_BARS:
        return []
    figures = [decimal(f"{id_}.{row.outcome}.return", row.contribution, 6) for row in won]
    most = max(won, key=lambda row: row.contribution)
    says = f"Bars of what each winning event returns for a unit staked; {most.name} returns most"
    return [
        DataChart("Return by winning event", says, [row.name for row in won], [Series("return", figures)], unit="of a unit")
    ]


def summary(studied: Studied) -> list[Block]:
    """What a wager is like, in figures of one unit staked."""
    known = {name: studied.odds(name) for name in studied.wagers}
    measures: list[tuple[str, Callable[[str, PlayedOdds], Text]]] = [
        ("House edge", lambda n, o: percent(f"summary.{n}.edge", o.edge, 4, o.standard_error)),
        ("Return to the player, of the first bet (RTP)", lambda n, o: percent(f"summary.{n}.rtp", 1 - o.edge)),
        ("Hit frequency (wins)", lambda n, o: _rate(f"summary.{n}.hit", o, lambda net: net > 0)),
        ("Push rate", lambda n, o: _rate(f"summary.{n}.push", o, lambda net: net == 0)),
        ("Standard deviation", lambda n, o: decimal(f"summary.{n}.sd", o.deviation, 5) if o.deviation is not None else "–"),
        ("Variance", _variance),
        ("Skewness", lambda n, o: decimal(f"summary.{n}.skewness", o.standard_moment(3), 4) if o.is_spread else "–"),
        ("Excess kurtosis", lambda n, o: decimal(f"summary.{n}.kurtosis", o.standard_moment(4) - 3, 2) if o.is_spread else "–"),
        ("N0: bets until edge equals luck", _n0),
    ]
    if any(_risk(studied, odds) is not None for odds in known.values()):
        measures.append(("Element of risk (loss over all that is staked)", lambda n, o: _risk_figure(studied, n, o)))
    for share, z in CONFIDENCE.items():
        name = f"Volatility index, {share} (z = {float(z):.3f})"
        measures.append((name, lambda n, o, share=share, z=z: _index(f"summary.{n}.index.{share[:2]}", o, z)))  # type: ignore[misc]
    rows = [[label, *(measure(name, odds) for name, odds in known.items())] for label, measure in measures]
    columns = [Column("For a unit staked", wide=True), *(Column(odds.wager.name, "right") for odds in known.values())]
    players = [f"{odds.wager.name}: {odds.player}" for odds in known.values() if odds.player]
    has_envy = any(odds.sheet is not None and odds.sheet.envy for odds in known.values())
    return [
        DataTable(columns, rows),
        *([Paragraph(f"Players: {'; '.join(players)}.", "note")] if players else []),
        Paragraph(
            "The volatility index is z times the standard deviation. Divided by the square root of N it bounds the mean "
            "result of N bets, by the central limit theorem: return ± index / √N. It says nothing of single bets, and where "
            "prizes are rare it is rough until they have come many times over."
            + (" Envy prizes are left out here: see section 6." if has_envy else ""),
            "note",
        ),
    ]


def _variance(name: str, odds: PlayedOdds) -> Text:
    if isinstance(odds.deviation, SquareRoot):
        return decimal(f"summary.{name}.variance", odds.deviation.square, 5)
    return "–" if odds.deviation is None else decimal(f"summary.{name}.variance", odds.deviation**2, 5)


def _rate(id_: str, odds: PlayedOdds, counts: Callable[[Fraction], bool]) -> Text:
    return percent(id_, odds.chance_of(counts)) if odds.is_spread else "–"


def _risk(studied: Studied, odds: PlayedOdds) -> Fraction | float | None:
    """The expected loss over all that is staked, where more may be staked than the first bet, and it is solved."""
    if odds.results:
        return odds.results.element_of_risk
    return studied.solved_number("element_of_risk") if odds.wager.rides else None


def _risk_figure(studied: Studied, name: str, odds: PlayedOdds) -> Text:
    risk = _risk(studied, odds)
    return "–" if risk is None else percent(f"summary.{name}.risk", risk)


def _n0(name: str, odds: PlayedOdds) -> Text:
    """After so many bets the expected loss equals one standard deviation."""
    if odds.deviation is None or not odds.edge:
        return "–"
    square = odds.deviation.square if isinstance(odds.deviation, SquareRoot) else odds.deviation**2
    return decimal(f"summary.{name}.n0", square / odds.edge**2, 0)


def _index(id_: str, odds: PlayedOdds, z: Fraction) -> Text:
    if odds.deviation is None:
        return "–"
    if isinstance(odds.deviation, SquareRoot):
        return decimal(id_, SquareRoot(z**2 * odds.deviation.square), 5)
    return decimal(id_, float(z) * odds.deviation, 5)
