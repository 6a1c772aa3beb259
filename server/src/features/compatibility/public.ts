export {
  answersCounted,
  answersInWords,
  bandsOfAnswers,
  countedColumn,
  type KeptAnswers,
  toSharedAnswers,
} from './compatibility.ts';
export { compatibilityBand } from './score.ts';
