import type { MessageDescriptor } from '@lingui/core';

/** English, until the server and the app set their own. */
let wordsOf = ({ message = '', values = {} }: MessageDescriptor): string =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
let languageNow = (): string => 'en';

/** Sets how texts of the contract are translated, and the current language of the reader. */
export function speakBy(words: (text: MessageDescriptor) => string, language: () => string): void {
  wordsOf = words;
  languageNow = language;
}

/** The message of a check, in the language of the people who read it when it fails. */
export const said = (text: MessageDescriptor): { error: () => string } => ({ error: () => wordsOf(text) });

/** Words as a part of a sentence: "a, b, and c". */
export const inOneSentence = (words: readonly string[]): string =>
  new Intl.ListFormat(languageNow(), { type: 'conjunction' }).format(words);
