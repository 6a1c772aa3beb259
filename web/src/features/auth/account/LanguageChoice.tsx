import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useState } from 'react';
import { chooseLanguage } from '#contract/auth/auth.ts';
import { type Language, languageNames } from '#contract/languages.ts';
import { call } from '../../../api/call.ts';
import { keepSession, readSession } from '../../../api/session/stored-session.ts';
import { chooseLanguage as speakHere, offeredLanguages } from '../../../ui/text/catalogues.ts';
import { useLanguage } from '../../../ui/text/use-language.ts';

/** The language of everything on this device, and of the account if someone is signed in, by the languages' own names. */
export function LanguageChoice() {
  const language = useLanguage();
  const [error, setError] = useState<string>();

  async function choose(next: Language) {
    setError(undefined);
    try {
      await speakHere(next);
      const { token, user } = readSession();
      if (token === null || user === null) return;
      await call(chooseLanguage, { body: { language: next } });
      keepSession({ user: { ...user, language: next } });
    } catch {
      setError(t`The language could not be changed. Please try again.`);
    }
  }

  return (
    <NativeSelect
      aria-label={t`Language`}
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
