export { answersInWords } from './compatibility.reads.ts';
