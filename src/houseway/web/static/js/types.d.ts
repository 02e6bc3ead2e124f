// What the house tells the pages, as the views of houseway/view make it. Only for the checker: no page loads this file.

export type Child = Node | string | null | undefined | false | Child[];
export type Properties = Record<string, any>;
export type Refusal = Error & { code: string };
export type Cents = number;

/** A card as text, "As" or "10h" or "Jk"; null lies face down. */
export type CardCode = string | null;

/** The number and the hash of the newest entry, signed by the house. */
export interface SignedHead {
  seq: number;
  hash: string;
  at: string;
  public_key: string;
  signature: string;
}

export type Phase = "betting" | "dealing" | "deciding" | "ready" | "frozen";
export type Tone = "plain" | "blue" | "red" | "green" | "amber" | "silver" | "gold";

// The face: what a game looks like, as its folder says it

export interface FaceSpot {
  wager: string;
  name: string;
  mark: string;
  tone: Tone;
  main: boolean;
  shape: "box" | "circle";
  /** It shows only while it is offered or bet. */
  rare: boolean;
}

/** A box for cards of the house: the dealer's, or one of the hands that all bet on. */
export interface FaceHand {
  owner: string;
  name: string;
  mark: string;
  tone: Tone;
  /** Cards from this place on lie sideways. */
  turned_from: number | null;
}

/** A part of a hand that is set. */
export interface FacePart {
  id: string;
  name: string;
  cards: number;
}

export interface FaceChoice {
  words: string;
  /** The same at the dealer's. */
  short: string;
  key: string;
  quiet: boolean;
  /** How many cards are picked with it, 0 for none. */
  picks: number;
  /** What the seat says once it has chosen. */
  note: string;
}

export interface FaceWinner {
  /** Its letter on the roads. */
  key: string;
  name: string;
  says: string;
  short: string;
  shortcut: string;
  tone: Tone;
  /** What a table keys for it. */
  result: string;
  count: string;
  /** Whether it is a side whose runs make the roads, or a tie. */
  side: boolean;
}

/** What can be said of a hand besides its winner. */
export interface FaceFlag {
  key: string;
  name: string;
  says: string;
  note: string;
  shortcut: string;
  /** The winner that it belongs to, or "" for any. */
  winner: string;
  excludes: string[];
  result: string;
  suffix: string;
  count: string;
  /** Where it stands on a bead. */
  place: "middle" | "top-right" | "top-left" | "bottom-right";
}

/** How a round's result is keyed; `pad` are the flags that have keys, in their order. */
export interface FaceResults {
  winners: FaceWinner[];
  flags: FaceFlag[];
  pad: string[];
}

export interface RoadsFace {
  kind: "roads";
  sides: string[];
  tie: string;
  counts: { key: string; name: string; hand: string }[];
}

export interface HistoryFace {
  kind: "history";
  /** The wager whose ends each round shows. */
  main: string;
  headline: string;
  marks: { id: string; name: string; short: string; says: string }[];
  /** How many places a deal may begin at, 0 if that is not shown. */
  starts: number;
  start_names: string[];
  /** What a keypad of such a scoreboard has, or null if none can feed it. */
  keypad: FaceKeypad | null;
}

/** The keys of a scoreboard of rounds: the dealer's hands, the bonuses that can be hit, and the seats. */
export interface FaceKeypad {
  hands: { key: string; name: string; marks: string[]; shortcut: string }[];
  hits: { wager: string; name: string; outcomes: { id: string; name: string }[] }[];
  seats: number;
}

export interface FaceWords {
  before_look: string;
  asks_before_look: string;
  deciding: string;
  pick: string;
  pick_for_guest: string;
  set_for_guest: string;
  advised: string;
  foul_short: string;
  foul_says: string;
  /** Whether a hand that fouls cannot be set at all. */
  foul_refused: boolean;
}

