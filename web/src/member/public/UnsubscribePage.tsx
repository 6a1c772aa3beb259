import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { type MailKind, unsubscribe } from '#contract/notifications.ts';
import { errorCode } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { AuthPage, AuthFields } from '../sign-in/AuthPage.tsx';

const kindNames: Record<MailKind, MessageDescriptor> = {
  message: msg`New messages`,
  match: msg`New matches`,
  like: msg`New likes`,
  report: msg`News about your reports`,
  date: msg`News about your dates`,
  fit: msg`New people who fit`,
  insights: msg`The week in figures`,
};

/** Refusals that mean that the link is invalid. */
const wrongLink = ['NOT_FOUND', 'INVALID_INPUT'];

/** Stops the kinds of email that one email was about, without signing in. Opening the page changes nothing: mail scanners open links. */
export function UnsubscribePage() {
  const { hash } = useLocation();
  const token = hash.slice(1);
  const command = useMutation({
    mutationFn: async () => (await call(unsubscribe, { query: { token } })).data.kinds,
  });
  const isWrong = token === '' || wrongLink.includes(errorCode(command.error) ?? '');
  const isOpen = !isWrong && !command.isSuccess;

  return (
    <AuthPage
      title={t`Fewer emails`}
      lead={
        isOpen &&
        t`This stops emails like the one that led you here. You still see what they were about on {brand}, and you still get emails about the security of your account.`
      }
    >
      <AuthFields>
        {command.isSuccess && (
          <Notice kind="success">
            {t`Done. We no longer email you about:`}
            <Box mt="0.4rem">
              <ul>
                {command.data.map((kind) => (
                  <li key={kind}>{t(kindNames[kind])}</li>
                ))}
              </ul>
            </Box>
          </Notice>
        )}
        {isWrong && (
          <Notice kind="warning">
            {t`This page needs the whole link from one of our emails. Open it from there again, or choose in your settings what we email you.`}
          </Notice>
        )}
        {isOpen && (
          <>
            <ErrorNotice error={command.error} />
            <BusyButton
              size="md"
              isBusy={command.isPending}
              busyText={t`Unsubscribing...`}
              onClick={() => command.mutate()}
            >
              {t`Stop emails like this`}
            </BusyButton>
          </>
        )}
        <Button component={Link} to="/app/settings/notifications" size="md" variant={isOpen ? 'default' : 'filled'}>
          {t`Choose in settings`}
        </Button>
      </AuthFields>
    </AuthPage>
  );
}
