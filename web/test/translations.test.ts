import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { languages } from '#contract/languages.ts';

const config = getConfig({ configPath: join(import.meta.dirname, '../../lingui.config.ts') });
const translated = languages.filter((language) => language !== config.sourceLocale);

const page = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');

it('the document chooses between all languages of the service', () => {
  expect(config.locales).toEqual(languages);
  const [, spoken = ''] = /spoken = \[(.*)\]/.exec(page) ?? [];
  expect(spoken.replaceAll("'", '').split(', ')).toEqual(languages);
});

it.each<[string[], string, string?]>([
  [['mg', 'fr-FR'], 'fr'],
  [['plt-MG'], 'en'],
  [['plt-MG'], 'de', 'de'],
  [['cs', 'en-GB'], 'en', 'de'],
  [['arn', 'es-CL'], 'es'],
  [['trv-TW', 'den'], 'en'],
  [['PL-pl'], 'pl'],
  [['pt-PT', 'en'], 'pt-BR'],
])('the document of a reader of %j is in %s', (tags, language, served = 'en') => {
  const documentElement = { lang: served, dir: 'ltr', setAttribute: () => undefined };
  runInNewContext(/<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '', {
    localStorage: { getItem: () => null },
    matchMedia: () => ({ matches: false }),
    navigator: { languages: tags },
    document: { documentElement },
  });
  expect(documentElement.lang).toBe(language);
});

/** The placeholders of names of people, places and services. */
const named = String.raw`\{(?:names?|by|actor|target|person|other|who|viewer|provider|city|place)\}`;

/** Words whose form depends on the first sound of the next one, and endings that depend on the last sound. */
const changing: [language: (typeof translated)[number], next: RegExp][] = [
  ['fr', new RegExp(String.raw`(?<!\p{L})(?:de|que|si|je|ne|se|jusque|lorsque|puisque|le|la) ${named}`, 'iu')],
  ['es', new RegExp(String.raw`(?<!\p{L})[yeo] ${named}`, 'iu')],
  ['pl', new RegExp(String.raw`(?<!\p{L})[wz]e? ${named}`, 'iu')],
  ['tr', new RegExp(String.raw`${named}['’]?\p{L}`, 'iu')],
];
it.each(changing)('no text in %s has a word that changes with a name', async (language, pattern) => {
  const catalogues = await Promise.all((await getCatalogs(config)).map((catalogue) => catalogue.read(language)));
  const texts = catalogues.flatMap((catalogue) =>
    Object.values(catalogue ?? {}).map(({ translation = '' }) => translation),
  );
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => pattern.test(text))).toEqual([]);
});

interface Placeholder {
  name: string;
  kind: string;
  choices: [key: string, text: CompiledMessage][];
}

/** The placeholders of a text, those within its choices included. */
function placeholdersOf(message: CompiledMessage): Placeholder[] {
  return (typeof message === 'string' ? [] : message).flatMap((token) => {
    if (typeof token === 'string') return [];
    const [name, kind = '', options] = token;
    const choices =
      typeof options === 'object' && options !== null ? (Object.entries(options) as Placeholder['choices']) : [];
    const texts = choices.filter(([, text]) => Array.isArray(text));
    return [{ name, kind, choices }, ...texts.flatMap(([, text]) => placeholdersOf(text))];
  });
}

/**
 * What must be the same in every language: placeholders, and the keys of a select. Plurals have other forms, and a language may need
 * them where English has a plain number.
 */
const sharedParts = (message: CompiledMessage) =>
  new Set(
    placeholdersOf(message).flatMap(({ name, kind, choices }) =>
      kind === 'select'
        ? [
            name,
            `${name} ${choices
              .map(([key]) => key)
              .toSorted()
              .join()}`,
          ]
        : name,
    ),
  );

/** Whether a language lacks one of a text's plural forms. */
const hasUnknownForm = (message: CompiledMessage, known: readonly string[]) =>
  placeholdersOf(message).some(
    ({ kind, choices }) =>
      kind === 'plural' && choices.some(([form]) => !/^(\d+|offset)$/.test(form) && !known.includes(form)),
  );

it.each(translated)('every text in %s has the values and choices of the English one', async (language) => {
  const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wrong: string[] = [];
  for (const catalogue of await getCatalogs(config)) {
    for (const { message = '', translation = '' } of Object.values((await catalogue.read(language)) ?? {})) {
      const [english, other] = [compileMessage(message), compileMessage(translation)];
      const [wanted, given] = [english, other].map((text) => [...sharedParts(text)].toSorted().join());
      const [bold, otherBold] = [message, translation].map((text) => text.match(/<\/?\w+>/g)?.join());
      if (wanted !== given || bold !== otherBold || hasUnknownForm(other, known))
        wrong.push(`${message} → ${translation}`);
    }
  }
  expect(wrong).toEqual([]);
});