export interface Face {
  title: string;
  cloth: "green" | "blue";
  /** Colours of the cards' backs, which take turns from round to round. */
  backs: string[];
  seat_word: string;
  lines: string[];
  /** A line printed in a ribbon on the arc, or "". */
  ribbon: string;
  /** Rows of areas, each a wager's id or ".". */
  grid: string[];
  spots: FaceSpot[];
  hands: FaceHand[];
  /** Whether all bet on the same hands. */
  common: boolean;
  /** The parts a hand is set in, the one whose cards are picked first; none if it is not set. */
  parts: FacePart[];
  hand_cards: number;
  /** Where a seat's hand says what it counts. */
  worth: "each" | "own" | "";
  choices: Record<string, FaceChoice>;
  words: FaceWords;
  results: FaceResults | null;
  board: RoadsFace | HistoryFace;
  joker: boolean;
  has_shoe: boolean;
  /** What is asked before the cards; a marker is keyed while bets are open, a number thrown with their close. */
  dice: { sides: number; words: string; is_marker?: boolean } | null;
}

// A table

/** Whether an edition is the approved one, on the program as released. */
export interface Standing {
  approval: string;
  status: string;
  /** The same in a sentence. */
  badge: string;
  /** The same without what differs. */
  short: string;
  differences: string[];
  /** Which files of the program are not as released. */
  system_changes: string[];
  /** Why the release itself cannot be verified, or "". */
  system_problem: string;
  digest: string;
  /** What is assumed of a table that an older release opened, or "". */
  assumption?: string;
}

export interface EditionView extends Standing {
  id: string;
  name: string;
  game: string;
  banked_by: "house" | "player";
}

export interface WagerView {
  id: string;
  name: string;
  clause: string;
  min_cents: Cents;
  max_cents: Cents;
  needs: string;
  follows: string;
  late: boolean;
  pays: { outcome: string; name: string; pays: string }[];
  refused: string;
}

export interface HandView {
  owner: string;
  cards: CardCode[];
  worth: string;
  part: string;
  active: boolean;
  wins: boolean | null;
}

export interface ChoiceNow {
  id: string;
  words: string;
  key: string;
  quiet: boolean;
  more_cents: Cents;
}

export interface SeatView {
  seat: number;
  guest: string;
  is_you: boolean;
  bets: Record<string, Cents>;
  chips: Record<string, Cents>;
  /** Bets that the guest made for the dealers, beside his own. */
  for_dealer: Record<string, Cents>;
  held_cents: Cents;
  choices: string[];
  choices_now: ChoiceNow[];
  /** The late wagers that may be bet now, with the most that may be bet on each. */
  late: Record<string, Cents>;
  ready: boolean;
  hands: HandView[];
  to_act: string[];
  asked: string;
}

export interface Step {
  kind: string;
  text: string;
  clause: string;
  /** Whose hand it is about, or "". */
  owner: string;
  /** The cards that it tells of. */
  cards: string[];
}

/** A payment that was made, or what voided the round. */
export interface Payment {
  event: "paid" | "voided";
  seat: number;
  guest: string;
  wager: string;
  spot: string;
  outcome: string;
  clause: string;
  stake_cents: Cents;
  owed_cents: Cents;
  win_cents: Cents;
  text: string;
  reason: string;
}

/** A payment that is to be made. */
export interface PaymentDue {
  seat: number;
  guest: string;
  wager: string;
  spot: string;
  stake_cents: Cents;
  win_cents: Cents;
  chips: string;
}

export interface LastRound {
  round: number;
  seq: number;
  how: "settled" | "voided";
  headline: string;
  result: string;
  seats: SeatView[];
  dealer: HandView[];
  steps: Record<string, Step[]>;
  payments: Payment[];
  /** What was corrected since, in words. */
  corrected: string[];
}

/** A settled round as it stands: all that can be corrected of it. */
export interface SettledRound {
  round: number;
  day: string;
  is_void: boolean;
  cards: string[];
  result: string;
  dice: number;
  seats: SettledSeat[];
  /** What was corrected already, in words. */
  corrected: string[];
}

export interface SettledSeat {
  seat: number;
  guest: string;
  bets: Record<string, Cents>;
  for_dealer: Record<string, Cents>;
  choices: string[];
}

