import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { type Language, languageNames, languages } from '#contract/languages.ts';
import { languagesInOrder, type Words } from '#contract/service/words.ts';
import { SelectField, TextArea } from '../../../ui/form/Field.tsx';
import { useLanguage } from '../../../ui/text/use-language.ts';

interface LanguageSelectProps {
  value: Language;
  isWritten: (language: Language) => boolean;
  onChange: (language: Language) => void;
}

/** The language to begin with: the reader's own, or else the first one that has a text. */
export function useFirstLanguage(isWritten: (language: Language) => boolean) {
  const own = useLanguage();
  return useState<Language>(() => [own, ...languagesInOrder()].find(isWritten) ?? own);
}

/** The language of the text below, among all that readers may use. */
export function LanguageSelect({ value, isWritten, onChange }: LanguageSelectProps) {
  return (
    <SelectField
      label={t`Language of the text`}
      value={value}
      choices={languagesInOrder().map((one) => ({
        value: one,
        label: isWritten(one) ? languageNames[one] : t`${{ name: languageNames[one] }} (no text yet)`,
      }))}
      onChange={(event) => onChange(event.currentTarget.value as Language)}
    />
  );
}

interface WordsFieldProps {
  label: string;
  description: string;
  words: Words;
  /** The error of the text, in whatever language. */
  error?: string | undefined;
  errorOf: (language: Language) => string | undefined;
  onChange: (words: Words) => void;
}

/** A text in all languages of its readers, one language at a time. */
export function WordsField({ label, description, words, error, errorOf, onChange }: WordsFieldProps) {
  const wrong = languages.find((one) => errorOf(one) !== undefined);
  const isWritten = (one: Language) => (words[one] ?? '') !== '';
  const [chosen, setChosen] = useFirstLanguage(isWritten);
  const language = wrong ?? chosen;
  return (
    <Stack gap="0.6rem">
      <LanguageSelect value={language} isWritten={isWritten} onChange={setChosen} />
      <TextArea
        label={label}
        description={description}
        rows={2}
        lang={language}
        value={words[language] ?? ''}
        error={errorOf(language) ?? error}
        onChange={(event) => onChange({ ...words, [language]: event.currentTarget.value })}
      />
    </Stack>
  );
}
