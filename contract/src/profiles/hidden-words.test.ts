import { describe, expect, it } from 'vitest';
import { hiddenWordFinder } from './hidden-words.ts';

describe('hiddenWordFinder', () => {
  it.each([
    ['crypto', 'I love Crypto!'],
    ['crypto', 'c r y p t o is the future'],
    ['crypto', 'crурtо'],
    ['crypto', 'crypt0'],
    ['crypto', 'ｃｒｙｐｔｏ'],
    ['crypto', 'cry\u200bpto'],
    ['cafe', 'a Café'],
    ['on-line only', 'On line, only'],
    ['don’t', "DON'T"],
    ['🍆🍆', 'hi🍆🍆'],
    ['加密', '我喜欢加密货币'],
    ['щука', 'Щука?'],
  ])('finds %s in %s', (word, text) => {
    expect(hiddenWordFinder([word])(text)).toBe(true);
  });

  it.each([
    ['ex', 'exciting text'],
    ['rypto', 'crypto'],
    ['a.c', 'abc'],
    ['(((', '((('],
    ['.*', 'anything'],
  ])('does not find %s in %s', (word, text) => {
    expect(hiddenWordFinder([word])(text)).toBe(false);
  });

  it('finds nothing without words', () => {
    expect(hiddenWordFinder([])('anything')).toBe(false);
  });
});