export interface BankView {
  offered: number;
  holder: number;
  guest: string;
  hands_left: number;
  cents: Cents;
  player_fee_cents: Cents;
  bank_fee_cents: Cents;
  /** Whether it has lost all that it put up, and may put up again. */
  used_up: boolean;
  /** The seat that the marker was drawn to, 0 until it is; null where none is drawn. */
  marker: number | null;
  /** How a short bank covers, in sentences. */
  covers: string[];
}

export interface ShoeView {
  id: string;
  commitment: string;
  size: number;
  used: number;
  cut: number;
}

export interface NextCard {
  whose: string;
  words: string;
  /** How many cards may be keyed at once. */
  most: number;
}

export interface EarlyPayment {
  seat: number;
  guest: string;
  wager: string;
  spot: string;
  outcome: string;
  clause: string;
  stake_cents: Cents;
  owed_cents: Cents;
  win_cents: Cents;
}

export interface TableView {
  seq: number;
  /** Who is on the table, for the staff; `is_needed`: nobody else deals. */
  on_table: OnTable | null;
  name: string;
  edition: EditionView;
  face: Face;
  source: string;
  is_open: boolean;
  settings: Record<string, any>;
  wagers: WagerView[];
  aggregates: Record<string, Cents>;
  with_bet: Record<string, string[]>;
  clock: { seconds: number; until: string } | null;
  shoe: ShoeView | null;
  /** What guests' screens add to the shoe; null where they add nothing. */
  mixing: { is_open: boolean; added: string[]; lacking: string[]; until: string } | null;
  /** Shoes that the house was bound to and can never show. */
  lost_shoes: { number: number; commitment: string; is_declared: boolean; text: string }[];
  /** Where the cut card sits; null where every round has its own shuffle. */
  cut: { percent: number; cards: number; is_out: boolean } | null;
  bank: BankView | null;
  last: LastRound | null;
  /** What was put right at this table last. */
  news: { seq: number; words: string[] } | null;
  /** The fault of a shuffler after which a supervisor must check the cards, or "". */
  check_cards: string;
  takes_dealer_bets: boolean;
  you: { guest: string; seats: number[]; balance_cents: Cents; owes_cents: Cents } | null;
  round: number;
  phase: Phase;
  dice: number;
  /** The seat whose turn it is to draw the cards, 0 where the dealer draws. */
  drawer: number;
  /** Whether a payout of the first cards waits for a supervisor. */
  to_verify: boolean;
  result: string;
  seats: SeatView[];
  dealer: HandView[];
  card_for: string;
  next_card: NextCard | null;
  cards_out: number;
  to_act: number[];
  /** Wagers that are settled while the round goes on. */
  early_paid: EarlyPayment[];
  before_look: boolean;
  steps: Record<string, Step[]>;
  drawn: string[];
  gone: string[];
  due: PaymentDue[];
}

/** What a hand comes to, set in a way. */
export interface Advice {
  hands: HandView[];
  foul: boolean;
  why: string;
}

// Scoreboards

export interface RoadCell {
  column: number;
  row: number;
  hand: string;
  ties: number;
}

export interface DerivedCell {
  column: number;
  row: number;
  colour: string;
}

interface AnyBoard {
  seq: number;
  name: string;
  keyed: boolean;
  edition: EditionView;
  face: Face;
  shoe_number: number;
  phase: Phase | undefined;
  round: number;
  limits: { wager: string; min_cents: Cents; max_cents: Cents }[];
}

export interface RoadsView extends AnyBoard {
  kind: "roads";
  hands: string[];
  counts: Record<string, number>;
  bead_plate: RoadCell[];
  big_road: RoadCell[];
  derived: DerivedCell[][];
  next_hand: Record<string, (string | null)[]> | null;
}

/** How a wager of a round ended. */
export interface End {
  wager: string;
  end: "win" | "lose" | "push";
}

export interface FinishedRound {
  round: number;
  headline: string;
  marks: string[];
  start: number;
  hits: { outcome: string; seat: number }[];
}

export interface HistoryView extends AnyBoard {
  kind: "history";
  rounds: number;
  last: (FinishedRound & { ends: End[] })[];
  starts: number[];
  dice: number;
  marks: Record<string, number>;
  ends: Record<string, { win: number; lose: number; push: number }>;
  hits: Record<string, Record<string, number>>;
  /** The rounds as they were keyed, at a keyed scoreboard. */
  hands?: string[];
}

