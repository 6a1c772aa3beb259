import { t } from '@lingui/core/macro';
import { Box, Button, Stack } from '@mantine/core';
import { IconPencil, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AdminUser } from '#contract/profiles/user.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { formatDay, formatNumber, formatTime } from '../../../ui/text/format.ts';
import { UserFacts, UserHead } from './UserDetails.tsx';
import { UserEditActions } from './UserEditActions.tsx';
import { UserEditForm } from './UserEditForm.tsx';
import { genderWord } from '../../../ui/text/person.ts';
import { useStatusChange } from './use-status-change.tsx';
import { usePendingChanges, useChangeUser } from './queries.ts';
import classes from './users.module.css';
import { roleNames } from '#contract/roles.ts';

/** Facts that only staff see: role, sessions, and whether and why the account is deactivated. */
function AccountFacts({ user }: { user: AdminUser }) {
  const isShut = user.deactivatedAt !== null && !user.isActive;
  const seeking = user.seeking.map((gender) => genderWord({ gender, genderText: null }) ?? gender);
  return (
    <Facts
      facts={[
        [t`Role`, user.staffRole === null ? t`Member` : t(roleNames[user.staffRole])],
        [t`Signed-in devices`, formatNumber(user.sessionCount)],
        [t`Birth date`, user.birthDate === null ? t`N/A` : formatDay(user.birthDate)],
        [t`Seeking`, seeking.join(', ') || t`N/A`],
        [t`Shows last active`, user.settings.showLastActive ? t`Yes` : t`No`],
        isShut && [t`Deactivated`, formatTime(user.deactivatedAt)],
        isShut && [t`Reason given`, user.deactivationReason ?? '—', true],
        user.pausedAt !== null && [t`Profile paused`, formatTime(user.pausedAt)],
        user.leavingSince !== null && [t`Leaving since`, formatTime(user.leavingSince)],
      ]}
    />
  );
}

interface StatusButtonProps {
  user: AdminUser;
  /** A change of the status has not been confirmed by the server yet. */
  isPending: boolean;
  onAsk: (user: AdminUser, isActive: boolean) => void;
}

/** Deactivates an active account or activates an inactive one; nothing for those who may not deactivate it. */
function StatusButton({ user, isPending, onAsk }: StatusButtonProps) {
  if (user.isActive && !user.can.deactivate && !isPending) return null;
  return user.isActive ? (
    <Button
      variant="default"
      leftSection={<IconUserOff size={17} stroke={1.75} aria-hidden="true" />}
      onClick={() => onAsk(user, false)}
    >
      {t`Deactivate`}
    </Button>
  ) : (
    <Button
      variant="default"
      leftSection={<IconUserCheck size={17} stroke={1.75} aria-hidden="true" />}
      onClick={() => onAsk(user, true)}
    >
      {t`Activate`}
    </Button>
  );
}

interface UserProfileProps {
  user: AdminUser;
  /** What the team knows about the user, below the profile. */
  file: ReactNode;
  /** The user's pictures. */
  pictures: ReactNode;
  /** Additional content next to the account's facts. */
  aside?: ReactNode;
}

/** The page of one user: the facts, the form that changes them, and the state of the account. */
export function UserProfile({ user: answered, file, pictures, aside }: UserProfileProps) {
  const now = useNow(60_000);
  const formId = useId();
  const [params, setParams] = useSearchParams();
  const changing = useChangeUser();
  const [isSaved, setSaved] = useState(false);
  const [isResolving, setResolving] = useState(false);
  const status = useStatusChange();
  const pending = usePendingChanges().get(answered._id);
  const user = pending === undefined ? answered : { ...answered, ...pending };
  const isEditing = params.get('edit') === 'true' && user.can.edit;

  function edit(isOpen: boolean) {
    setParams(isOpen ? { edit: 'true' } : {}, { replace: true, preventScrollReset: true });
  }

  return (
    <>
      {isSaved && (
        <Box mb="1.25rem">
          <Notice kind="success">{t`The changes are saved.`}</Notice>
        </Box>
      )}
      <Columns isSideSecond>
        <Box>
          <Panel title={isEditing ? t`Edit profile` : t`Profile`}>
            {isEditing ? (
              <>
                <UserEditForm
                  id={formId}
                  user={answered}
                  changing={changing}
                  onConflicts={setResolving}
                  onSaved={() => {
                    setSaved(true);
                    edit(false);
                  }}
                />
                <div className={classes.actions}>
                  <UserEditActions
                    userId={user._id}
                    formId={formId}
                    isSaving={changing.isPending}
                    isResolving={isResolving}
                    onCancel={() => edit(false)}
                  />
                </div>
              </>
            ) : (
              <>
                <UserHead user={user} isNamed={false} />
                <UserFacts user={user} now={now} />
                {user.can.edit && (
                  <div className={classes.actions}>
                    <StatusButton user={user} isPending={pending !== undefined} onAsk={status.ask} />
                    <Button
                      leftSection={<IconPencil size={17} stroke={1.75} aria-hidden="true" />}
                      onClick={() => {
                        setSaved(false);
                        edit(true);
                      }}
                    >
                      {t`Edit User`}
                    </Button>
                  </div>
                )}
              </>
            )}
          </Panel>
        </Box>
        <Stack gap="1.25rem" data-in-order>
          <Panel title={t`Account`}>
            <AccountFacts user={user} />
          </Panel>
          {aside}
        </Stack>
        <Stack gap="1.25rem" data-in-order>
          {file}
          {pictures && <Panel title={t`Pictures`}>{pictures}</Panel>}
        </Stack>
      </Columns>
      {status.parts}
    </>
  );
}
