import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { type Language, languageNames, languages } from '#contract/languages.ts';
import type { Words } from '#contract/service/words.ts';
import { SelectField, TextArea } from '../../../ui/form/Field.tsx';

interface WordsFieldProps {
  label: string;
  description: string;
  words: Words;
  errorOf: (language: Language) => string | undefined;
  onChange: (words: Words) => void;
}

/** A text in every language that its readers may have, one language at a time. */
export function WordsField({ label, description, words, errorOf, onChange }: WordsFieldProps) {
  const wrong = languages.find((one) => errorOf(one) !== undefined);
  const [chosen, setChosen] = useState<Language>('en');
  const language = wrong ?? chosen;
  const written = (one: Language) => (words[one] ?? '') !== '';
  return (
    <Stack gap="0.6rem">
      <SelectField
        label={t`Language of the text`}
        value={language}
        choices={languages.map((one) => ({
          value: one,
          label: written(one) ? languageNames[one] : t`${{ name: languageNames[one] }} (no text yet)`,
        }))}
        onChange={(event) => setChosen(event.currentTarget.value as Language)}
      />
      <TextArea
        label={label}
        description={description}
        rows={2}
        lang={language}
        value={words[language] ?? ''}
        error={errorOf(language)}
        onChange={(event) => onChange({ ...words, [language]: event.currentTarget.value })}
      />
    </Stack>
  );
}
