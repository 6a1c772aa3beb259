import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseLanguage } from '#contract/auth/auth.ts';
import { type Language, languageNames } from '#contract/languages.ts';
import { call } from '../../../api/call.ts';
import { keepSession, readSession } from '../../../api/session/stored-session.ts';
import { chooseLanguage as speakHere, offeredLanguages } from '../../../ui/text/catalogues.ts';
import { language as spoken } from '../../../ui/text/text.ts';
import { useLanguage } from '../../../ui/text/use-language.ts';

/** The language of everything on this device, and of the account if someone is signed in, by the languages' own names. */
export function LanguageChoice() {
  const language = useLanguage();
  const [hasFailed, setFailed] = useState(false);
  const saving = useMutation({
    // The account gets the last one of several quick choices.
    scope: { id: 'language' },
    mutationFn: async (next: Language) => {
      const { token, user } = readSession();
      if (token === null || user === null || next !== spoken) return;
      await call(chooseLanguage, { body: { language: next } });
      if (next === spoken) keepSession({ user: { ...user, language: next } });
    },
  });

  async function choose(next: Language) {
    setFailed(false);
    try {
      if (await speakHere(next)) saving.mutate(next);
    } catch {
      setFailed(true);
    }
  }

  return (
    <NativeSelect
      aria-label={t`Language`}
      leftSection={<IconLanguage size={18} stroke={1.75} aria-hidden="true" />}
      value={language}
      error={(hasFailed || saving.isError) && t`The language could not be changed. Please try again.`}
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
