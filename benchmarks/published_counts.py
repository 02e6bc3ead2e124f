"""Published counts of baccarat's side bets under every convention, a hundred million shoes each, on a graphics processor.

A third counter, in CUDA C++ and through CuPy alone: it shares neither code nor random numbers with Houseway's own. What it
finds stands in docs/protecting.md. Run it where CuPy is: python benchmarks/published_counts.py [SHOES]
"""

import sys
import time

import cupy
import numpy as np

COUNTS = (
    ("dragon-7", 3, 40, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), 4, None, 14, 0.597),
    ("dragon-7 running", 3, 40, (1, 0, 0, -1, -1, -1, -1, 2, 2, 0), 0, -32, 16, 0.52),
    ("panda-8", 1, 25, (1, 1, -2, -2, -2, -1, -1, -2, 4, 1), 11, None, 14, 0.237),
)
BURNS = ("nothing burned", "1 face down", "1 shown", "1 shown, as many more as it is worth face down")
DIVISORS = ("cards", "half-decks", "decks", "decks-up", "decks-down", "left")
SOURCE = r"""
typedef unsigned long long u64; typedef long long i64; typedef unsigned int u32;
__device__ u32 next32(u64 &state, u64 step) {  // PCG
  u64 old = state; state = old * 6364136223846793005ULL + step;
  u32 x = (u32)(((old >> 18) ^ old) >> 27), r = (u32)(old >> 59);
  return (x >> r) | (x << ((32 - r) & 31));
}
struct Shoe { int copies[10]; int left; u64 state, step; };
__device__ int take(Shoe &s) {
  int place = (int)(((u64)next32(s.state, s.step) * s.left) >> 32), kind = 0;
  #pragma unroll
  for (int k = 0; k < 9; k++) { if (kind == k && place >= s.copies[k]) { place -= s.copies[k]; kind = k + 1; } }
  #pragma unroll
  for (int k = 0; k < 10; k++) s.copies[k] -= (kind == k);
  s.left--;
  return kind;
}
extern "C" __global__ void watch(i64 shoes, u64 seed, const int* tag, int trigger, int running, int start, int cut,
                                 int burn, int wanted, int pays, double* sums) {
  // sums[extra][divisor][units, units squared, bets], then rounds of a shoe
  i64 id = blockIdx.x * (i64)blockDim.x + threadIdx.x, all = gridDim.x * (i64)blockDim.x;
  double own[2][6][3] = {}; double rounds = 0;
  Shoe s; s.state = seed * 0x9E3779B97F4A7C15ULL + id * 0xD1B54A32D192ED03ULL; s.step = (id << 1) | 1;
  for (int i = 0; i < 8; i++) next32(s.state, s.step);
  for (i64 n = id; n < shoes; n += all) {
    for (int k = 0; k < 10; k++) s.copies[k] = k ? 32 : 128;
    s.left = 416;
    int count = running ? start : 0, hidden = 0, win[6] = {}, bets[6] = {};
    if (burn) {
      int card = take(s);
      if (burn >= 2) count += tag[card]; else hidden++;
      if (burn == 3) { int more = card ? card : 10; for (int i = 0; i < more; i++) take(s); hidden += more; }
    }
    int over = 0;
    while (true) {
      if (s.left <= cut) {
        for (int d = 0; d < 6; d++) {
          own[over][d][0] += win[d]; own[over][d][1] += (double)win[d] * win[d]; own[over][d][2] += bets[d];
        }
        if (over == 1) break;
        over = 1;
      }
      if (!over) rounds++;
      int unseen = s.left + hidden, spread[6];
      spread[0] = unseen; spread[1] = max(26, (unseen + 13) / 26 * 26); spread[2] = max(52, (unseen + 26) / 52 * 52);
      spread[3] = (unseen + 51) / 52 * 52; spread[4] = max(52, unseen / 52 * 52); spread[5] = s.left;
      int before = count;
      int a = take(s), b = take(s), c = take(s), d = take(s);
      int player = (a + c) % 10, banker = (b + d) % 10, p3 = -1, b3 = -1;
      count += tag[a] + tag[b] + tag[c] + tag[d];
      if (player < 8 && banker < 8) {
        bool draws;
        if (player < 6) {
          p3 = take(s); count += tag[p3];
          draws = banker < 3 || (banker == 3 && p3 != 8) || (banker == 4 && p3 >= 2 && p3 <= 7)
               || (banker == 5 && p3 >= 4 && p3 <= 7) || (banker == 6 && p3 >= 6 && p3 <= 7);
        } else draws = banker < 6;
        if (draws) { b3 = take(s); count += tag[b3]; }
      }
      if (p3 >= 0) player = (player + p3) % 10;
      if (b3 >= 0) banker = (banker + b3) % 10;
      int result = player == banker ? 4 : player > banker ? (player == 8 && p3 >= 0 ? 1 : 0) : (banker == 7 && b3 >= 0 ? 3 : 2);
      int won = result == wanted ? pays : -1;
      for (int k = 0; k < 6; k++) {
        bool bet = running ? before >= trigger : before * 52 >= trigger * spread[k];
        if (bet) { win[k] += won; bets[k]++; }
      }
    }
  }
  for (int e = 0; e < 2; e++) for (int d = 0; d < 6; d++) for (int m = 0; m < 3; m++)
    atomicAdd(&sums[(e * 6 + d) * 3 + m], own[e][d][m]);
  atomicAdd(&sums[36], rounds);
}
"""


def main(shoes):
    kernel = cupy.RawKernel(SOURCE, "watch")
    for name, wanted, pays, tags, trigger, start, cut, published in COUNTS:
        by_points = cupy.asarray(np.array([tags[9], *tags[:9]], np.int32))
        for burn, burned in enumerate(BURNS):
            sums, began = cupy.zeros(37), time.perf_counter()
            given = by_points, trigger, int(start is not None), start or 0, cut, burn, wanted, pays, sums
            scalars = [np.int32(each) if isinstance(each, int) else each for each in given]
            kernel((132 * 16,), (128,), (np.int64(shoes), np.uint64(7 + burn), *scalars))
            found, took = sums.get(), time.perf_counter() - began
            for extra in (0, 1):
                for place, divisor in enumerate(DIVISORS if start is None else DIVISORS[:1]):
                    units, squares, bets = found[(extra * 6 + place) * 3 :][:3] / shoes
                    error = ((squares - units**2) / shoes) ** 0.5
                    away = (units - published) / (2 * error**2 + (0.001 if published != 0.52 else 0.01) ** 2 / 12) ** 0.5
                    print(
                        f"{name:17} published {published}  {units:.4f} ± {error:.4f}  {away:+7.1f}  {bets:.3f} bets, "
                        f"{found[36] / shoes:.2f} rounds  {burned}; {extra} extra; {divisor}  ({took:.1f} s)",
                        flush=True,
                    )


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000_000)
