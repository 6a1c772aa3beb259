import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId } from 'react';
import { BusyButton } from '../form/BusyButton.tsx';
import { KeyHint } from '../keyboard/actions.tsx';
import { t } from '../text/text.ts';
import { Dialog, type DialogProps } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

/** A form as `useForm` returns it. */
interface FormState {
  form: RefObject<HTMLFormElement | null>;
  submit: (event: FormEvent) => void;
  isPending: boolean;
  /** An untranslated error that belongs to no field. */
  problem: string | null;
}

interface FormDialogProps extends Omit<DialogProps, 'actions' | 'problem'> {
  form: FormState;
  /** What the button that sends it says, also while it is being sent. */
  sendText: ReactNode;
  busyText?: string;
  sendIcon?: ReactNode;
  color?: string | undefined;
  /** There is nothing to send yet. */
  isDisabled?: boolean;
  /** Closes the dialog without sending, if that takes more than closing it. */
  onCancel?: () => void;
  cancelText?: ReactNode;
  /** More buttons, before the others. */
  moreActions?: ReactNode;
  /** Ctrl+Enter is shown on the button. */
  hasKeyHint?: boolean;
  /** The problem is shown above the buttons, which stay in view: for long forms. */
  isLong?: boolean;
  /** Above the form. */
  lead?: ReactNode;
}

/** Sends the form by Ctrl or Cmd and Enter from any of its fields. */
function useSendByKeys(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    function sendByKeys(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      element?.requestSubmit();
    }
    element?.addEventListener('keydown', sendByKeys);
    return () => element?.removeEventListener('keydown', sendByKeys);
  }, [form]);
}

/**
 * A dialog with a form: its button sends the form once at a time, Ctrl+Enter in a field does the same, and the dialog stays
 * open with the reason when that fails. Esc, Cancel and, on phones, Back close it.
 */
export function FormDialog({
  form,
  sendText,
  busyText = '',
  sendIcon,
  color,
  isDisabled = false,
  onCancel,
  cancelText = t('Cancel'),
  moreActions,
  hasKeyHint = false,
  isLong = false,
  lead,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId();
  const problem = form.problem !== null && <Notice kind="error">{t(form.problem)}</Notice>;
  useSendByKeys(form.form);
  return (
    <Dialog
      {...dialog}
      problem={isLong && problem}
      actions={
        <>
          {moreActions}
          <Button variant="default" onClick={onCancel ?? dialog.onClose}>
            {cancelText}
          </Button>
          <BusyButton
            type="submit"
            form={formId}
            isBusy={form.isPending}
            busyText={busyText}
            leftSection={sendIcon}
            disabled={isDisabled}
            {...(color !== undefined && { color })}
          >
            {sendText}
            {hasKeyHint && <KeyHint of="Ctrl Enter" />}
          </BusyButton>
        </>
      }
    >
      {lead}
      <form id={formId} ref={form.form} noValidate onSubmit={form.submit}>
        <Stack gap="1rem">
          {!isLong && problem}
          {children}
        </Stack>
      </form>
    </Dialog>
  );
}
