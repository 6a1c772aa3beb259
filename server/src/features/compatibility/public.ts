export { answersInWords, bandsOfAnswers, countedColumn, type KeptAnswers, toAnswers } from './compatibility.ts';
export { compatibilityBand } from './score.ts';
