export { answersInWords } from './compatibility.reads.ts';
export { fitOfAnswers, type AnswerFit } from './compatibility.fit.reads.ts';
