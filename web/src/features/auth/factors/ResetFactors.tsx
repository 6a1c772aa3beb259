import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import { resetFactors } from '#contract/auth/factors.ts';
import { reasonMaxLength } from '#contract/constants.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';

interface AskProps {
  userId: string;
  name: string;
  onClose: () => void;
  onDone: () => void;
}

function AskDialog({ userId, name, onClose, onDone }: AskProps) {
  const t = useText();
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const command = useCommand();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() === '') return field.current?.focus();
    const params = { id: userId };
    if (await command.run(() => call(resetFactors, { params, body: { reason: reason.trim() } }))) onDone();
  }

  return (
    <Dialog
      title={t('Reset the second step of {name}?', { name })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton type="submit" form={formId} isBusy={command.isPending} busyText={t('Resetting...')}>
            {t('Reset')}
          </BusyButton>
        </>
      }
    >
      <form id={formId} noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
        <p className={classes.text}>
          {t(
            'Make sure that it is really them who ask, by a call or face to face. Their second step and passkeys go, and every device of theirs is signed out. They then sign in with their password and set a new second step up.',
          )}
        </p>
        {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
        <Textarea
          ref={field}
          label={t('Reason')}
          description={t('Kept in the audit trail.')}
          error={isMissing && t('Please give a reason')}
          value={reason}
          rows={3}
          required
          data-autofocus
          maxLength={reasonMaxLength}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setMissing(false);
            command.reset();
          }}
        />
      </form>
    </Dialog>
  );
}

/** For an administrator: takes second step and passkeys of a colleague away who lost them. */
export function ResetFactors({ userId, name }: { userId: string; name: string }) {
  const t = useText();
  const [state, setState] = useState<'idle' | 'asking' | 'done'>('idle');

  function finish() {
    setState('done');
    void queryClient.invalidateQueries({ queryKey: keys.user(userId) });
  }

  return (
    <div className={classes.form}>
      {state === 'done' ? (
        <Notice kind="success">{t('It is reset, and their devices are signed out.')}</Notice>
      ) : (
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setState('asking')}>
            {t('Reset second step...')}
          </Button>
        </div>
      )}
      {state === 'asking' && <AskDialog userId={userId} name={name} onClose={() => setState('idle')} onDone={finish} />}
    </div>
  );
}
