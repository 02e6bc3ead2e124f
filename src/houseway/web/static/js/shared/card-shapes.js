// The shapes that cards are drawn with: suits, ranks, and where the pips lie.

/**
 * Each suit: its name, its colour, its outline in a box 100 by 100.
 * @type {Record<string, {name: string, colour: string, outline: string}>}
 */
export const SUITS = {
  s: {
    name: "spades",
    colour: "#14171a",
    outline:
      "M50 5C57 22 93 39 93 63c0 12-9 20-20 20-8 0-15-4-18.5-10.5C55 82 59 89 67 95H33" +
      "c8-6 12-13 12.5-22.5C42 79 35 83 27 83 16 83 7 75 7 63 7 39 43 22 50 5Z",
  },
  h: {
    name: "hearts",
    colour: "#c4161c",
    outline:
      "M50 94C43 78 7 60 7 33 7 18 18 8 30 8c9 0 16.5 5 20 14C53.5 13 61 8 70 8c12 0 23 10 23 25C93 60 57 78 50 94Z",
  },
  d: {
    name: "diamonds",
    colour: "#1450bd",
    outline: "M50 3C58 22 71 38 88 50 71 62 58 78 50 97 42 78 29 62 12 50 29 38 42 22 50 3Z",
  },
  c: {
    name: "clubs",
    colour: "#0a7238",
    outline:
      "M50 5a21.5 21.5 0 0 1 14.5 37.4C67 40.5 70 39.5 73 39.5a21.5 21.5 0 0 1 0 43c-8 0-15-4.2-18.5-10.5" +
      "C55 82 59 89 67 95H33c8-6 12-13 12.5-23C42 78.3 35 82.5 27 82.5a21.5 21.5 0 0 1 0-43" +
      "c3 0 6 1 8.5 2.9A21.5 21.5 0 0 1 50 5Z",
  },
};

/**
 * Each rank: its name, and strokes of one width in a box 36 by 54, so that it looks the same whatever fonts there are.
 * @type {Record<string, {name: string, strokes: string}>}
 */
export const RANKS = {
  A: { name: "Ace", strokes: "M3.5 54 16 3.5h4L32.5 54M8.5 37.5h19" },
  2: { name: "Two", strokes: "M5 17C5 9 10.5 4.3 18 4.3S31 9 31 16.5C31 28 6.5 36 5.2 49.7H32.5" },
  3: {
    name: "Three",
    strokes:
      "M5.3 14C6.5 7.5 11.5 4.3 18 4.3c7.5 0 12.3 4.4 12.3 10.7C30.3 21.5 25.5 25.5 18 25.5h-3.5" +
      "H18c8 0 13.5 4.5 13.5 12S26 49.7 18 49.7C11 49.7 5.8 46.5 4.5 39.5",
  },
  4: { name: "Four", strokes: "M25.5 54V4.5h-2L4.5 38v2H34.5" },
  5: {
    name: "Five",
    strokes:
      "M30 4.3H10L7.8 25.5C10.3 22.8 14 21.3 18 21.3c8 0 13.5 5.7 13.5 14S26 49.7 17.7 49.7C11 49.7 5.8 46.3 4.5 40",
  },
  6: {
    name: "Six",
    strokes:
      "M29.8 13C28.6 7.5 24.5 4.3 18.8 4.3 9.5 4.3 4.5 12.5 4.5 29c0 13.5 5 20.7 13.5 20.7" +
      " 8 0 13.5-5.4 13.5-13.7S26 22.5 18.5 22.5C11 22.5 5.5 28 4.8 35",
  },
  7: { name: "Seven", strokes: "M3.5 4.3H31.2v2C21 20 15.5 36 14.7 54" },
  8: {
    name: "Eight",
    strokes:
      "M18 4.3c7 0 11.8 4.2 11.8 10.5S25 25.5 18 25.5 6.2 21.2 6.2 14.8 11 4.3 18 4.3Z" +
      "M18 25.5c8 0 13.5 4.8 13.5 12S26 49.7 18 49.7 4.5 44.8 4.5 37.5 10 25.5 18 25.5Z",
  },
  9: {
    name: "Nine",
    strokes:
      "M6.2 41C7.4 46.5 11.5 49.7 17.2 49.7 26.5 49.7 31.5 41.5 31.5 25c0-13.5-5-20.7-13.5-20.7" +
      "-8 0-13.5 5.4-13.5 13.7S10 31.5 17.5 31.5C25 31.5 30.5 26 31.2 19",
  },
  10: {
    name: "Ten",
    strokes:
      "M-3.5 12.5 5 5V54M27.5 4.3c6.8 0 10.2 8 10.2 22.7S34.3 49.7 27.5 49.7 17.3 41.7 17.3 27 20.7 4.3 27.5 4.3Z",
  },
  J: { name: "Jack", strokes: "M26 0V36.5C26 45.5 22 49.7 15.3 49.7 9 49.7 5 46 4.5 38.5" },
  Q: {
    name: "Queen",
    strokes: "M18 4.3c8.5 0 13.5 8.2 13.5 22.7S26.5 49.7 18 49.7 4.5 41.5 4.5 27 9.5 4.3 18 4.3ZM19 37 33 55",
  },
  K: { name: "King", strokes: "M7.5 0V54M31.5 0 8.5 31.5M15.5 22.5 33.5 54" },
};

/** @typedef {[column: number, row: number]} Place */

/** @type {Place[]} */
const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
/** @type {Place[]} */
const waist = [[-1, 0], [1, 0]];
/** @type {Place[]} */
const sides = [...corners, [-1, -1 / 3], [1, -1 / 3], [-1, 1 / 3], [1, 1 / 3]];

/**
 * Where the pips lie, with 0 in the middle; rows run from -1 to 1, and pips below the middle are turned.
 * @type {Record<string, Place[]>}
 */
export const PIPS = {
  2: [[0, -1], [0, 1]],
  3: [[0, -1], [0, 0], [0, 1]],
  4: corners,
  5: [...corners, [0, 0]],
  6: [...corners, ...waist],
  7: [...corners, ...waist, [0, -0.5]],
  8: [...corners, ...waist, [0, -0.5], [0, 0.5]],
  9: [...sides, [0, 0]],
  10: [...sides, [0, -2 / 3], [0, 2 / 3]],
};
