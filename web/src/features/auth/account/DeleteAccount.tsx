import { t } from '@lingui/core/macro';
import { Box, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { restoreDays } from '#contract/constants.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { deleteAccount } from '../session/session-commands.ts';
import { OwnProofForm } from './ProofForm.tsx';

interface DeleteAccountProps {
  email: string;
  /** No password is required: the account has none, and the person has just confirmed their identity. */
  isProven: boolean;
}

function DeleteDialog({ email, isProven, onClose }: DeleteAccountProps & { onClose: () => void }) {
  return (
    <Dialog title={t`Delete your account?`} size="narrow" onClose={onClose}>
      <Box mb="1.25rem">
        <ul>
          <li>{t`Other members will stop seeing you at once, and you will be signed out everywhere.`}</li>
          <li>{t`Premium will not renew. If you come back before it ends, you can turn renewal on again.`}</li>
          <li>
            {t`For ${{ days: restoreDays }} days you can change your mind: just sign in and restore your account.`}
          </li>
          <li>
            {t`After that, everything is erased for good, except invoices (without your name) and, if someone reported you, the copy that belongs to that report, for two years after it is settled.`}
          </li>
        </ul>
      </Box>
      <OwnProofForm
        email={email}
        text={t`Delete my account`}
        busyText={t`Deleting...`}
        isProven={isProven}
        onProof={deleteAccount}
        onCancel={onClose}
        isInDialog
      />
    </Dialog>
  );
}

/** Deletes the account. It can be restored for 14 days. */
export function DeleteAccount(props: DeleteAccountProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Stack gap="0.85rem">
      <p>
        {t`You can delete your account at any time. For ${{ days: restoreDays }} days after that you can still restore it.`}
      </p>
      <div>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t`Delete my account...`}
        </Button>
      </div>
      {isAsking && <DeleteDialog {...props} onClose={() => setAsking(false)} />}
    </Stack>
  );
}
