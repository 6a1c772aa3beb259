import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import { BusyButton } from '../form/BusyButton.tsx';
import { KeyHint } from '../keyboard/actions.tsx';
import { t } from '../text/text.ts';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';
import classes from './ReasonDialog.module.css';
import { lengthOf, unitsFor } from '../text/length.ts';

interface ReasonDialogProps {
  title: string;
  /** Who reads the reason. */
  description: string;
  /** What the button does. */
  confirm: string;
  /** The button's colour, if the action does no harm. */
  color?: string;
  busyText?: string;
  isBusy?: boolean;
  /** There is nothing to confirm yet. */
  isDisabled?: boolean;
  error?: string | null;
  /** How long the reason has to be at least, and may be at most. */
  minLength?: number;
  maxLength?: number;
  size?: 'narrow' | 'sheet' | 'panel';
  /** What was typed before a failure. */
  typedBefore?: string;
  /** Common reasons, translated here, that fill the field. */
  suggestions?: readonly string[];
  onConfirm: (reason: string) => void;
  onClose: () => void;
  /** Above the field: what will happen, and further inputs. */
  children: ReactNode;
}

interface SuggestionsProps {
  texts: readonly string[];
  reason: string;
  onChoose: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** Common reasons to choose from. */
function Suggestions({ texts, reason, onChoose, onKeyDown }: SuggestionsProps) {
  return (
    <fieldset className={classes.suggestions}>
      <legend>{t('Common reasons')}</legend>
      {texts.map((suggestion) => (
        <label key={suggestion} className={classes.chip}>
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
    </fieldset>
  );
}

/** Asks for a reason before an action. Ctrl+Enter in the field confirms, as does Enter on a common reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, description, confirm, color, busyText = '', isBusy = false, isDisabled = false, error = null } = props;
  const { typedBefore = '', suggestions = [], minLength = 1, maxLength = reasonMaxLength } = props;
  const { size = 'narrow', onConfirm, onClose, children } = props;
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState(typedBefore);
  const [isMissing, setMissing] = useState(false);

  function write(text: string) {
    setReason(text);
    setMissing(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || isDisabled) return;
    if (lengthOf(reason.trim()) >= minLength) return onConfirm(reason.trim());
    setMissing(true);
    field.current?.focus();
  }

  function sendByKeys(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const isInField = event.currentTarget === field.current;
    // The key that opened the dialog may still be held down.
    if (isInField && event.repeat && reason === '') event.preventDefault();
    if (event.key !== 'Enter' || event.repeat || (isInField && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <Dialog
      title={title}
      size={size}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton
            type="submit"
            form={formId}
            isBusy={isBusy}
            busyText={busyText}
            disabled={isDisabled}
            {...(color && { color })}
          >
            {confirm}
            <KeyHint of="Ctrl Enter" />
          </BusyButton>
        </>
      }
    >
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        {error !== null && <Notice kind="error">{error}</Notice>}
        {children}
        {suggestions.length > 0 && (
          <Suggestions texts={suggestions} reason={reason} onChoose={write} onKeyDown={sendByKeys} />
        )}
        <Textarea
          ref={field}
          label={t('Reason')}
          description={description}
          error={
            isMissing &&
            (reason.trim() === ''
              ? t('Please give a reason')
              : t('Write {count} characters or more', { count: minLength }))
          }
          value={reason}
          rows={3}
          required
          data-autofocus
          maxLength={unitsFor(maxLength)}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={sendByKeys}
        />
      </form>
    </Dialog>
  );
}
