import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type PasskeyView, removePasskey, renamePasskey } from '#contract/auth/passkeys.ts';
import { passkeyNameMaxLength, passkeysMax } from '#contract/constants.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Buttons, Row, Rows } from '../../../ui/layout/Rows.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale, unitsFor } from '../../../ui/text/text.ts';
import { ProofForm } from '../account/ProofForm.tsx';
import { accountChanged, protectionQuery } from '../queries.ts';
import { addPasskey, canUsePasskeys } from './passkey-ceremony.ts';

interface PasskeyProps {
  passkey: PasskeyView;
  onRename: () => void;
  onRemove: () => void;
}

function Passkey({ passkey, onRename, onRemove }: PasskeyProps) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <Row
      icon={<IconKey size={24} stroke={1.5} aria-hidden="true" />}
      actions={
        <>
          <Button variant="default" size="xs" onClick={onRename} aria-label={t`Rename ${name}`}>
            {t`Rename`}
          </Button>
          <Button variant="default" size="xs" onClick={onRemove} aria-label={t`Remove ${name}`}>
            {t`Remove`}
          </Button>
        </>
      }
    >
      <Text fw={600}>
        {name} {passkey.isSynced && <Tag tone="quiet">{t`On all your devices`}</Tag>}
      </Text>
      <Group component="p" gap="0 1.25rem" mt="0.1rem" c="dimmed" fz="note">
        <span>{t`Created ${{ date: formatDate(createdAt, locale) }}`}</span>
        <span>{lastUsedAt === null ? t`Not used yet` : t`Last used: ${{ time: formatDate(lastUsedAt, locale) }}`}</span>
      </Group>
    </Row>
  );
}

function RenameDialog({ passkey, onClose, onDone }: { passkey: PasskeyView; onClose: () => void; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(passkey.name);
  const command = useMutation({
    mutationFn: () => call(renamePasskey, { params: { id: passkey._id }, body: { name: name.trim() } }),
    onSuccess: onDone,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!command.isPending) command.mutate();
  }

  return (
    <FormDialog
      title={t`Rename passkey`}
      size="narrow"
      form={{ form, submit, isPending: command.isPending, problem: null }}
      sendText={t`Save`}
      onClose={onClose}
    >
      <TextInput
        size="md"
        required
        data-autofocus
        label={t`Name`}
        maxLength={unitsFor(passkeyNameMaxLength)}
        value={name}
        error={command.error && errorMessage(command.error)}
        onChange={(event) => {
          setName(event.currentTarget.value);
          command.reset();
        }}
      />
    </FormDialog>
  );
}

type OpenDialog = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyView };

/** The account's passkeys: create, rename and remove them. */
export function Passkeys({ email }: { email: string }) {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const changed = () => {
    close();
    accountChanged();
  };
  return (
    <QueryStates
      query={useQuery(protectionQuery)}
      loadingText={t`Loading passkeys...`}
      skeleton={<Skeleton height="5rem" />}
      errorText={(error) => t`Couldn't load your passkeys: ${error}`}
    >
      {({ passkeys, proofs }) => (
        <Stack gap="0.85rem">
          {passkeys.length > 0 && (
            <Rows aria-label={t`Passkeys`}>
              {passkeys.map((passkey) => (
                <Passkey
                  key={passkey._id}
                  passkey={passkey}
                  onRename={() => setOpen({ what: 'rename', passkey })}
                  onRemove={() => setOpen({ what: 'remove', passkey })}
                />
              ))}
            </Rows>
          )}
          {!canUsePasskeys() && <Notice kind="info">{t`This browser doesn't support passkeys here.`}</Notice>}
          {canUsePasskeys() && passkeys.length < passkeysMax && (
            <Buttons>
              <Button variant="default" onClick={() => setOpen({ what: 'add' })}>
                {t`Add a passkey...`}
              </Button>
            </Buttons>
          )}
          {open?.what === 'add' && (
            <Dialog title={t`Add a passkey`} size="narrow" onClose={close}>
              <ProofForm
                {...proofs}
                email={email}
                text={t`Create passkey`}
                busyText={t`Creating...`}
                onProof={async (proof) => {
                  await addPasskey(proof);
                  changed();
                }}
              >
                <p>{t`Your device asks for your fingerprint, face or PIN, then saves the passkey.`}</p>
              </ProofForm>
            </Dialog>
          )}
          {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} onDone={changed} />}
          {open?.what === 'remove' && (
            <Dialog title={t`Remove ${{ name: open.passkey.name }}?`} size="narrow" onClose={close}>
              <ProofForm
                {...proofs}
                email={email}
                text={t`Remove passkey`}
                busyText={t`Removing...`}
                onProof={async (proof) => {
                  await call(removePasskey, { params: { id: open.passkey._id }, body: proof });
                  changed();
                }}
              >
                <p>
                  {t`You won't be able to sign in with it any more, and your other devices will be signed out. Your other sign-in methods stay.`}
                </p>
              </ProofForm>
            </Dialog>
          )}
        </Stack>
      )}
    </QueryStates>
  );
}
