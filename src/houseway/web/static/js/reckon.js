// Exact arithmetic on par sheets: fractions of BigInts, pays, and what a pay table makes of counted outcomes.

/** A fraction of BigInts from "a/b". */
export function fraction(text) {
  const [over, under = "1"] = text.split("/");
  return { over: BigInt(over), under: BigInt(under) };
}

const plus = (a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });
const times = (a, b) => ({ over: a.over * b.over, under: a.under * b.under });
const minus = (a) => ({ over: -a.over, under: a.under });
const size = (n) => (n < 0n ? -n : n);

/** A fraction as a float, right to 18 decimals. */
export const float = ({ over, under }) => Number((over * 10n ** 18n) / under) / 1e18;

/** A fraction with so many decimals, half rounded up, never through a float. */
export function decimals({ over, under }, places) {
  const scale = 10n ** BigInt(places);
  const rounded = (2n * size(over) * scale + under) / (2n * under);
  const digits = rounded.toString().padStart(places + 1, "0");
  const sign = over < 0n && rounded > 0n ? "−" : "";
  return `${sign}${digits.slice(0, digits.length - places)}${places ? `.${digits.slice(digits.length - places)}` : ""}`;
}

/** A fraction as a percentage. */
export const percent = (value, places = 6) => `${decimals({ over: value.over * 100n, under: value.under }, places)} %`;

const NAMED = { lose: [-1n, 1n], "lose half": [-1n, 2n], push: [0n, 1n] };

/** Read a pay: "40 to 1", "3:2", "40", "push", "lose" or "lose half"; null if it is none. */
export function parsePay(text) {
  const said = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (said in NAMED) return { text: said, net: { over: NAMED[said][0], under: NAMED[said][1] } };
  const found = /^(\d{1,6})(?: ?(?:to|:) ?(\d{1,3}))?$/.exec(said);
  if (!found || Number(found[1]) === 0 || Number(found[2] ?? 1) === 0) return null;
  const [over, under] = lowest(BigInt(found[1]), BigInt(found[2] ?? 1));
  return { text: `${over} to ${under}`, net: { over, under } };
}

function lowest(over, under) {
  let [a, b] = [over, under];
  while (b) [a, b] = [b, a % b];
  return [over / a, under / a];
}

/** The next pay up or down: lose, push, 1 to 1, 2 to 1, ... */
export function stepPay(pay, up) {
  const { over, under } = pay.net;
  if (over <= 0n) return parsePay(up ? (over < 0n ? "push" : "1 to 1") : "lose");
  const next = over + (up ? 1n : -1n);
  return parsePay(next === 0n ? "push" : `${next} to ${under}`) ?? pay;
}

/** What these pays make of the counted outcomes: exact, but for the standard deviation's root. */
export function reckon(sheet, pays) {
  const total = BigInt(sheet.total);
  let [mean, square] = [fraction("0/1"), fraction("0/1")];
  let [hits, pushes] = [0n, 0n];
  const rows = sheet.outcomes.map((outcome) => {
    const pay = pays[outcome.outcome] ?? parsePay(outcome.pays);
    const net = outcome.rides.reduce((sum, ride) => plus(sum, fraction(ride.net)), pay.net);
    const count = BigInt(outcome.combinations);
    const share = times(net, { over: count, under: total });
    mean = plus(mean, { over: net.over * count, under: net.under });
    square = plus(square, times(times(net, net), { over: count, under: 1n }));
    if (net.over > 0n) hits += count;
    if (net.over === 0n) pushes += count;
    return { outcome: outcome.outcome, name: outcome.name, pay, net, chance: { over: count, under: total }, share };
  });
  const won = { over: mean.over, under: mean.under * total };
  const variance = plus({ over: square.over, under: square.under * total }, minus(times(won, won)));
  const deviation = Math.sqrt(float(variance));
  const worth = sheet.envy ? fraction(sheet.envy.worth.exact) : fraction("0/1");
  return {
    rows,
    edge: minus(plus(won, worth)),
    hit: { over: hits, under: total },
    push: { over: pushes, under: total },
    deviation,
    error: sheet.exact ? null : deviation / Math.sqrt(Number(total)),
    stakeOnly: sheet.outcomes.every((outcome) => outcome.rides.length === 0),
  };
}
