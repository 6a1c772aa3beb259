import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Refusal } from '../../ui/data/InfiniteList.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** Shows what the member has to do first, in the server's words. */
export function NotYet({ error }: { error: Refusal }) {
  const isUnverified = error.code === 'EMAIL_NOT_VERIFIED';
  const isIncomplete = error.code === 'PROFILE_INCOMPLETE';
  const way = isIncomplete ? '/app/welcome' : '/home';
  return (
    <Notice
      kind="warning"
      action={
        <Button component={Link} to={isUnverified ? '/app/verify-email' : way} variant="default" size="xs">
          {isUnverified ? t`Confirm email` : isIncomplete ? t`Finish your profile` : t`Back to home`}
        </Button>
      }
    >
      {error.message}
    </Notice>
  );
}
