import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { t } from '../../../ui/text/text.ts';
import classes from './users.module.css';

export interface StatusRequest {
  id: string;
  name: string;
  isActive: boolean;
  reason: string;
}

interface ReasonDialogProps {
  /** Whose status is to become what; `reason` is what was typed before a failure. */
  request: StatusRequest;
  onConfirm: (request: StatusRequest) => void;
  onClose: () => void;
}

/** Asks for a reason before a user is activated or deactivated. */
export function ReasonDialog({ request, onConfirm, onClose }: ReasonDialogProps) {
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState(request.reason);
  const [isMissing, setMissing] = useState(false);
  const { name, isActive } = request;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    onConfirm({ ...request, reason: reason.trim() });
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  return (
    <Dialog
      title={isActive ? t('Activate {name}?', { name }) : t('Deactivate {name}?', { name })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={formId} {...(isActive ? { color: 'moss' } : {})}>
            {isActive ? t('Activate') : t('Deactivate')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <p className={classes.lead}>
          {isActive
            ? t('They can sign in again and are visible to other members.')
            : t('They are signed out, cannot sign in and are hidden from other members.')}
        </p>
        <Textarea
          ref={field}
          label={t('Reason')}
          description={
            isActive
              ? t('Kept in the audit trail.')
              : t('The member sees this reason. It is also kept in the audit trail.')
          }
          error={isMissing && t('Please give a reason')}
          value={reason}
          rows={3}
          required
          data-autofocus
          maxLength={reasonMaxLength}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setMissing(false);
          }}
          onKeyDown={sendByKeys}
        />
      </form>
    </Dialog>
  );
}
