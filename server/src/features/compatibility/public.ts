export { answersInWords, bandsOfAnswers } from './compatibility.ts';
export { compatibilityBand } from './score.ts';
