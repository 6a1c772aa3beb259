import { questionsOfDailyLife } from './questions-daily-life.ts';
import { questionsOfEachOther } from './questions-each-other.ts';

export interface QuestionOption {
  id: string;
  text: string;
}

/** One question about members and the people they would like to meet. */
export interface Question {
  id: string;
  topic: string;
  text: string;
  options: readonly QuestionOption[];
}

type Topics = Record<string, Record<string, { text: string; options: Record<string, string> }>>;

const topics: Topics = { ...questionsOfDailyLife, ...questionsOfEachOther };

/** All questions, in order. */
export const questions: readonly Question[] = Object.entries(topics).flatMap(([topic, asked]) =>
  Object.entries(asked).map(([id, { text, options }]) => ({
    id,
    topic,
    text,
    options: Object.entries(options).map(([optionId, optionText]) => ({ id: optionId, text: optionText })),
  })),
);

const byId = new Map(questions.map((question) => [question.id, question]));

/** The question of that id, if there is one. */
export function questionById(id: string): Question | undefined {
  return byId.get(id);
}
