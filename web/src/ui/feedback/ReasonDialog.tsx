import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Group, Text, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { lengthOf, unitsFor } from '../text/text.ts';
import { type Confirmation, confirmAndClose, FormDialog } from './FormDialog.tsx';
import { ErrorNotice } from './Notice.tsx';
import classes from '../form/form.module.css';

type ReasonDialogProps = Confirmation<string> & {
  title: string;
  /** Explains who can read the reason. */
  description: string;
  /** The label of the confirm button, and its label while the command is sent. */
  confirm: string;
  busyText?: string;
  /** The colour of the confirm button, if the action is harmless. */
  color?: string;
  /** An error message if the default is not specific enough. */
  errorText?: (error: string) => string;
  /** There is nothing to confirm yet. */
  isDisabled?: boolean;
  /** The minimum and maximum length of the reason. */
  minLength?: number;
  maxLength?: number;
  size?: 'narrow' | 'sheet' | 'panel';
  /** The text that was typed before a failure. */
  typedBefore?: string;
  /** Called with what was typed so far, to keep it when the dialog is closed. */
  onType?: (reason: string) => void;
  /** Common reasons that can be chosen. */
  suggestions?: readonly MessageDescriptor[];
  onClose: () => void;
  /** Content above the field: what will happen, or more inputs. */
  children: ReactNode;
};

interface SuggestionsProps {
  texts: readonly MessageDescriptor[];
  reason: string;
  onChoose: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** Common reasons that fill the field when chosen. */
function Suggestions({ texts, reason, onChoose, onKeyDown }: SuggestionsProps) {
  return (
    <Group component="fieldset" className={classes.suggestions} gap="0.45rem">
      <legend>{t`Common reasons`}</legend>
      {texts.map((suggestion) => (
        <label key={suggestion.id} className={classes.chip} data-wraps>
          <input
            type="radio"
            name="suggestion"
            className="visually-hidden"
            checked={reason === t(suggestion)}
            onChange={() => onChoose(t(suggestion))}
            onKeyDown={onKeyDown}
          />
          {t(suggestion)}
        </label>
      ))}
    </Group>
  );
}

/** Asks for a reason before an action. Ctrl+Enter in the field confirms, and so does Enter on a common reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, description, confirm: sendText, command, isDisabled = false } = props;
  const { typedBefore = '', suggestions = [], minLength = 1, maxLength = reasonMaxLength } = props;
  const { size = 'narrow', busyText, color, errorText, onType, children } = props;
  const { confirm, close } = confirmAndClose(props, props.onClose);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState(typedBefore);
  const [isMissing, setMissing] = useState(false);

  function write(text: string) {
    setReason(text);
    onType?.(text);
    setMissing(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command?.isPending === true || isDisabled) return;
    if (lengthOf(reason.trim()) >= minLength) return confirm(reason.trim());
    setMissing(true);
    field.current?.focus();
  }

  /** Ignores the key that opened the dialog, which may still be held down. */
  function ignoreHeldKey(event: KeyboardEvent) {
    if (event.repeat && reason === '') event.preventDefault();
  }

  function sendByEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.repeat || event.defaultPrevented) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <FormDialog
      title={title}
      size={size}
      form={{ form, submit, isPending: command?.isPending === true, problem: null }}
      sendText={sendText}
      busyText={busyText}
      color={color}
      isDisabled={isDisabled}
      hasKeyHint
      onClose={close}
    >
      <ErrorNotice error={command?.error ?? null} {...(errorText && { text: errorText })} />
      {typeof children === 'string' ? <Text c="dimmed">{children}</Text> : children}
      {suggestions.length > 0 && (
        <Suggestions texts={suggestions} reason={reason} onChoose={write} onKeyDown={sendByEnter} />
      )}
      <Textarea
        ref={field}
        label={t`Reason`}
        description={description}
        error={
          isMissing &&
          (reason.trim() === '' ? t`Please give a reason` : t`Write ${{ count: minLength }} characters or more`)
        }
        value={reason}
        rows={3}
        required
        data-autofocus
        maxLength={unitsFor(maxLength)}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={ignoreHeldKey}
      />
    </FormDialog>
  );
}
