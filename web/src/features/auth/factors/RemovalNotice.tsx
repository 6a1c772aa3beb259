import { Box } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { stopRemoval } from '#contract/auth/factors.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';
import { accountChanged } from '../queries.ts';
import { useSession } from '../session/session.ts';

/** Says that two-step verification is about to be turned off, and stops that. */
export function RemovalNotice({ at }: { at: string }) {
  const stop = useMutation({
    mutationFn: () => call(stopRemoval, { body: {} }),
    onSuccess: () => {
      useSession.setState({ secondFactorRemovalAt: null });
      accountChanged();
    },
  });
  return (
    <Notice
      kind="warning"
      action={
        <BusyButton size="sm" isBusy={stop.isPending} busyText={t('Saving...')} onClick={() => stop.mutate()}>
          {t('Keep two-step verification')}
        </BusyButton>
      }
    >
      {t(
        "Someone who knows your password asked to turn off two-step verification. It will be turned off on {date}. If that wasn't you, keep it and change your password.",
        { date: formatDate(at, locale) },
      )}{' '}
      {stop.error && t(errorMessage(stop.error))}
    </Notice>
  );
}

/** The same above every page, for members whose two-step verification is about to be turned off. */
export function RemovalBanner() {
  const at = useSession((session) => session.secondFactorRemovalAt ?? null);
  return (
    at !== null && (
      <Box maw="60rem" mt="1rem" mx="auto" px="1rem">
        <RemovalNotice at={at} />
      </Box>
    )
  );
}
