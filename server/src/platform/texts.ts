import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type I18n, type MessageDescriptor, setupI18n } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { productName } from '#contract/constants.ts';
import { directionOf, type Language, languageFor, languages } from '#contract/languages.ts';
import { speakBy } from '#contract/said.ts';
import { verbatim } from '#contract/text.ts';
import { presentLanguage } from './process/log.ts';
import { presentBrand } from './service/brand.ts';

const folder = resolve(import.meta.dirname, '../../../locales');

/** An entry of a catalogue that contract, server or the documents it sends use; Lingui lists their files before those of the web app. */
const entry =
  /^#: (?:contract\/|server\/|web\/\w+\.html|web\/public\/).*\n(?:#.*\n)*(?:msgctxt (?<context>".*")\n)?msgid (?<english>".*"(?:\n".*")*)\nmsgstr (?<text>".*"(?:\n".*")*)$/gm;

const unquoted = (quoted: string) =>
  quoted
    .split('\n')
    .map((line) => JSON.parse(line) as string)
    .join('');

/** Their texts in a language by their ids; English comes from the sources. */
function catalogueOf(language: Language): Record<string, string> {
  const files = language === 'en' ? [] : globSync(resolve(folder, language, '*.po'));
  const texts = files
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(entry)])
    .map(({ groups: { english = '', context = '""', text = '' } = {} }): [string, string] => [
      generateMessageId(unquoted(english), unquoted(context)) as string,
      unquoted(text),
    ]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

const compiled = new Map<string, ReturnType<typeof compileMessageOrThrow>>();

function compile(text: string) {
  const made = compiled.get(text) ?? compileMessageOrThrow(text);
  compiled.set(text, made);
  return made;
}

// All catalogues are read at start, in a tenth of a second; they take 1.6 MB.
const textsIn = Object.fromEntries(
  languages.map((language) => [
    language,
    setupI18n({ locale: language, messages: { [language]: catalogueOf(language) } }).setMessagesCompiler(compile),
  ]),
) as Record<Language, I18n>;

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/**
 * A day, or a day with a time, in the words of the language, except in English; any other value unchanged, without effect on the direction
 * of the text around it.
 */
function shown(value: string, language: Language): string {
  const [day = '', ...time] = value.split(/(?=, \d\d:\d\d UTC$)/);
  if (language !== 'en' && isDay(day))
    return new Date(day).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' }) + time.join('');
  return directionOf(language) === 'ltr' || /^\w*$/.test(value) ? verbatim(value) : `\u2068${verbatim(value)}\u2069`;
}

/** A text for people, by default in the reader's language, with its placeholders filled in, of which every text may use `{brand}`; English if it has no translation. */
export function textOf(
  text: MessageDescriptor,
  given: Record<string, unknown> = text.values ?? {},
  language = presentLanguage(),
): string {
  const values = Object.entries({ brand: presentBrand().name, ...given }).map(([name, value]) => [
    name,
    typeof value === 'string' ? shown(value, language) : value,
  ]);
  try {
    return textsIn[language]._({ ...text, values: Object.fromEntries(values) as Record<string, unknown> });
  } catch {
    return language === 'en' ? (text.message ?? text.id) : textOf(text, given, 'en');
  }
}

/** A text that was stored in English, translated into the reader's language; unchanged if the catalogues don't have it. */
export function storedText(english: string): string {
  const known = [
    english,
    english.replaceAll(presentBrand().name, '{brand}'),
    english.replaceAll(productName, '{brand}'),
  ]
    .map((message) => ({ id: generateMessageId(message) as string, message }))
    .find(({ id }) => id in textsIn[presentLanguage()].messages);
  // What people wrote is not a message, so braces in it are not placeholders.
  return known === undefined ? english : textOf(known);
}

speakBy(textOf, presentLanguage);

/** A day (UTC) in words, such as "5 January 2026". */
export function longDate(date: Date): string {
  const language = presentLanguage();
  const tag = language === 'en' ? 'en-GB' : language;
  return date.toLocaleDateString(tag, { dateStyle: 'long', timeZone: 'UTC' });
}

/** The language that a request asks for with `Accept-Language`. */
export function requestedLanguage(header = ''): Language {
  const parts = header.replaceAll(' ', '').toLowerCase().split(',', 20);
  const tags = parts.map((part) => {
    const [tag = '', weight = '1'] = part.split(';q=');
    return { tag, weight: Number(weight) };
  });
  const wanted = tags.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  return languageFor(wanted.map(({ tag }) => tag));
}
