/**
 * The probability that a value of `a` is larger than one of `b`, ties counting half: the area under the ROC curve, from the
 * rank sum of Mann and Whitney. 0.5 means that the two cannot be told apart.
 */
export function areaUnderCurve(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, first: true })), ...b.map((value) => ({ value, first: false }))];
  all.sort((x, y) => x.value - y.value);
  let rankSum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    const meanRank = (from + 1 + to) / 2;
    rankSum += meanRank * all.slice(from, to).filter(({ first }) => first).length;
    from = to;
  }
  return (rankSum - (a.length * (a.length + 1)) / 2) / (a.length * b.length);
}
