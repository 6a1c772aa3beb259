/**
 * The chance that a positive case scores higher than a negative one, ties counting half: the area under the ROC curve, from the rank
 * sum of Mann and Whitney. Null if all cases are positive, or none.
 */
export function areaUnderCurve(scores: readonly number[], isCase: readonly boolean[]): number | null {
  const order = scores.map((_, index) => index).sort((one, other) => (scores[one] ?? 0) - (scores[other] ?? 0));
  const cases = isCase.reduce((count, yes) => count + (yes ? 1 : 0), 0);
  const others = isCase.length - cases;
  if (cases === 0 || others === 0) return null;
  let rankSum = 0;
  for (let from = 0; from < order.length;) {
    let to = from;
    let tied = 0;
    while (to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]) {
      if (isCase[order[to] ?? 0] === true) tied += 1;
      to += 1;
    }
    rankSum += (tied * (from + 1 + to)) / 2;
    from = to;
  }
  return (rankSum - (cases * (cases + 1)) / 2) / (cases * others);
}
