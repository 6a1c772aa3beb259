import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { changePassword } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { lengthOf } from '../../../ui/text/text.ts';
import { accountChanged } from '../queries.ts';
import { OwnProofForm } from './ProofForm.tsx';

interface ChangePasswordProps {
  /** The account's email address, for password managers. */
  email: string;
  isStaff: boolean;
  /** The account has no password yet, and the person has just confirmed their identity. */
  isFirst?: boolean;
}

/** Changes the password, or sets the first one. All other devices are signed out. */
export function ChangePassword({ email, isStaff, isFirst = false }: ChangePasswordProps) {
  const [isDone, setDone] = useState(false);
  const minLength = isStaff ? staffPasswordMinLength : memberPasswordMinLength;
  return (
    <Stack maw="26rem">
      {isDone && <Notice kind="success">{t`Password changed. Your other devices were signed out.`}</Notice>}
      <OwnProofForm
        email={email}
        isProven={isFirst}
        text={isFirst ? t`Set password` : t`Change password`}
        busyText={isFirst ? t`Setting...` : t`Changing...`}
        extra={{
          newPassword: {
            label: t`New password`,
            description: t`At least ${{ count: minLength }} characters. Common passwords are not accepted.`,
          },
        }}
        check={({ newPassword }) =>
          lengthOf(newPassword) >= minLength
            ? []
            : [{ field: 'newPassword', msg: t`Use at least ${{ count: minLength }} characters` }]
        }
        onProof={async ({ password: currentPassword, ...proof }, { newPassword: password }) => {
          setDone(false);
          await call(changePassword, { body: { ...proof, currentPassword, password } });
          setDone(true);
          accountChanged();
        }}
      />
    </Stack>
  );
}
