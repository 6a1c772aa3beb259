/** The product's ranking for the simulated market. No other file here imports the product. */
export * from '../../server/src/features/discovery/deck/best.ts';
export * from '../../server/src/features/discovery/deck/page.ts';
export * from '../../server/src/features/discovery/learn/learning.ts';
export { contentMax } from '../../server/src/features/discovery/score/content.ts';
export { isNew } from '../../server/src/features/discovery/score/people.ts';
export * from '../../server/src/features/discovery/score/score.ts';
