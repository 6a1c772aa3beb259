import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  addIdentity,
  identityProviders,
  type IdentityProvider,
  removeIdentity,
  type WaysIn,
  listIdentities,
} from '#contract/auth/identities.ts';
import { listSessions } from '#contract/auth/auth.ts';
import { endpointQuery } from '../../../api/endpoint-query.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Row, Rows } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale } from '../../../ui/text/text.ts';
import { ConfirmIdentity } from '../account/ConfirmIdentity.tsx';
import { type Proof, ProofForm, type Proofs } from '../account/ProofForm.tsx';
import { protectionQuery, useWaysToSignIn } from '../queries.ts';
import {
  beginTrip,
  type IdentityToken,
  providerNames,
  type SignInWith,
  useSettledReturn,
  useSignInWith,
} from '../sign-in/identities.ts';
import { ProviderLogo } from '../sign-in/IdentityButtons.tsx';

const keepWays = (ways: WaysIn) => queryClient.setQueryData(endpointQuery(listIdentities).queryKey, ways);

interface WayProps {
  icon: ReactNode;
  name: string;
  state: string;
  children?: ReactNode;
}

function Way({ icon, name, state, children }: WayProps) {
  return (
    <Row icon={icon} actions={<>{children}</>}>
      <Text fw={600}>{name}</Text>
      <Group component="p" gap="0 1.25rem" mt="0.1rem" c="dimmed" fz="note">
        {state}
      </Group>
    </Row>
  );
}

interface ProviderWayProps {
  provider: IdentityProvider;
  /** Null if it is not linked. */
  linkedAt: string | null;
  isBusy: boolean;
  /** Null if it cannot be linked here. */
  onLink: (() => void) | null;
  onUnlink: () => void;
}

function ProviderWay({ provider, linkedAt, isBusy, onLink, onUnlink }: ProviderWayProps) {
  const name = providerNames[provider];
  return (
    <Way
      icon={<ProviderLogo provider={provider} size={24} />}
      name={name}
      state={linkedAt === null ? t`Not linked` : t`Linked ${{ date: formatDate(linkedAt, locale) }}`}
    >
      {linkedAt !== null && (
        <Button variant="default" aria-label={t`Unlink ${{ provider: name }}`} onClick={onUnlink}>
          {t`Unlink...`}
        </Button>
      )}
      {linkedAt === null && onLink !== null && (
        <Button
          variant="default"
          aria-label={t`Link ${{ provider: name }}`}
          aria-disabled={isBusy || undefined}
          onClick={onLink}
        >
          {t`Link...`}
        </Button>
      )}
    </Way>
  );
}

interface ProviderDialogProps {
  provider: IdentityProvider;
  email: string;
  proofs: Proofs;
  onProof: (proof: Proof) => Promise<unknown>;
  onClose: () => void;
}

function LinkDialog({ provider, email, proofs, onProof, onClose }: ProviderDialogProps) {
  const name = { provider: providerNames[provider] };
  return (
    <Dialog title={t`Link ${{ provider: name.provider }}?`} size="narrow" onClose={onClose}>
      <ProofForm {...proofs} email={email} text={t`Link account`} busyText={t`Linking...`} onProof={onProof}>
        <p>{t`You can then sign in with ${{ provider: name.provider }}.`}</p>
      </ProofForm>
    </Dialog>
  );
}

function UnlinkDialog({ provider, email, proofs, onProof, onClose }: ProviderDialogProps) {
  const name = { provider: providerNames[provider] };
  return (
    <Dialog title={t`Unlink ${{ provider: name.provider }}?`} size="narrow" onClose={onClose}>
      <ProofForm {...proofs} email={email} text={t`Unlink account`} busyText={t`Unlinking...`} onProof={onProof}>
        <p>
          {t`You won't be able to sign in with ${{ provider: name.provider }} any more, and your other devices will be signed out. Your other sign-in methods stay.`}
        </p>
      </ProofForm>
    </Dialog>
  );
}

type OpenDialog =
  | { what: 'add'; provider: IdentityProvider; token: IdentityToken }
  | { what: 'remove'; provider: IdentityProvider }
  /** People with no other proof confirm their identity before they are sent to another provider. */
  | { what: 'confirm' };

