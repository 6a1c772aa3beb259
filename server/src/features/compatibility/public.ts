export { answersInWords } from './reads.ts';
export { fitOfAnswers, type AnswerFit } from './fit.reads.ts';
