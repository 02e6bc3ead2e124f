/** What designs are made of, as the house tells them. */

export interface RowChoice {
  row: string;
  name: string;
  pays: string;
}

export interface TableChoice {
  id: string;
  rows: RowChoice[];
  envy: RowChoice[];
}

export interface Choices {
  why_not: string;
  wagers: { id: string; name: string; why_not: string; tables: TableChoice[] }[];
  goals: { id: string; words: string }[];
  seconds: number;
  bounds: { most: number; words: string };
}

export interface CaseFigures {
  house_edge: { exact: string; percent: number };
  hit_frequency: string;
  variance: string;
  standard_deviation: number;
}

/** A pay table: the present one, a design, or one of the frontier. */
export interface Design {
  pays: Record<string, string>;
  envy_dollars: Record<string, number>;
  changes: { row: string; name: string; from: string; to: string }[];
  top: string;
  cases: CaseFigures[];
  law: { rule: string; meets: boolean | null; says: string }[];
}

export interface FrontierPart {
  edge: string;
  proved: boolean;
  design: Design | null;
}

/** What was found for one wager. */
export interface WagerDesigns {
  wager: string;
  name: string;
  pay_table: string;
  cases: { name: string }[];
  proved: boolean;
  complete: boolean;
  none_because: string[];
  rows: { row: string; name: string; kind: "pay" | "envy"; one_in: string[] }[];
  present: Design;
  designs: Design[];
  frontier: FrontierPart[];
}