interface ListProps {
  ways: WaysIn;
  places: SignInWith;
  email: string;
}

function List({ ways, places, email }: ListProps) {
  const protection = useQuery(protectionQuery);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const leaving = useMutation({ mutationFn: (go: () => Promise<void>) => go() });
  const result = useRef<HTMLDivElement>(null);
  const { isConfirmed, error } = useSettledReturn({
    onLink: (provider, token) => setOpen({ what: 'add', provider, token }),
    onConfirmed: keepWays,
  });
  const close = () => setOpen(null);
  const proofs = protection.data?.proofs;
  const linked = (provider: IdentityProvider) => ways.identities.find((identity) => identity.provider === provider);
  const shownProviders = identityProviders.filter((one) => places[one] !== null || linked(one) !== undefined);
  const hasResult = isConfirmed || error !== null;

  useEffect(() => {
    // By then the browser has already returned the focus to the form that was opened.
    if (hasResult && document.activeElement === document.body) result.current?.scrollIntoView({ block: 'center' });
  }, [hasResult]);

  function link(provider: IdentityProvider, place: NonNullable<SignInWith[IdentityProvider]>) {
    const hasProof = proofs === undefined || proofs.hasPassword || proofs.hasFactor || proofs.hasPasskey;
    const isFresh = ways.freshUntil !== null && Date.parse(ways.freshUntil) > Date.now();
    if (hasProof || isFresh) leaving.mutate(() => beginTrip(provider, place, 'link'));
    else setOpen({ what: 'confirm' });
  }

  async function finish(command: Promise<{ data: WaysIn }>) {
    keepWays((await command).data);
    // Unlinking signs out the other devices.
    void queryClient.invalidateQueries({ queryKey: [listSessions.path] });
    close();
    result.current?.scrollIntoView({ block: 'center' });
  }

  return (
    <Stack>
      <div ref={result}>
        {isConfirmed && <Notice kind="success">{t`Thanks, that's confirmed for the next ten minutes.`}</Notice>}
        {error !== null && <Notice kind="error">{error}</Notice>}
        {leaving.error && <Notice kind="error">{errorMessage(leaving.error)}</Notice>}
      </div>
      <Rows aria-label={t`Sign-in methods`}>
        <Way
          icon={<IconLock size={24} stroke={1.5} aria-hidden="true" />}
          name={t`Password`}
          state={ways.hasPassword ? t`Set` : t`Not set; you can choose one above`}
        />
        {shownProviders.map((provider) => {
          const place = places[provider];
          return (
            <ProviderWay
              key={provider}
              provider={provider}
              linkedAt={linked(provider)?.linkedAt ?? null}
              isBusy={leaving.isPending}
              onLink={place === null ? null : () => link(provider, place)}
              onUnlink={() => setOpen({ what: 'remove', provider })}
            />
          );
        })}
      </Rows>
      {open?.what === 'confirm' && (
        <Dialog title={t`Confirm it's you`} size="narrow" onClose={close}>
          <ConfirmIdentity />
        </Dialog>
      )}
      {open?.what === 'add' && proofs && (
        <LinkDialog
          provider={open.provider}
          email={email}
          proofs={proofs}
          onProof={(proof) => finish(call(addIdentity, { body: { ...open.token, ...proof } }))}
          onClose={close}
        />
      )}
      {open?.what === 'remove' && proofs && (
        <UnlinkDialog
          provider={open.provider}
          email={email}
          proofs={proofs}
          onProof={(proof) => finish(call(removeIdentity, { params: { provider: open.provider }, body: proof }))}
          onClose={close}
        />
      )}
    </Stack>
  );
}

/** The ways in which the member can sign in: which are set up, and which can be linked or unlinked. */
export function WaysToSignIn({ email }: { email: string }) {
  const places = useSignInWith();
  return (
    <QueryStates
      query={useWaysToSignIn()}
      loadingText={t`Loading your sign-in methods...`}
      skeleton={<Skeleton height="9rem" />}
      errorText={(error) => t`Couldn't load your sign-in methods: ${error}`}
    >
      {(data) =>
        places === undefined ? <Skeleton height="9rem" /> : <List ways={data} places={places} email={email} />
      }
    </QueryStates>
  );
}