export type BoardView = RoadsView | HistoryView;

// The lobby and the floor

export interface LobbyTable {
  name: string;
  edition: EditionView;
  /** How its results are keyed, or null where every seat has a hand of its own. */
  results: FaceResults | null;
  /** Why the table's edition cannot be read, or "". */
  unreadable?: string;
  source: string;
  limits: string;
  seats: number;
  seats_free: number;
  round: number;
  phase: Phase;
  shoe: ShoeView | null;
  last: FinishedRound[];
}

export interface Theory {
  expected_cents: Cents;
  band_cents: Cents;
  handle_cents: Cents;
  bets: number;
  left_out: string[];
}

export interface FloorTable {
  name: string;
  edition: EditionView;
  unreadable?: string;
  source: string;
  /** Who is signed on, or "". */
  dealer: string;
  is_open: boolean;
  round: number;
  phase: Phase;
  seats: number;
  seats_taken: number;
  watch: string;
  watch_cents: Cents;
  waits: string[];
  check_cards: string;
  opener_cents: Cents;
  fills_cents: Cents;
  credits_cents: Cents;
  /** Null for whoever may be asked to count it. */
  drop_cents: Cents | null;
  tray_cents: Cents | null;
  win_cents: Cents | null;
  tips_cents: Cents;
  collection_cents: Cents;
  on_felt_cents: Cents;
  theory: Theory | null;
}

export interface FloorEvent {
  seq: number;
  at: string;
  table: string;
  actor: string;
  /** The operating system's user, if it came from the shell of the house's machine. */
  shell: string;
  event: string;
  /** Whether it is a payout, a void, a correction, a dispute or a debt. */
  of_money: boolean;
  title: string;
  /** "bad" asks for eyes, "good" is done, "" is for the record. */
  tone: "bad" | "good" | "";
  text: string;
  details: Record<string, any>;
}

export interface FloorView {
  /** Whether chips are pieces here, and move by slips. */
  by_slips: boolean;
  you: { name: string; role: string };
  /** Every command of the house: what it does, and who may give it. */
  commands: Record<string, { about: string; roles: string[] }>;
  tables: FloorTable[];
  boards: string[];
  /** How the backups stand that the house makes by itself; null if it makes none. */
  backups: { late: boolean; words: string } | null;
  guests: { name: string; cents: Cents; owes_cents: Cents }[];
  cage_cents: Cents;
  events: FloorEvent[];
  void_reasons: string[];
  /** What somebody should look at now, the urgent first. */
  alerts: FloorAlert[];
  /** What waits for a second person, oldest first. */
  requests: FloorRequest[];
}

/** Something to look at; `entry` is 0 if it is of no entry of the journal. */
export interface FloorAlert {
  alert: string;
  severity: "act" | "look";
  words: string;
  table: string;
  entry: number;
  at: string;
}

/** Something that one person asked for and another is to confirm; `why_not` says why whoever looks may not. */
export interface FloorRequest {
  request: number;
  act: string;
  words: string;
  table: string;
  cents: Cents;
  asked_by: string;
  role: string;
  until: string;
  seconds_left: number;
  confirmed_by: string;
  may_confirm: boolean;
  may_decline: boolean;
  why_not: string;
}

// Accounts

export interface SessionListed {
  id: string;
  name: string;
  role: string;
  began: number;
  seen: number;
  locked: boolean;
  source: string;
  browser: string;
  is_this: boolean;
}

export interface Account {
  name: string;
  role: string;
  needs: "" | "password" | "second-factor";
  has_password: boolean;
  second_factor: boolean;
  recovery_codes_left: number;
  second_factor_rule: "optional" | "demanded";
  sessions: SessionListed[];
}

// A round, told again

export interface EntryView {
  seq: number;
  at: string;
  kind: string;
  actor: string;
  role: string;
  happened: Record<string, any>[];
  words: string[];
  cards: string[];
  /** What the hash is of; nothing where it holds the name of somebody of the staff, and a guest looks. */
  hashed: unknown[] | null;
  previous: string;
  hash: string;
}

