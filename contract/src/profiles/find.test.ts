import { describe, expect, it } from 'vitest';
import { findTerm } from './find.ts';

const id = '0b7d9c1e-4b52-4c3e-9a51-2f6b1c0d9e88';

describe('findTerm', () => {
  it.each([
    ['an address in any case', ' Ada@Heartwood.test ', { kind: 'address', value: 'ada@heartwood.test' }],
    [
      'an address with a domain in another script',
      'ada@почта.рф',
      { kind: 'address', value: 'ada@xn--80a1acny.xn--p1ai' },
    ],
    ['a full-width sign and stop', 'ada＠heartwood。test', { kind: 'address', value: 'ada@heartwood.test' }],
    ['full-width letters', 'ａｄａ@heartwood.ｔｅｓｔ', { kind: 'address', value: 'ada@heartwood.test' }],
    ['full-width characters of an id', '＃０ｂ７ｄ９ｃ１ｅ', { kind: 'prefix', value: '0b7d9c1e' }],
    ['a whole id', id.toUpperCase(), { kind: 'id', value: id }],
    ['the address of a profile', `https://heartwood.test/app/members/${id}?from=likes`, { kind: 'id', value: id }],
    ['the address of a staff page', `/users/${id}`, { kind: 'id', value: id }],
    ['the eight characters that screens show', '#0b7d9c1e', { kind: 'prefix', value: '0b7d9c1e' }],
    ['six characters of an id', '0b7d9c', { kind: 'prefix', value: '0b7d9c' }],
    ['more of an id', id.slice(0, 15), { kind: 'prefix', value: id.slice(0, 15) }],
    ['five characters', '0b7d9', null],
    ['a name made of the letters a to f', 'Decade', null],
    ['a name', 'Ada Lund', null],
    ['a part of an address', 'ada@heart', null],
  ])('reads %s', (_, text, term) => {
    expect(findTerm(text)).toEqual(term);
  });
});
