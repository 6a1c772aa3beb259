import { describe, expect, it } from 'vitest';
import { estimateFormulas, isCovered, kendall } from './estimates.ts';

describe('estimates of other formulas from what one formula dealt', () => {
  it('order eight of them as playing them does, within their intervals', () => {
    const estimates = estimateFormulas('formula', 1, 400, 2);
    const tau = kendall(
      estimates.map(({ estimated }) => estimated),
      estimates.map(({ played }) => played),
    );
    expect(estimates).toHaveLength(8);
    expect(tau).toBeGreaterThanOrEqual(0.7);
    expect(estimates.filter(isCovered).length).toBeGreaterThanOrEqual(7);
  }, 120_000);
});

describe("Kendall's τ", () => {
  it('is 1 for the same order, −1 for the reverse and 0 without any order', () => {
    expect(kendall([1, 2, 3, 4], [2, 3, 5, 9])).toBe(1);
    expect(kendall([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1);
    expect(kendall([1, 2, 3], [5, 5, 5])).toBe(0);
  });
});
