import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatter } from '@lingui/format-po';
import type { Language } from '#contract/languages.ts';

const folder = resolve(import.meta.dirname, '../../locales');

/** The texts of contract and server in a language, by the English text, as Lingui itself reads them. */
export async function translationsOf(language: Language): Promise<Map<string, string>> {
  const read = formatter();
  const texts = new Map<string, string>();
  for (const filename of globSync(resolve(folder, language, '*.po'))) {
    const catalogue = await read.parse(readFileSync(filename, 'utf8'), {
      locale: language,
      sourceLocale: 'en',
      filename,
    });
    for (const { message = '', translation = '', origin = [] } of Object.values(catalogue))
      if (translation !== '' && origin.some(([file]) => /^(contract|server)\//.test(file)))
        texts.set(message, translation);
  }
  return texts;
}
