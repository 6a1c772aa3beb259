export { bucketOf } from './serve/bucket.ts';
export { unknownBase } from './score/chance.ts';
export { preferencesOf } from './preferences/preferences.ts';
export { learnedData } from './learn/learned.reads.ts';
