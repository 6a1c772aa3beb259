import { describe, expect, it, vi } from 'vitest';
import { initialOf, nameAndAge } from './person.ts';
import { setLanguage } from './text.ts';

describe('initialOf', () => {
  it.each([
    ['ada', 'A'],
    [' Ωmega', 'Ω'],
    ['éva', 'É'],
    ['e\u0301va', 'E\u0301'],
    ['ßeta', 'ß'],
    ['ﬁnn', 'ﬁ'],
    ['გიორგი', 'გ'],
    ['“Ann”', 'A'],
    ['(Bo)', 'B'],
    ['¡Zoë!', 'Z'],
    ['2Pac', '2'],
    ['🇸🇪 Ada', '🇸🇪'],
    ['👩‍👩‍👧 Bo', '👩‍👩‍👧'],
    ['👍🏽', '👍🏽'],
    ['क्षमा', 'क्ष'],
    ['דניאל', 'ד'],
    ['李小龍', '李'],
    ['…', '?'],
    ['', '?'],
    [null, '?'],
  ])('returns for %j the initial %s', (name, initial) => {
    expect(initialOf(name)).toBe(initial);
  });
});

describe('initialOf without Intl.Segmenter', () => {
  it.each([
    ['ada', 'A'],
    ['ßeta', 'ß'],
    ['“Ann”', 'A'],
    ['👍 Bo', '👍'],
    ['…', '?'],
  ])('returns for %j the initial %s', (name, initial) => {
    vi.stubGlobal('Intl', {});
    expect(initialOf(name)).toBe(initial);
  });
});

describe('initialOf in Turkish', () => {
  it.each([
    ['ilker', 'İ'],
    ['ışıl', 'I'],
    ['éva', 'É'],
  ])('returns for %s the initial %s', (name, initial) => {
    setLanguage('tr');
    expect(initialOf(name)).toBe(initial);
  });
});

describe('nameAndAge', () => {
  const named = (firstName: string, age: number | null) => ({ firstName, name: null, age });

  it.each([
    ['Ada', 33, 'Ada, 33'],
    ['Ada', null, 'Ada'],
    ['דניאל', 42, '\u2068דניאל\u2069, 42'],
    ['דניאל', null, '\u2068דניאל\u2069'],
  ])('isolates the direction of the name %s (age %s)', (name, age, text) => {
    expect(nameAndAge(named(name, age))).toBe(text);
  });
});
