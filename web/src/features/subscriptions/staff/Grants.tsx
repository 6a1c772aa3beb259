import { plural, t } from '@lingui/core/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { premiumGrantDays } from '#contract/roles.ts';
import { grantPremium, type PremiumGrant, revokePremiumGrant } from '#contract/subscriptions/grants.ts';
import type { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { keyAt, refreshAfter } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useMay, useOwnRole } from '../../../api/session/permission.ts';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';

/** The state of a gift. */
function grantText({ days, startsAt, endsAt, revokedAt, by }: PremiumGrant): string {
  const values = { by, from: formatDate(startsAt), to: formatDate(revokedAt ?? endsAt) };
  return revokedAt === null
    ? t`${plural({ days }, { one: '# day', other: '# days' })}, ${{ from: values.from }} – ${{ to: values.to }}, from ${{ by: values.by }}`
    : t`${plural({ days }, { one: '# day', other: '# days' })} from ${{ by: values.by }}, ended by a colleague on ${{ to: values.to }}`;
}

interface GrantDialogProps {
  userId: string;
  /** The gift to end; null to give one. */
  ended: PremiumGrant | null;
  /** The caller's limit in days. */
  most: number;
  onClose: () => void;
}

/** Asks why premium is given and for how long, or why a gift ends. */
function GrantDialog({ userId, ended, most, onClose }: GrantDialogProps) {
  const [days, setDays] = useState('7');
  const isWrong = ended === null && (!/^[1-9]\d{0,2}$/.test(days.trim()) || Number(days) > most);
  const command = useMutation({
    mutationFn: (reason: string): Promise<unknown> =>
      ended === null
        ? call(grantPremium, { params: { id: userId }, body: { days: Number(days), reason } })
        : call(revokePremiumGrant, { params: { id: ended._id }, body: { reason } }),
    onSuccess: () => {
      void refreshAfter(grantPremium, { id: userId });
      void queryClient.invalidateQueries({
        queryKey: keyAt<typeof listSubscriptions>('/get_user_subscriptions', { userId }),
      });
    },
  });
  return (
    <ReasonDialog
      title={ended === null ? t`Give premium?` : t`End this gift?`}
      description={t`Saved in the audit trail.`}
      confirm={ended === null ? t`Give premium` : t`End gift`}
      {...(ended === null && { color: 'moss' })}
      command={command}
      isDisabled={isWrong}
      onClose={onClose}
    >
      {ended === null ? (
        <>
          <p>
            {t`It starts now, or after what they pay for and earlier gifts, and ends by itself. Nothing is charged. They get an email.`}
          </p>
          <TextInput
            size="md"
            required
            inputMode="numeric"
            label={t`Days`}
            description={t`Your role can give ${most} days at most, and as many to one person in a year.`}
            error={isWrong && days !== '' ? t`Enter a number from 1 to ${most}` : undefined}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
        </>
      ) : (
        <p>{t`They lose premium now, unless they pay for it. A later gift starts at once. They get an email.`}</p>
      )}
    </ReasonDialog>
  );
}

/** The premium that colleagues gave a user, with buttons to give more and to end it early. */
export function Grants({ userId, grants }: { userId: string; grants: readonly PremiumGrant[] }) {
  const mayGrant = useMay('premium.grant');
  const role = useOwnRole();
  const most = role === null ? 0 : premiumGrantDays[role];
  const [openFor, setOpenFor] = useState<'new' | PremiumGrant | null>(null);
  const canEnd = ({ days, revokedAt, endsAt }: PremiumGrant) =>
    mayGrant && revokedAt === null && Date.parse(endsAt) > Date.now() && days <= most;
  return (
    <div>
      {grants.length > 0 && (
        <Text c="dimmed" fz="small">
          {t`Gifts from the team`}
        </Text>
      )}
      <Stack component="ul" gap="0.35rem" my="0.2rem" fz="note">
        {grants.map((grant) => (
          <li key={grant._id}>
            {grantText(grant)}
            <Text component="span" display="block" c="dimmed" dir="auto">
              {grant.reason}
            </Text>
            {canEnd(grant) && (
              <Button variant="subtle" size="compact-sm" ms="-0.5rem" onClick={() => setOpenFor(grant)}>
                {t`End this gift...`}
              </Button>
            )}
          </li>
        ))}
      </Stack>
      {mayGrant && (
        <Buttons>
          <Button variant="default" size="sm" onClick={() => setOpenFor('new')}>
            {t`Give premium...`}
          </Button>
        </Buttons>
      )}
      {openFor !== null && (
        <GrantDialog
          userId={userId}
          ended={openFor === 'new' ? null : openFor}
          most={most}
          onClose={() => setOpenFor(null)}
        />
      )}
    </div>
  );
}
