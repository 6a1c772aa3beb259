import { t } from '@lingui/core/macro';
import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as help from '#contract/auth/help.ts';
import { outranks } from '#contract/roles.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { useMay, useOwnRole } from '../../../api/session/permission.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { type Act, ActWithReason } from '../factors/StaffActs.tsx';

interface HelpDeskProps {
  user: AdminUser;
  name: string;
}

/** The acts that make sense for this user, in the order of how often they are needed. */
function useHelpActs({ user, name }: HelpDeskProps): Act[] {
  const [email, setEmail] = useState('');
  const [wasPaused, setWasPaused] = useState(true);
  const { _id: id, isEmailVerified, isActive, leavingSince, staffRole } = user;
  const isUsable = isActive && leavingSince === null;
  const busyText = t`One moment...`;
  const params = { id };
  return [
    isUsable &&
      !isEmailVerified && {
        button: t`Send the confirmation again...`,
        title: t`Send ${name} the confirmation again?`,
        text: t`It goes to the address on file, with a new code and link.`,
        confirm: t`Send confirmation`,
        done: t`The confirmation was sent.`,
        send: (reason: string) => call(help.helpConfirmation, { params, body: { reason } }),
      },
    isUsable &&
      !isEmailVerified &&
      staffRole === null && {
        button: t`Correct the address...`,
        title: t`Correct ${name}'s email address?`,
        text: t`Only for an address that was never confirmed, such as one with a typing error. They will be signed out everywhere, and no password can be reset for 24 hours. Both addresses will get an email.`,
        fields: (
          <TextInput
            type="email"
            size="md"
            required
            label={t`Correct address`}
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        ),
        isIncomplete: email.trim() === '',
        confirm: t`Correct address`,
        done: t`The address was corrected, and a confirmation sent to it.`,
        send: (reason: string) => call(help.helpAddress, { params, body: { email, reason } }),
      },
    {
      button: t`Send a reset link...`,
      title: t`Send ${name} a link to choose a new password?`,
      text: t`It goes to the address on file and works for 30 minutes.`,
      confirm: t`Send link`,
      done: t`The link was sent to their address.`,
      send: (reason: string) => call(help.helpResetLink, { params, body: { reason } }),
    },
    {
      button: t`Unlock sign-in...`,
      title: t`Let ${name} try to sign in again?`,
      text: t`This ends the wait after wrong passwords and codes. They get an email about it.`,
      confirm: t`Unlock sign-in`,
      done: wasPaused ? t`They can try to sign in again.` : t`Nothing was locked. They can try to sign in as before.`,
      send: async (reason: string) => {
        const { data } = await call(help.helpUnlock, { params, body: { reason } });
        setWasPaused(data.wasPaused);
      },
    },
    leavingSince === null &&
      isEmailVerified &&
      staffRole === null && {
        button: t`Start a data export...`,
        title: t`Prepare ${name}'s data?`,
        text: t`Only they will get an email about how to download it. You won't see it.`,
        confirm: t`Start export`,
        done: t`They get an email once their data is ready.`,
        send: (reason: string) => call(help.helpExport, { params, body: { reason } }),
      },
    leavingSince !== null &&
      isActive && {
        button: t`Send a link to restore...`,
        title: t`Send ${name} a link to keep the account?`,
        text: t`It goes to the address on file. The account stays as it is until they use the link.`,
        confirm: t`Send link`,
        done: t`The link was sent to their address.`,
        send: (reason: string) => call(help.helpRestore, { params, body: { reason } }),
      },
  ]
    .filter((act) => act !== false)
    .map((act) => ({ ...act, busyText }));
}

/** The help that staff can give to people who can't sign in. Links go only to the person's mailbox; each act needs a reason. */
export function HelpDesk({ user, name }: HelpDeskProps) {
  const role = useOwnRole();
  const mayHelp = useMay('users.help');
  const acts = useHelpActs({ user, name });
  if (!mayHelp || !user.can.act || (user.staffRole !== null && !outranks(role, user.staffRole))) return null;
  return (
    <Panel title={t`Help`} lead={t`For people who can't sign in. Links go to their mailbox only.`}>
      <Stack gap="0.5rem">
        {acts.map((act) => (
          <ActWithReason key={act.button} act={act} userId={user._id} />
        ))}
      </Stack>
    </Panel>
  );
}
