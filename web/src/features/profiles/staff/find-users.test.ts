import { describe, expect, it } from 'vitest';
import { pastedTerms, termsToFind } from './find-users.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('the terms to look up in typed text', () => {
  it.each([
    ['a name', 'Ada Lovelace', null],
    ['an address', 'ada@heartwood.test', ['ada@heartwood.test']],
    ['full-width addresses', 'ada＠heartwood.test，bo@heartwood。test', ['ada@heartwood.test', 'bo@heartwood.test']],
    ['links and quotes', 'mailto:ada@heartwood.test "bo@heartwood.test"', ['ada@heartwood.test', 'bo@heartwood.test']],
    ['ids in other forms', `{${id}}; #${id.replaceAll('-', '')}`, [id, `#${id.replaceAll('-', '')}`]],
    ['ids in one pair of signs', `{${id}; #${id}}.`, [id, `#${id}`]],
    ['the beginning of an id', '#0f8fad5b', ['#0f8fad5b']],
    ['addresses and ids', `ada@heartwood.test, ${id} 0f8fad5b`, ['ada@heartwood.test', id, '0f8fad5b']],
    [
      'the header of an email, whose dates are no ids',
      'From: Ada <ada@heartwood.test>\nDate: 20261126 18:30\nSubject: Locked out',
      ['ada@heartwood.test'],
    ],
    ['prose without an address', 'seen on 20261126 by Bo', null],
  ])('%s', (_what, text, terms) => {
    expect(termsToFind(text)).toEqual(terms);
  });
});

describe('pasted text that a one-line field would corrupt', () => {
  it.each([
    ['one address', 'ada@heartwood.test', null],
    ['two addresses', 'ada@heartwood.test bo@heartwood.test', ['ada@heartwood.test', 'bo@heartwood.test']],
    ['a long email with one address', `${'I cannot sign in. '.repeat(10)}\nada@heartwood.test`, ['ada@heartwood.test']],
    ['a long text without an address', 'I cannot sign in. '.repeat(10), null],
  ])('%s', (_what, text, terms) => {
    expect(pastedTerms(text)).toEqual(terms);
  });
});
