export { bucketOf } from './score/score.ts';
export { unknownBase } from './score/score.ts';
export { preferencesOf } from './preferences.ts';
export { learnedData } from './learn/learned-data.ts';
export { peopleWhoFit } from './who-fits.reads.ts';
export { savedFiltersOf } from './saved-filters.ts';
