import { describe, expect, it } from 'vitest';
import { fill } from './i18n.ts';

describe('a text with values', () => {
  it.each<[string, Record<string, string | number>, string]>([
    ['Showing {shown} of {total} users', { shown: '1,000', total: 2000 }, 'Showing 1,000 of 2000 users'],
    ['Error loading users: {error}', { error: 'a {brace} in it' }, 'Error loading users: a {brace} in it'],
    ['{count, plural, one {# user} other {# users}}', { count: 1 }, '1 user'],
    ['{count, plural, one {# user} other {# users}}', { count: 1234 }, '1,234 users'],
    ['Hello {name}', { name: String.raw`\x41\u202e` }, String.raw`Hello \x41\u202e`],
    ['{name}, {age}', { name: 'نور', age: 31 }, '\u2068نور\u2069, 31'],
    ['{name}, {age}', { name: '\u202ennA', age: 31 }, 'nnA, 31'],
    ['{name}, {age}', { name: 'נ\u2069\u202e', age: 31 }, '\u2068נ\u2069, 31'],
  ])('fills in "%s" with %j', (message, values, words) => {
    expect(fill({ id: message, message }, values)).toBe(words);
  });
});
