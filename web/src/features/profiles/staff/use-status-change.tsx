import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../../api/api-error.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { personName } from '../../../ui/text/person.ts';
import type { StatusRequest } from './StatusDialog.tsx';
import { useChangeUser } from './queries.ts';

/** In its own chunk, which is loaded before it is needed. */
const [StatusDialog, preloadStatusDialog] = lazyPart(async () => (await import('./StatusDialog.tsx')).StatusDialog);

type Outcome = { kind: 'success' | 'error'; text: string; request: StatusRequest };

const updateFailed = msg`Failed to update status. Please try again.`;

/** The server's message if it refused; for any other failure the alert from the specification. */
function failureText(error: unknown): string {
  return error instanceof ApiError && error.status !== null && error.status < 500 ? error.message : t(updateFailed);
}

/**
 * Activates and deactivates users: asks for a reason, shows the change at once, and rolls it back with an alert if it
 * fails.
 */
export function useStatusChange(): {
  ask: (user: Pick<ListedUser, '_id' | 'firstName' | 'lastName' | 'name'>, isActive: boolean) => void;
  parts: ReactNode;
} {
  const change = useChangeUser();
  const [asked, setAsked] = useState<StatusRequest | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(preloadStatusDialog, []);

  async function confirm(request: StatusRequest) {
    const { id, name, isActive, reason } = request;
    setAsked(null);
    setOutcome(null);
    try {
      await change.mutateAsync({ id, change: { isActive, reason } });
      const text = isActive ? t`${name} is active again.` : t`${name} is deactivated.`;
      setOutcome({ kind: 'success', text, request });
    } catch (error) {
      setOutcome({ kind: 'error', text: failureText(error), request });
    }
  }

  const tryAgain = outcome?.kind === 'error' && outcome.text === t(updateFailed) && (
    <Button
      size="xs"
      variant="default"
      onClick={() => {
        setAsked(outcome.request);
        setOutcome(null);
      }}
    >
      {t`Try again`}
    </Button>
  );

  return {
    ask: (user, isActive) => setAsked({ id: user._id, name: personName(user) ?? t`Unknown`, isActive, reason: '' }),
    parts: (
      <>
        {asked !== null && (
          <StatusDialog request={asked} onConfirm={(request) => void confirm(request)} onClose={() => setAsked(null)} />
        )}
        {outcome !== null && (
          <FloatingNotice kind={outcome.kind} action={tryAgain} onClose={() => setOutcome(null)}>
            {outcome.text}
          </FloatingNotice>
        )}
      </>
    ),
  };
}
