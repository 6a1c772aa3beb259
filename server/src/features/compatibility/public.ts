export { answersInWords, bandsOfAnswers, bandsShown, countedColumn, toAnswers } from './compatibility.ts';
export { kmBetween, requiredBy, requirements } from './musts.ts';
export { compatibilityBand } from './score.ts';
