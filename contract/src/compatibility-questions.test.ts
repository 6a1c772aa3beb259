import { describe, expect, test } from 'vitest';
import { optionsMax, questionById, questions } from './compatibility.ts';

const kebab = /^[a-z]+(-[a-z]+)*$/;

describe('compatibility questions', () => {
  test('have about forty entries, each with a unique id that is safe in a URL', () => {
    expect(questions.length).toBeGreaterThanOrEqual(35);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const question of questions) {
      expect(question.id).toMatch(kebab);
      expect(questionById(question.id)).toBe(question);
    }
    expect(questionById('nothing')).toBeUndefined();
  });

  test('have two to four different answer options', () => {
    for (const { id, options } of questions) {
      expect(options.length, id).toBeGreaterThanOrEqual(2);
      expect(options.length, id).toBeLessThanOrEqual(optionsMax);
      expect(new Set(options.map((option) => option.id)).size, id).toBe(options.length);
      expect(new Set(options.map((option) => option.text.id)).size, id).toBe(options.length);
      for (const option of options) expect(option.id, id).toMatch(kebab);
    }
  });

  test('are short, in plain words and without duplicates', () => {
    expect(new Set(questions.map(({ text }) => text.id)).size).toBe(questions.length);
    for (const { text, options } of questions) {
      expect(text.message).toMatch(/\?$/);
      expect(text.message?.length).toBeLessThanOrEqual(90);
      for (const option of options) expect(option.text.message?.length).toBeLessThanOrEqual(45);
    }
  });

  test('avoid topics that a dating service must not ask about', () => {
    const texts = questions.flatMap(({ text, options }) => [text, ...options.map((option) => option.text)]);
    const words = texts.map(({ message }) => message).join('\n');
    expect(words).not.toMatch(
      /\b(race|skin|ethnic|church|pray|god|faith|religio|vote|party line|politic|ill|illness|sick|doctor|therap|sex|salary|income|earn)/i,
    );
  });
});
