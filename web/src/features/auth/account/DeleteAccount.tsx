import { Button } from '@mantine/core';
import { useState } from 'react';
import { restoreDays } from '#contract/constants.ts';
import { useCommand } from '../../../api/use-command.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { PasswordForm } from '../../../ui/form/PasswordForm.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { leave } from '../session/session-commands.ts';

interface LeaveProps {
  email: string;
  /** They need not enter a password: they have none. */
  isProven: boolean;
}

function LeaveDialog({ email, isProven, onClose }: LeaveProps & { onClose: () => void }) {
  const t = useText();
  const command = useCommand();
  return (
    <Dialog title={t('Delete your account?')} size="narrow" onClose={onClose}>
      <ul className={classes.deletePoints}>
        <li>{t('Nobody sees you any more from this moment, and every device is signed out.')}</li>
        <li>
          {t('For {days} days you can return: sign in as usual, and we offer you the way back.', { days: restoreDays })}
        </li>
        <li>{t('Premium is not renewed. If you return, you can take that back before its end.')}</li>
        <li>
          {t(
            'After that it is erased for good. Only a copy that belongs to a report about you stays, until two years after it is settled, and invoices without your name.',
          )}
        </li>
      </ul>
      <PasswordForm
        email={email}
        text={t('Delete my account')}
        busyText={t('Deleting...')}
        isBusy={command.isPending}
        error={command.error}
        isWrongPassword={command.code === 'WRONG_PASSWORD'}
        isProven={isProven}
        onEdit={command.reset}
        onSubmit={(password) => command.run(() => leave(password))}
      />
    </Dialog>
  );
}

/** The way out of the service, with 14 days to return. */
export function LeaveAccount({ email, isProven }: LeaveProps) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p className={classes.deleteText}>
        {t('You can go at any time. For {days} days you can come back, and find everything as you left it.', {
          days: restoreDays,
        })}
      </p>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('Delete my account...')}
      </Button>
      {isAsking && <LeaveDialog email={email} isProven={isProven} onClose={() => setAsking(false)} />}
    </>
  );
}
