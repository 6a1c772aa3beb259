import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { resetFactors } from '#contract/auth/factors.ts';
import { reasonMaxLength } from '#contract/constants.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';

interface ResetDialogProps {
  userId: string;
  name: string;
  onClose: () => void;
  onDone: () => void;
}

function ResetDialog({ userId, name, onClose, onDone }: ResetDialogProps) {
  const t = useText();
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const command = useMutation({
    mutationFn: () => call(resetFactors, { params: { id: userId }, body: { reason: reason.trim() } }),
    onSuccess: onDone,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const isBlank = reason.trim() === '';
    setMissing(isBlank);
    if (isBlank) field.current?.focus();
    else command.mutate();
  }

  return (
    <Dialog
      title={t('Reset two-step verification for {name}?', { name })}
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
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        <p className={classes.text}>
          {t(
            'First make sure the request really comes from them, by phone or in person. This removes their two-step verification and passkeys and signs them out everywhere. They then sign in with their password and set it up again.',
          )}
        </p>
        {command.error && <Notice kind="error">{t(errorMessage(command.error))}</Notice>}
        <Textarea
          ref={field}
          label={t('Reason')}
          description={t('Saved in the audit trail.')}
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

/** For administrators: removes two-step verification and passkeys of a colleague who lost them. */
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
        <Notice kind="success">{t('Two-step verification was reset, and all their devices were signed out.')}</Notice>
      ) : (
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setState('asking')}>
            {t('Reset two-step verification...')}
          </Button>
        </div>
      )}
      {state === 'asking' && (
        <ResetDialog userId={userId} name={name} onClose={() => setState('idle')} onDone={finish} />
      )}
    </div>
  );
}
