import { describe, expect, it } from 'vitest';
import { addressesIn, pastedId } from './pasted.ts';
import { findTerm } from './profiles/find.ts';
import { emailSchema } from './text.ts';

const id = '0b7d9c1e-4b52-4c3e-9a51-2f6b1c0d9e88';

describe('one pasted address', () => {
  it.each([
    'ada@x.test',
    'mailto:ada@x.test',
    'MAILTO:Ada@x.test?subject=Hello',
    '"ada@x.test"',
    '[mailto:ada@x.test]',
    '“ada@x.test”',
    '‘ada@x.test’',
    '`ada@x.test`',
    'Ada <ada@x.test>',
    '<"ada@x.test">',
    ' (ada@x.test)\u200e',
    '{ada＠x。test}',
    '‚ada@x.test‘',
    'mailto:%61da@x.test',
  ])('is read from %s alike by forms, look-ups and lists', (text) => {
    expect(emailSchema.parse(text)).toBe('ada@x.test');
    expect(findTerm(text)).toEqual({ kind: 'address', value: 'ada@x.test' });
    expect(addressesIn(text).map((one) => emailSchema.parse(one))).toEqual(['ada@x.test']);
  });
});

describe('addressesIn', () => {
  it.each([
    ["Sean <sean.o'brien@x.test>", "sean.o'brien@x.test"],
    ['sean.o’brien@x.test', "sean.o'brien@x.test"],
    ['write to zed@x.test.', 'zed@x.test'],
    ['Is it zed@x.test?! Or …', 'zed@x.test'],
    ['Ada @work <ada@x.test>', 'ada@x.test'],
    ['https://social.test/@ada.lund, ada@x.test', 'ada@x.test'],
    ['Email:ada@x.test;bo@x.test', 'ada@x.test bo@x.test'],
    ['ada@x.test、bo@x.test，cy@x.test', 'ada@x.test bo@x.test cy@x.test'],
    ['[ada@x.test](mailto:ada@x.test)', 'ada@x.test'],
    ['"Lindqvist, Ada" <ada@x.test>, \'bo@x.test\'', 'ada@x.test bo@x.test'],
    ['ada@new\u2011mail.test', 'ada@new-mail.test'],
    ["'ada@x.test, bo@x.test'", 'ada@x.test bo@x.test'],
    ['‘ada@x.test, bo@x.test’.', 'ada@x.test bo@x.test'],
    ['{ada@x.test; bo@x.test}', 'ada@x.test bo@x.test'],
    ['**ada@x.test, _bo@x.test_, cy@x.test**', 'ada@x.test bo@x.test cy@x.test'],
    ['_ada@x.test and bo@x.test_; _cy@x.test', 'ada@x.test bo@x.test _cy@x.test'],
    ["'_ada@x.test, bo_@x.test'", '_ada@x.test bo_@x.test'],
    ['`ada@x.test bo@x.test`', 'ada@x.test bo@x.test'],
    ['"ada@x.test, "bo@x.test", cy@x.test"', 'ada@x.test bo@x.test cy@x.test'],
    ['‚ada@x.test, bo@x.test‘', 'ada@x.test bo@x.test'],
    ["'ada@x.test, bo@x.test", 'ada@x.test bo@x.test'],
    ["To:'ada@x.test'.", 'ada@x.test'],
    ['**Email:**ada@x.test', 'ada@x.test'],
    ['*ada@x.test\n•bo@x.test /cy@x.test', 'ada@x.test bo@x.test cy@x.test'],
    ['+49151@x.test, 100%@x.test', '+49151@x.test 100%@x.test'],
    ['mailto:ada%2Blist@x.test?subject=50%25', 'ada+list@x.test'],
    ['Ada Lindqvist, 27', ''],
  ])('finds the addresses of %s', (text, found) => {
    expect(addressesIn(text).join(' ')).toBe(found);
  });

  it.each([
    'ada@x',
    'bo @ x.test',
    '"a b"@x.test',
    'josé@x.test',
    'ada@x.test/bo@y.test',
    'a@x.test:b@y.test',
    '"ada"@x.test',
    '*josé@x.test*',
    '|ada@x.test|bo@x.test|',
    'a\u200bb@x.test',
  ])('finds no address in %s', (text) => {
    expect(addressesIn(text).filter((one) => !emailSchema.safeParse(one).success)).toHaveLength(1);
  });
});

describe('pastedId', () => {
  it.each([
    id,
    ` ${id.toUpperCase()}\n`,
    `{${id}}`,
    `"${id}"`,
    `#${id}`,
    `urn:uuid:${id}`,
    id.replaceAll('-', ''),
    id.replaceAll('-', '\u2011'),
    `(${id.replaceAll('-', '\u2010')})`,
    `<https://x.test/app/members/${id}?from=likes>`,
    `/users/${id}`,
    `${id}.`,
    `https://x.test/users/${id.toUpperCase()}, `,
  ])('reads %s', (text) => {
    expect(pastedId(text)).toBe(id);
    expect(findTerm(text)).toEqual({ kind: 'id', value: id });
  });

  it.each(['', id.slice(1), `${id}0`, `/app/likes/${id}`, 'the one with the red hat'])(
    'reads no id in "%s"',
    (text) => {
      expect(pastedId(text)).toBeNull();
    },
  );
});
