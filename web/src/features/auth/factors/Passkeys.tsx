import { Button, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type PasskeyView, removePasskey, renamePasskey } from '#contract/auth/passkeys.ts';
import { passkeyNameMaxLength, passkeysMax } from '#contract/constants.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { addPasskey, canUsePasskeys } from './passkey-ceremony.ts';
import { ProofForm } from '../account/ProofForm.tsx';
import classes from '../account.module.css';
import { protectionChanged, useProtection } from './security-queries.ts';

interface PasskeyProps {
  passkey: PasskeyView;
  onRename: () => void;
  onRemove: () => void;
}

function Passkey({ passkey, onRename, onRemove }: PasskeyProps) {
  const t = useText();
  const locale = useLocale();
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className={classes.passkey}>
      <IconKey size={24} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <div>
        <p className={classes.name}>
          {name} {passkey.isSynced && <Tag tone="quiet">{t('On all your devices')}</Tag>}
        </p>
        <p className={classes.facts}>
          <span>{t('Made {date}', { date: formatDate(createdAt, locale) })}</span>
          <span>
            {lastUsedAt === null ? t('Not used yet') : t('Last used: {time}', { time: formatDate(lastUsedAt, locale) })}
          </span>
        </p>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" size="xs" onClick={onRename} aria-label={t('Rename {name}', { name })}>
          {t('Rename')}
        </Button>
        <Button variant="default" size="xs" onClick={onRemove} aria-label={t('Remove {name}', { name })}>
          {t('Remove')}
        </Button>
      </div>
    </li>
  );
}

function RenameDialog({ passkey, onClose, onDone }: { passkey: PasskeyView; onClose: () => void; onDone: () => void }) {
  const t = useText();
  const [name, setName] = useState(passkey.name);
  const command = useCommand();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const params = { id: passkey._id };
    if (await command.run(() => call(renamePasskey, { params, body: { name: name.trim() } }))) onDone();
  }

  return (
    <Dialog title={t('Rename this passkey')} size="narrow" onClose={onClose}>
      <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
        <TextInput
          size="md"
          required
          data-autofocus
          label={t('Name')}
          maxLength={passkeyNameMaxLength}
          value={name}
          error={command.error === null ? undefined : t(command.error)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            command.reset();
          }}
        />
        <div className={classes.buttons}>
          <BusyButton type="submit" isBusy={command.isPending} busyText={t('Saving...')}>
            {t('Save')}
          </BusyButton>
        </div>
      </form>
    </Dialog>
  );
}

type Asked = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyView };

/** One's passkeys: made, called something, and taken out of use. */
export function Passkeys({ email }: { email: string }) {
  const t = useText();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { query } = useProtection();
  const close = () => setAsked(null);
  const changed = () => {
    close();
    protectionChanged();
  };
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading passkeys...')}
      skeleton={<Bone height="5rem" />}
      errorText={(error) => t('Error loading passkeys: {error}', { error })}
    >
      {({ passkeys, needs }) => (
        <div className={classes.wide}>
          {passkeys.length > 0 && (
            <ul className={classes.passkeys} aria-label={t('Passkeys')}>
              {passkeys.map((passkey) => (
                <Passkey
                  key={passkey._id}
                  passkey={passkey}
                  onRename={() => setAsked({ what: 'rename', passkey })}
                  onRemove={() => setAsked({ what: 'remove', passkey })}
                />
              ))}
            </ul>
          )}
          {!canUsePasskeys() && <Notice kind="info">{t('This browser cannot make passkeys here.')}</Notice>}
          {canUsePasskeys() && passkeys.length < passkeysMax && (
            <div className={classes.buttons}>
              <Button variant="default" onClick={() => setAsked({ what: 'add' })}>
                {t('Add a passkey...')}
              </Button>
            </div>
          )}
          {asked?.what === 'add' && (
            <Dialog title={t('Add a passkey')} size="narrow" onClose={close}>
              <ProofForm
                {...needs}
                email={email}
                text={t('Make a passkey')}
                busyText={t('Making it...')}
                onProof={async (proof) => {
                  await addPasskey(proof);
                  changed();
                }}
              >
                <p className={classes.text}>
                  {t('Your device asks for your finger, face or PIN then, and keeps the passkey.')}
                </p>
              </ProofForm>
            </Dialog>
          )}
          {asked?.what === 'rename' && <RenameDialog passkey={asked.passkey} onClose={close} onDone={changed} />}
          {asked?.what === 'remove' && (
            <Dialog title={t('Remove {name}?', { name: asked.passkey.name })} size="narrow" onClose={close}>
              <ProofForm
                {...needs}
                email={email}
                text={t('Remove it')}
                busyText={t('Removing...')}
                onProof={async (proof) => {
                  await call(removePasskey, { params: { id: asked.passkey._id }, body: proof });
                  changed();
                }}
              >
                <p className={classes.text}>{t('It signs nobody in any more. Your other ways to sign in stay.')}</p>
              </ProofForm>
            </Dialog>
          )}
        </div>
      )}
    </QueryStates>
  );
}
