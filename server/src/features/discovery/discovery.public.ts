export { bucketOf } from './discovery.bucket.ts';
export { unknownBase } from './discovery.chance.ts';
export { preferencesOf } from './preferences.service.ts';
export { learnedData } from './discovery.learned.reads.ts';
