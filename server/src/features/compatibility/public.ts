export { answersInWords } from './compatibility.ts';
export { fitOfAnswers, type AnswerFit } from './compatibility.ts';
