import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useState } from 'react';
import { type Language, languageNames } from '#contract/languages.ts';
import { chooseLanguage, offeredLanguages } from '../../../ui/text/catalogues.ts';
import { useLanguage } from '../../../ui/text/use-language.ts';

/** The language of everything on this device, by the languages' own names. */
export function LanguageChoice({ isPlain = false }: { isPlain?: boolean }) {
  const language = useLanguage();
  const [error, setError] = useState<string>();

  async function choose(next: Language) {
    setError(undefined);
    try {
      await chooseLanguage(next);
    } catch {
      setError(t`This language could not be loaded. Please try again.`);
    }
  }

  return (
    <NativeSelect
      {...(isPlain ? { 'aria-label': t`Language` } : { label: t`Language` })}
      leftSection={<IconLanguage size={18} stroke={1.75} aria-hidden="true" />}
      value={language}
      error={error}
      onChange={({ currentTarget }) => void choose(currentTarget.value as Language)}
    >
      {offeredLanguages().map((one) => (
        <option key={one} value={one} lang={one}>
          {languageNames[one]}
        </option>
      ))}
    </NativeSelect>
  );
}