/** The shoe of a round; what follows `revealed` is known once its order is published. */
export interface RoundShoe {
  id: string;
  commitment: string;
  revealed: boolean;
  committed_at: number;
  size: number;
  burned: number;
  revealed_at: number;
  holds: boolean;
  salt: string;
  order: string[];
  first: number;
  /** What guests' screens added to it; null where they add nothing. */
  seeds: string[] | null;
}

export interface RoundView extends LastRound {
  table: string;
  edition: EditionView;
  face: Face;
  at: string;
  day: string;
  hash: string;
  entries: EntryView[];
  verified: boolean;
  shoe: RoundShoe | null;
  hands_face_up: boolean;
  names: Record<string, { name: string; outcomes: Record<string, string> }>;
  neighbours: { before: number | null; after: number | null };
  /** What was corrected of it afterwards. */
  corrections: EntryView[];
}

/** The odds of a wager at a moment of a round, or why there are none. */
export interface KnownOddsView {
  why_not?: string;
  exact?: boolean;
  sampled?: boolean;
  player?: string;
  deals?: string;
  expected?: number;
  expected_exact?: string | null;
  expected_error?: number;
  endings?: {
    id: string;
    name: string;
    net: string;
    chance: number;
    chance_exact: string | null;
    chance_error: number;
  }[];
}

export interface CourseWager {
  wager: string;
  name: string;
  stake_cents: Cents;
  odds: KnownOddsView[];
}

/** The odds of a settled round as it went, from one seat. */
export interface CourseView {
  seq: number;
  seat: number;
  seats: number[];
  guest: string;
  assumed: string;
  moments: { what: { label: string; cards: string[] }[] }[];
  wagers: CourseWager[];
}

// The odds lab

export interface Fraction {
  over: bigint;
  under: bigint;
}

/** A pay as it is written, and what it wins for one unit staked. */
export interface Pay {
  text: string;
  net: Fraction;
}

export interface Figure {
  value: number;
  exact: string;
}

export interface LabSetting {
  name: string;
  kind: "setting" | "reading" | "pay-table";
  about: string;
  clause: string;
  values: any[];
  approved: any[];
  meanings: Record<string, string>;
  pay_tables: string[];
  wagers: string[];
  when: Record<string, string>;
  /** Card sources whose tables open with another value than the first. */
  defaults: Record<string, any>;
}

export interface LabWager {
  id: string;
  name: string;
  part_of: string;
  needs: string;
  follows: string;
  exact: boolean;
  strategy: string;
  /** Players for whom a solver has the odds, and "sampled". */
  players: string[];
  /** Whose odds are told where no player is named, once they are solved; "": the strategy's. */
  shown_for: string;
  envy: boolean;
  pay_tables: { id: string }[];
  outcomes: { id: string; name: string }[];
}

export interface LabEdition extends Standing {
  id: string;
  name: string;
  game: string;
  maker: string;
  banked_by: string;
  sources: string[];
  /** How many seats a table of it usually has. */
  seats: number;
  /** How many seats a table may have, if not any number up to that. */
  table_seats: number[];
  /** Whether its rounds can be keyed by their results alone. */
  keys_results: boolean;
  /** Whether a scoreboard of it can be fed by a keypad alone. */
  keys_board: boolean;
  /** Whether several rounds are dealt from one shoe, with a cut card. */
  has_shoe: boolean;
  settings: LabSetting[];
  wagers: LabWager[];
}

export interface SheetRow {
  outcome: string;
  name: string;
  pays: string;
  approved_pays: string;
  /** Whether no other pay can be tried. */
  is_fixed: boolean;
  net: string;
  /** "" where the chance is solved in floats, and no deals were counted. */
  combinations: string;
  probability: Figure;
  one_in: number | null;
  rides: { wager: string; pays: string; net: string }[];
}

