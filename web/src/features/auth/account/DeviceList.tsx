import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type SessionView, listSessions } from '#contract/auth/auth.ts';
import { endpointQuery, refreshAfter, useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Row, Rows } from '../../../ui/layout/Rows.tsx';
import { formatExactTime, formatTime, lastActiveText } from '../../../ui/text/format.ts';
import { locale } from '../../../ui/text/text.ts';
import { protectionQuery } from '../queries.ts';
import { ProofForm, type Proof } from './ProofForm.tsx';

const handheld = /iPhone|iPad|Android|Mobile/i;

function Device({ session, now, onEnd }: { session: SessionView; now: number; onEnd: () => void }) {
  const Icon = handheld.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Row
      icon={<Icon size={24} stroke={1.5} aria-hidden="true" />}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            onClick={onEnd}
            aria-label={session.current ? t`Sign out this device` : t`Sign out ${{ device: session.device }}`}
          >
            {t`Sign out`}
          </Button>
        </>
      }
    >
      <Text fw={600}>
        {session.device} {session.current && <Tag tone="positive">{t`This device`}</Tag>}
      </Text>
      <Group component="p" gap="0 1.25rem" mt="0.1rem" c="dimmed" fz="note">
        {session.network !== null && <span>{t`Network ${{ network: session.network }}`}</span>}
        <time dateTime={session.createdAt} title={formatExactTime(session.createdAt, locale)}>
          {t`Signed in ${{ time: formatTime(session.createdAt, locale) }}`}
        </time>
        <time dateTime={session.lastUsedAt} title={formatExactTime(session.lastUsedAt, locale)}>
          {t`Last used: ${{ time: lastActiveText(session.lastUsedAt, now, locale) }}`}
        </time>
      </Group>
    </Row>
  );
}

type EndProof = Pick<Proof, 'code' | 'passkey'>;

/** Signs out another device, or all other devices. */
function useEnding() {
  const endOthers = useMutation({
    mutationFn: (proof: EndProof) => call(endOtherSessions, { body: proof }),
    onSuccess: () => refreshAfter(endOtherSessions),
  });
  const endOne = useCommand(
    endSession,
    ({ id, proof }: { id: string; proof: EndProof }) => ({ params: { id }, body: proof }),
    {
      // The row disappears at once; the list from the server replaces the cached one afterwards.
      onMutate: ({ id }) =>
        queryClient.setQueryData(
          endpointQuery(listSessions).queryKey,
          (known) => known && { sessions: known.sessions.filter(({ _id }) => _id !== id) },
        ),
      waits: true,
    },
  );
  return { endOthers, endOne };
}

/** The devices that are signed in to the account. Each can be signed out; `onSignOutHere` signs out this one. */
export function DeviceList({ onSignOutHere }: { onSignOutHere: () => void }) {
  const now = useNow(60_000);
  const query = useEndpoint(listSessions, {}, { staleTime: 0 });
  const { endOthers, endOne } = useEnding();
  const { data: protection } = useQuery(protectionQuery);
  /** The device to sign out, while the form that asks for a code or a passkey is open. */
  const [asked, setAsked] = useState<{ id: string | null } | null>(null);
  const error = asked === null ? errorMessage(endOne.error ?? endOthers.error) : null;

  function end(id: string | null) {
    const proofs = protection?.proofs;
    if (proofs && (proofs.hasFactor || proofs.hasPasskey)) setAsked({ id });
    else if (id === null) endOthers.mutate({});
    else endOne.mutate({ id, proof: {} });
  }

  return (
    <Stack gap="0.85rem">
      {error !== null && <Notice kind="error">{t`Couldn't sign out the device: ${{ error: error }}`}</Notice>}
      <QueryStates
        query={query}
        loadingText={t`Loading devices...`}
        skeleton={<Skeleton height="8rem" />}
        errorText={(text) => t`Couldn't load your devices: ${{ error: text }}`}
      >
        {({ sessions }) =>
          sessions.length === 0 ? (
            <EmptyState text={t`No devices found`} hint={t`Devices you sign in on appear here.`} />
          ) : (
            <>
              <Rows>
                {sessions.map((session) => (
                  <Device
                    key={session._id}
                    session={session}
                    now={now}
                    onEnd={session.current ? onSignOutHere : () => end(session._id)}
                  />
                ))}
              </Rows>
              {sessions.some(({ current }) => !current) && (
                <div ref={passingFocus}>
                  <BusyButton
                    variant="default"
                    isBusy={endOthers.isPending}
                    busyText={t`Signing out...`}
                    onClick={() => end(null)}
                  >
                    {t`Sign out everywhere else`}
                  </BusyButton>
                </div>
              )}
            </>
          )
        }
      </QueryStates>
      {asked !== null && protection !== undefined && (
        <Dialog
          title={asked.id === null ? t`Sign out everywhere else?` : t`Sign out this device?`}
          size="narrow"
          onClose={() => setAsked(null)}
        >
          <ProofForm
            {...protection.proofs}
            hasPassword={false}
            email=""
            text={t`Sign out`}
            busyText={t`Signing out...`}
            onProof={async (proof) => {
              await (asked.id === null ? endOthers.mutateAsync(proof) : endOne.mutateAsync({ id: asked.id, proof }));
              setAsked(null);
            }}
          />
        </Dialog>
      )}
    </Stack>
  );
}
