import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { inWords, type Words } from '#contract/service/words.ts';
import { language } from '../../ui/text/text.ts';
import { AuthPage } from './AuthPage.tsx';

/** Replaces the page to join while the owner lets no one in, or only people with an invitation, and shows the owner's reason. */
export function JoinClosed({ sentence, isByInvitation }: { sentence: Words; isByInvitation: boolean }) {
  const reason = inWords(sentence, language);
  return (
    <AuthPage
      title={t`Join {brand}`}
      lead={
        isByInvitation
          ? t`You can join with an invitation. Open the link that you got.`
          : t`No one can join at the moment.`
      }
      foot={
        <p>
          {t`Already a member?`} <Link to="/app/sign-in">{t`Sign in`}</Link>
        </p>
      }
    >
      <Text style={{ whiteSpace: 'pre-line' }}>
        {reason === '' && !isByInvitation ? t`Please come back later.` : reason}
      </Text>
    </AuthPage>
  );
}
