import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { premiumGrantDays } from '#contract/roles.ts';
import { grantPremium, type PremiumGrant, revokePremiumGrant } from '#contract/subscriptions/grants.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useMay, useOwnRole } from '../../../api/session/permission.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';

interface GrantsProps {
  userId: string;
  grants: readonly PremiumGrant[];
}

/** What a gift is, or was. */
function grantText({ days, startsAt, endsAt, revokedAt, by }: PremiumGrant): string {
  const values = { days, by, from: formatDate(startsAt), to: formatDate(revokedAt ?? endsAt) };
  return revokedAt === null
    ? t('{days} days, {from} – {to}, from {by}', values)
    : t('{days} days from {by}, ended by a colleague on {to}', values);
}

/** Premium that colleagues gave a user: giving it, and ending it early. */
export function Grants({ userId, grants }: GrantsProps) {
  const mayGrant = useMay('premium.grant');
  const role = useOwnRole();
  const most = role === null ? 0 : premiumGrantDays[role];
  const [openFor, setOpenFor] = useState<'new' | PremiumGrant | null>(null);
  const [days, setDays] = useState('7');
  const command = useMutation({
    mutationFn: (reason: string): Promise<unknown> =>
      openFor === 'new' || openFor === null
        ? call(grantPremium, { params: { id: userId }, body: { days: Number(days), reason } })
        : call(revokePremiumGrant, { params: { id: openFor._id }, body: { reason } }),
    onSuccess: () => {
      close();
      void queryClient.invalidateQueries({ queryKey: staffKeys.userSubscriptions(userId) });
      void queryClient.invalidateQueries({ queryKey: staffKeys.user(userId) });
    },
  });

  function close() {
    setOpenFor(null);
    command.reset();
  }

  const isOpen = (grant: PremiumGrant) => grant.revokedAt === null && Date.parse(grant.endsAt) > Date.now();
  const isDaysWrong = !/^[1-9]\d{0,2}$/.test(days.trim()) || Number(days) > most;
  const dialog = { description: t('Saved in the audit trail.'), command, onClose: close };
  const onConfirm = (reason: string) => command.mutate(reason);
  return (
    <div>
      {grants.length > 0 && (
        <Text c="dimmed" fz="small">
          {t('Gifts from the team')}
        </Text>
      )}
      <Stack component="ul" gap="0.35rem" mt="0.2rem" fz="note">
        {grants.map((grant) => (
          <li key={grant._id}>
            {grantText(grant)}
            <Text component="span" display="block" c="dimmed" dir="auto">
              {grant.reason}
            </Text>
            {mayGrant && isOpen(grant) && grant.days <= most && (
              <Button variant="subtle" size="compact-sm" ms="-0.5rem" onClick={() => setOpenFor(grant)}>
                {t('End this gift...')}
              </Button>
            )}
          </li>
        ))}
      </Stack>
      {mayGrant && (
        <Buttons>
          <Button variant="default" size="sm" onClick={() => setOpenFor('new')}>
            {t('Give premium...')}
          </Button>
        </Buttons>
      )}
      {openFor === 'new' && (
        <ReasonDialog
          {...dialog}
          title={t('Give premium?')}
          confirm={t('Give premium')}
          color="moss"
          busyText={t('Saving...')}
          isDisabled={isDaysWrong}
          onConfirm={onConfirm}
        >
          <p>
            {t('It starts now, or after an earlier gift, and ends by itself. Nothing is charged. They get an email.')}
          </p>
          <TextInput
            size="md"
            required
            inputMode="numeric"
            label={t('Days')}
            description={t('Your role can give {most} days at most, and as many to one person in a year.', { most })}
            error={isDaysWrong && days !== '' ? t('Enter a number from 1 to {most}', { most }) : undefined}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
        </ReasonDialog>
      )}
      {openFor !== null && openFor !== 'new' && (
        <ReasonDialog
          {...dialog}
          title={t('End this gift?')}
          confirm={t('End gift')}
          busyText={t('Saving...')}
          onConfirm={onConfirm}
        >
          <p>{t('They lose premium now, unless they pay for it. They get an email.')}</p>
        </ReasonDialog>
      )}
    </div>
  );
}
