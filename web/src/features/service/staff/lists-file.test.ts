import { describe, expect, it } from 'vitest';
import { listsSchema, usualLists } from '#contract/service/list-rules.ts';
import { readLists, writeLists } from './lists-file.ts';

const three = ['# Prompts', 'ask-me', 'teach-me', 'first-date'];
const errorsOf = (...lines: string[]) =>
  readLists(lines.join('\n')).errors.map(({ line, reason }) => `${line} ${reason}`);

describe('a file of interests and prompts', () => {
  it('of the product stays the same when it is read again', () => {
    const read = readLists(writeLists(usualLists));
    expect(read).toEqual({ lists: { interests: null, prompts: null }, errors: [] });
    expect(writeLists(usualLists)).toContain('perfect-sunday // My perfect Sunday begins with');
    expect(listsSchema.safeParse({ ...usualLists, ...read.lists }).success).toBe(true);
  });

  it('has groups, words by language and an order', () => {
    const file = `\ufeff# interests\r\n\r\n## Tyrol | de: Tirol\r\nalpine huts | DE: Almhütten | pt-br: abrigos\r\nHiking\r\n${three.join('\r\n')}`;
    const words = { de: 'Almhütten', 'pt-BR': 'abrigos' };
    const entries = [
      { key: 'alpine huts', words },
      { key: 'hiking', words: {} },
    ];
    const { lists, errors } = readLists(file);
    expect(errors).toEqual([]);
    expect(lists.interests).toEqual([{ key: 'Tyrol', words: { de: 'Tirol' }, entries }]);
    expect(lists.prompts?.map(({ key }) => key)).toEqual(['ask-me', 'teach-me', 'first-date']);
    expect(readLists(writeLists({ ...usualLists, ...lists })).lists).toEqual(lists);
  });

  it('leaves lists unchanged that it does not contain', () => {
    expect(Object.keys(readLists(three.join('\n')).lists)).toEqual(['prompts']);
  });

  it('is reported with every wrong line', () => {
    expect(
      errorsOf('hiking', '# Interests', 'chess', '## Tyrol', 'huts | Hütten', 'a, b', 'huts', 'HUTS', '# Hobbies'),
    ).toEqual([
      '1 A list begins with “# Interests” or “# Prompts”.',
      '3 Interests follow a group, as in “## Sport”.',
      "5 “Hütten” doesn't begin with a language, as in “de: …”.",
      '6 An interest has no comma in its name',
      '8 This is already in line 7.',
      '9 A list begins with “# Interests” or “# Prompts”.',
    ]);
    expect(errorsOf('# Prompts', '## Group', 'H\ufffdtte', `${'x'.repeat(81)}`)).toEqual([
      '2 Prompts have no groups.',
      "3 This isn't in UTF-8. Save the file as UTF-8.",
      '4 Use at most 80 characters',
    ]);
  });

  it('reports a list that is too short or too long at its heading', () => {
    expect(errorsOf('# Interests', '## Empty', '## Tyrol', 'huts', '# Prompts', 'ask-me')).toEqual([
      '2 Too few follow: at least 1.',
      '5 Too few follow: at least 3.',
    ]);
    const many = Array.from({ length: 401 }, (_, index) => `interest ${index}`);
    expect(errorsOf('# Interests', '## Many', ...many)).toContain('1 Too many follow: at most 400.');
    expect(errorsOf('')).toEqual(['1 A list begins with “# Interests” or “# Prompts”.']);
  });
});
