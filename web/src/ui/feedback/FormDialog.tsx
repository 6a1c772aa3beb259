import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { type ComponentProps, type FormEvent, type ReactNode, type RefObject, useEffect, useId } from 'react';
import { BusyButton } from '../form/BusyButton.tsx';
import { KeyHint } from '../keyboard/shortcuts.tsx';
import { Dialog, type DialogProps } from './Dialog.tsx';
import { ErrorNotice, Notice } from './Notice.tsx';

/** The state of a form from `useForm`. */
interface FormState {
  form: RefObject<HTMLFormElement | null>;
  submit: (event: FormEvent) => void;
  isPending: boolean;
  /** An untranslated error that does not belong to a field. */
  problem: string | null;
}

interface FormDialogProps extends Omit<DialogProps, 'actions' | 'problem'> {
  form: FormState;
  /** The text of the submit button, and the one it has while the form is being sent. */
  sendText: ReactNode;
  busyText?: string | undefined;
  sendIcon?: ReactNode;
  color?: string | undefined;
  /** There is nothing to send yet. */
  isDisabled?: boolean;
  /** Called instead of `onClose` by the Cancel button, if canceling does more than closing. */
  onCancel?: () => void;
  cancelText?: ReactNode;
  /** More buttons before the others. */
  moreActions?: ReactNode;
  /** Shows Ctrl+Enter on the button. */
  hasKeyHint?: boolean;
  /** Shows the error above the buttons, which are always visible; for long forms. */
  isLong?: boolean;
  /** Content above the form. */
  lead?: ReactNode;
}

/** Submits the form with Ctrl+Enter or Cmd+Enter from any of its fields. */
function useSendByKeys(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current;
    function sendByKeys(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.repeat) return;
      const isSent = event.ctrlKey || event.metaKey;
      // A chosen chip looks like a button, so Enter alone on it sends nothing.
      const isOnChip = event.target instanceof Element && event.target.closest('[data-row="chips"]') !== null;
      if (isSent || isOnChip) event.preventDefault();
      if (isSent) element?.requestSubmit();
    }
    element?.addEventListener('keydown', sendByKeys);
    return () => element?.removeEventListener('keydown', sendByKeys);
  }, [form]);
}

interface FootProps extends Omit<ComponentProps<typeof BusyButton>, 'busyText'> {
  busyText: string | undefined;
  cancelText: ReactNode;
  onCancel: () => void;
}

/** The foot of a dialog: the safe button, and the filled one that does what the dialog is for. */
function Foot({ busyText = t`Saving...`, cancelText = t`Cancel`, onCancel, ...button }: FootProps) {
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        {cancelText}
      </Button>
      <BusyButton busyText={busyText} {...button} />
    </>
  );
}

/**
 * A dialog with a form. Its button or Ctrl+Enter in a field sends the form, never twice at the same time. If that
 * fails, the dialog stays open and shows the reason. Esc, Cancel and, on phones, Back close it.
 */
export function FormDialog({
  form,
  sendText,
  busyText,
  sendIcon,
  color,
  isDisabled = false,
  onCancel,
  cancelText,
  moreActions,
  hasKeyHint = false,
  isLong = false,
  lead,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId();
  const problem = form.problem !== null && <Notice kind="error">{form.problem}</Notice>;
  useSendByKeys(form.form);
  return (
    <Dialog
      {...dialog}
      problem={isLong && problem}
      actions={
        <>
          {moreActions}
          <Foot
            type="submit"
            form={formId}
            isBusy={form.isPending}
            busyText={busyText}
            cancelText={cancelText}
            onCancel={onCancel ?? dialog.onClose}
            leftSection={sendIcon}
            disabled={isDisabled}
            {...(color !== undefined && { color })}
          >
            {sendText}
            {hasKeyHint && <KeyHint of="Ctrl Enter" />}
          </Foot>
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

/** The state of a command that a dialog sends. With `reset`, its failure is forgotten when the dialog is closed. */
interface CommandState {
  isPending: boolean;
  error: Error | null;
  reset?: () => void;
}

export interface DialogCommand<V> extends CommandState {
  mutate: (given: V, options: { onSuccess: () => void }) => void;
}

/** The one command of a dialog: it is sent, and the dialog closes after it, or `onConfirm` does something else. */
export type Confirmation<V> =
  { command: DialogCommand<V>; onConfirm?: undefined } | { command?: CommandState; onConfirm: (given: V) => void };

/** The functions that confirm and close such a dialog. */
export function confirmAndClose<V>({ command, onConfirm }: Confirmation<V>, onClose: () => void) {
  return {
    confirm: onConfirm ?? ((given: V) => command.mutate(given, { onSuccess: onClose })),
    close: () => {
      if (command && command.error !== null) command.reset?.();
      onClose();
    },
  };
}

type ConfirmDialogProps = Pick<FormDialogProps, 'title' | 'children' | 'busyText' | 'cancelText' | 'onClose'> &
  Confirmation<undefined> & {
    confirmText: string;
    /** The text if the command failed for this reason. */
    errorText?: (error: string) => string;
  };

/** Asks for confirmation before a command that cannot be undone, and stays open if it fails. It may be in a form. */
export function ConfirmDialog({ confirmText, errorText, children, onClose, ...props }: ConfirmDialogProps) {
  const { command, title, busyText, cancelText } = props;
  const { confirm, close } = confirmAndClose(props, onClose);
  return (
    <Dialog
      title={title}
      size="narrow"
      onClose={close}
      actions={
        <Foot
          isBusy={command?.isPending === true}
          busyText={busyText}
          cancelText={cancelText}
          onCancel={close}
          onClick={() => confirm(undefined)}
        >
          {confirmText}
        </Foot>
      }
    >
      <Stack gap="1rem">
        {typeof children === 'string' ? <Text>{children}</Text> : children}
        <ErrorNotice error={command?.error ?? null} {...(errorText && { text: errorText })} />
      </Stack>
    </Dialog>
  );
}
