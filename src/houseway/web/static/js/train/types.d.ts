/** What the school tells. */

export type Level = "new" | "begun" | "known" | "sure";

export interface TrainKind {
  name: string;
  title: string;
  about: string;
  for_players: boolean;
  by_table: boolean;
}

export interface TrainSetting {
  name: string;
  about: string;
  clause: string;
  approved: (string | number | boolean)[];
}

export interface TrainEdition {
  id: string;
  name: string;
  game: string;
  seat_word: string;
  cloth: string;
  back: string;
  settings: TrainSetting[];
}

export interface School {
  editions: TrainEdition[];
  kinds: TrainKind[];
  /** Whether the house keeps the progress of whoever looks; if not, this browser does. */
  kept: boolean;
}

export interface SceneHand {
  owner: string;
  cards: string[];
  worth: string;
}

export interface SceneSeat {
  seat: number;
  bets: [name: string, cents: number][];
  hands: SceneHand[];
  says: string[];
}

export interface Scene {
  hands: SceneHand[];
  seats: SceneSeat[];
  facts: [name: string, value: string][];
}

export interface Ask {
  id: string;
  label: string;
  form: "pick" | "amount" | "cards" | "pieces" | "order";
  options: { value: string; words: string }[];
  many: number;
}

export interface Exercise {
  kind: string;
  number: number;
  topic: string;
  topic_words: string;
  on_purpose: boolean;
  question: string;
  scene: Scene;
  asks: Ask[];
}

/** Each part of an answer as it is sent. */
export type Answer = Record<string, string>;

export interface Judged {
  is_right: boolean;
  parts: { id: string; label: string; given: string; right: string; is_right: boolean }[];
  why: { words: string; clause: string }[];
  clauses: Record<string, string>;
  level: Level;
  was: Level;
  due: string;
  streak: number;
  progress: Progress | null;
}

/** What somebody has learned of an edition, as the house writes it: kept here, and sent along, but not read. */
export interface Progress {
  answers: number;
  streak: number;
  skills: Record<string, unknown>;
}

export interface Skill {
  kind: string;
  topic: string;
  words: string;
  clause: string;
  level: Level;
  asked: number;
  right: number;
  seconds: number | null;
  due: string | null;
  is_due: boolean;
  missed: number | null;
  is_brought: boolean;
}

export interface Skills {
  skills: Skill[];
  clauses: Record<string, string>;
  answers: number;
  streak: number;
}

/** A way to answer: its element, the answer as it is sent ("" if it is not whole), and what keys do. */
export interface Control {
  element: HTMLElement;
  /** What is answered, or "". */
  value(): string;
  put(value: string): void;
  focus(): void;
  /** Whether it took the key. */
  pressed(event: KeyboardEvent): boolean;
}

/** What a round against the clock needs of the drill. */
export interface SpeedHost {
  table: import("./table.js").ExerciseTable;
  exercise: Exercise | null;
  asked(): { settings: Record<string, string> };
  next(): Promise<boolean>;
  judge(exercise: Exercise, answer: Answer, seconds: number): Promise<Judged | null>;
  tally(judged: Judged, seconds: number): void;
}

// Courses and examinations

export interface CourseListed {
  id: string;
  name: string;
  edition: string;
  own: boolean;
}

export interface CoursePart {
  edition: string;
  kind: string;
  topic: string;
  many: number;
  settings: Record<string, string | number | boolean>;
}

export interface Course {
  id: string;
  name: string;
  about: string;
  pass_percent: number;
  minutes: number;
  asked: number;
  own: boolean;
  exercises: CoursePart[];
}

export interface ExamResult {
  asked: number;
  answered: number;
  right: number;
  percent: number;
  pass_percent: number;
  passed: boolean;
  seconds: number;
  seconds_each: number | null;
  exercises: { place: number; kind: string; edition: string; is_answered: boolean; is_right: boolean; seconds: number | null }[];
  clauses: Record<string, { right: number; asked: number }>;
}

export interface Exam {
  exam: number;
  person: string;
  course: string;
  name: string;
  editions: string[];
  asked: number;
  answered: number[];
  pass_percent: number;
  minutes: number;
  begun: string;
  ends: string;
  seconds_left: number;
  is_over: boolean;
  handed_in: string | null;
  certificate: number | null;
  result: ExamResult | null;
  notices: string[];
}

/** An exercise of an examination: nothing of what it is about. */
export interface ExamExercise extends Pick<Exercise, "kind" | "question" | "scene" | "asks"> {
  place: number;
  given: Answer;
  table: TrainEdition;
}

export interface ExamExplained extends ExamExercise, Pick<Judged, "is_right" | "parts" | "why" | "clauses"> {
  edition: string;
}
