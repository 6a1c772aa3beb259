export { answersInWords, bandsOfAnswers } from './compatibility.ts';