export interface Sheet {
  wager: string;
  name: string;
  exact: boolean;
  method: "enumerated" | "simulated" | "solved";
  /** "" where no deals were counted. */
  total: string;
  strategy: string;
  /** How the player decides, where a solver counted for him, or "". */
  player: string;
  /** Where this is sampled: for whom it can be counted exactly, or "". */
  solvable: string;
  /** Where this is sampled: the edge that a solver knows. */
  solved_edge: { player: string; exact: string; value: number } | null;
  what_if: string[];
  outcomes: SheetRow[];
  house_edge: Figure;
  /** On average, for each unit of the first bet, where that is solved. */
  staked: number | null;
  envy: {
    players: number;
    bet_cents: Cents;
    min_bet_cents: Cents;
    worth: Figure;
    house_edge_by_players: Figure[];
  } | null;
}

/** What pays make of a sheet. */
export interface Reckoning {
  rows: { outcome: string; name: string; pay: Pay; net: Fraction; chance: Fraction; share: Fraction }[];
  edge: Fraction;
  hit: Fraction;
  push: Fraction;
  deviation: number;
  error: number | null;
  stakeOnly: boolean;
}

/** How far a run of the lab is. */
export interface RunProgress {
  done: number;
  total: number;
  rate: number | null;
  left_seconds: number | null;
}

/** What a run comes to so far: the data of the shell, files by their ending, and the command that gives just this. */
export interface RunAnswer {
  whole: boolean;
  command: string;
  what_if: string[];
  data: any;
  files: Record<string, string>;
}

export interface DecksPoint {
  decks: number;
  approved: boolean;
  edge: number;
  /** How often it wins; null where a solver knows the edge alone. */
  hit: number | null;
  error: number;
}

export interface Reading {
  id: string;
  value: string;
  where: string;
  question: string;
  meaning: string;
}

export interface Finding {
  verdict: "agrees" | "explained" | "differs";
  name: string;
  shows: string;
  table: string;
  clause: string;
  source: string;
  note: string;
  published: string;
  computed: string;
  explanation: string;
  readings: Reading[][];
}

export interface Findings {
  edition: string;
  document: string;
  findings: Finding[];
  agrees: number;
  explained: number;
  differs: number;
}

// Slips

/** What the staff is told of a table; `wants` is there where chips are pieces: what its tray and slips want, in sentences. */
export interface OnTable {
  dealer: string;
  is_needed: boolean;
  screens: string[];
  racks: Record<string, Cents>;
  wants?: string[];
}

/** A chip or a note: what it is worth and what it is called. */
export interface Denomination {
  cents: Cents;
  name: string;
  colour?: string;
}

/** Pieces by denomination in cents, what they come to, and their words. */
export interface PiecesView {
  pieces: Record<string, number>;
  cents: Cents;
  words: string;
}

export interface SlipSignature {
  step: string;
  about: string;
  name: string;
  role: string;
  at: string;
}

/** A slip that is open; of a blind count neither pieces nor cents are shown. */
export interface OpenSlip {
  id: string;
  kind: string;
  name: string;
  table: string;
  opened_at: string;
  purpose: string;
  owner: string;
  /** Why it is void, if it is, while its chips are under way. */
  void: string;
  pieces: PiecesView | null;
  cents: Cents | null;
  signed: SlipSignature[];
  steps: { id: string; about: string; roles: string[] }[];
  next: { id: string; about: string; counts: boolean; of: "chips" | "notes" };
  waits_for: string;
  yours: boolean;
  words: string;
}

export interface TrayView {
  table: string;
  is_open: boolean;
  banked_by_players: boolean;
  count: string;
  counting: boolean;
  tray: PiecesView | null;
  par: PiecesView | null;
  wanted: PiecesView | null;
}

export interface SlipsView {
  seq: number;
  chips: Denomination[];
  notes: Denomination[];
  slips: OpenSlip[];
  notices: { number: number; table: string; until: string; words: string }[];
  trays: TrayView[];
  cage: PiecesView | null;
}

/** A slip as its copies have it. */
export interface SlipOnPaper {
  id: string;
  kind: string;
  name: string;
  operator: string;
  status: "open" | "finished" | "void";
  table: string;
  day: string;
  at: string;
  purpose: string;
  pieces: PiecesView | null;
  cents: Cents | null;
  difference_cents?: Cents;
  owner: string;
  reason: string;
  voided_by?: string;
  signed: SlipSignature[];
  copies: string[];
}
