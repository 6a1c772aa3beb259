import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSend2 } from '@tabler/icons-react';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
  useId,
  useState,
} from 'react';
import { messageMaxLength } from '#contract/constants.ts';
import fields from '../../../ui/form/Field.module.css';
import { GrowingTextarea } from '../../../ui/form/GrowingTextarea.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { lengthOf } from '../../../ui/text/text.ts';
import classes from '../messages.module.css';
import { keep, readKept } from '../../../api/session/kept.ts';

/**
 * The message that is being written to a match. It is kept across reloads and an expired session, and removed by
 * `setText('')` or by signing out.
 */
export function useMessageDraft(matchId: string): [text: string, setText: (text: string) => void] {
  const name = `draft:${matchId}`;
  const [text, setText] = useState(() => readKept(name) ?? '');
  return [
    text,
    (next) => {
      setText(next);
      keep(name, next);
    },
  ];
}

/** Matches devices with a keyboard, where Enter sends the message; elsewhere it starts a new line. */
const hasKeyboard = '(hover: hover) and (pointer: fine) and (min-width: 48rem)';
/** The remaining characters are shown when there are at most this many. */
const countedBelow = 200;

/** Removes control characters, which can be pasted and which the server would refuse. */
const storable = (text: string) => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').toWellFormed();

interface ComposerProps {
  field: Ref<HTMLTextAreaElement>;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onSend: (text: string) => void;
  /** Stops editing; absent while a new message is written. */
  onCancel?: (() => void) | undefined;
  isBusy?: boolean;
  /** What is written is only the caption of something. */
  isCaption?: boolean;
  error?: string | null;
  /** Shown left of the field. */
  start?: ReactNode;
  /** Shown above the field. */
  above?: ReactNode;
  /** Receives photos that are pasted or dropped. */
  onPhotos?: ((photos: readonly File[]) => void) | undefined;
  /** Called on Esc. */
  onEscape?: (() => void) | undefined;
}

/**
 * The field for writing a message, which grows with the text. Ctrl+Enter always sends it; Enter does on devices with a
 * keyboard.
 */
export function Composer({
  field,
  label,
  value,
  onChange,
  onSend,
  onCancel,
  isBusy = false,
  isCaption = false,
  error = null,
  start,
  above,
  onPhotos,
  onEscape = onCancel,
}: ComposerProps) {
  const noteId = useId();
  const enterSends = useMediaQuery(hasKeyboard, undefined, { getInitialValueInEffect: false });
  const text = storable(value).trim();
  const left = messageMaxLength - lengthOf(text);
  const canSend = (text !== '' || isCaption) && left >= 0 && !isBusy;
  const isEditing = onCancel !== undefined;

  function send() {
    if (canSend) onSend(text);
  }

  /** Takes photos in place of text. Programs that copy text add a picture of it. */
  function take(event: SyntheticEvent, { files, types }: DataTransfer) {
    const photos = [...files].filter(({ type }) => type.startsWith('image/'));
    if (onPhotos === undefined || photos.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    onPhotos(photos);
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') onEscape?.();
    const isSending = event.ctrlKey || event.metaKey || (enterSends && !event.shiftKey && !event.altKey);
    if (event.key !== 'Enter' || !isSending) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      {above}
      {isEditing && (
        <Group gap="0.75rem" justify="space-between" wrap="nowrap" mb="0.4rem" fz="note">
          <span>{t`You are editing your message.`}</span>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        </Group>
      )}
      {error !== null && (
        <Text role="alert" fz="small" mb="0.4rem" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <Group gap="0.5rem" align="flex-end" className={classes.bar}>
        {start}
        <Group gap="0.5rem" align="flex-end" wrap="nowrap" className={classes.writing}>
          <GrowingTextarea
            ref={field}
            className={`${fields.control} ${classes.field}`}
            rows={1}
            dir="auto"
            aria-label={label}
            aria-describedby={noteId}
            aria-invalid={left < 0 || undefined}
            placeholder={label}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={press}
            onPaste={(event) => take(event, event.clipboardData)}
            onDrop={(event) => take(event, event.dataTransfer)}
          />
          <ActionIcon
            type="submit"
            className={classes.send}
            variant="filled"
            size={44}
            aria-label={isEditing ? t`Save` : t`Send`}
            aria-disabled={!canSend || undefined}
          >
            <IconSend2 className="mirrored" size={21} stroke={1.75} />
          </ActionIcon>
        </Group>
      </Group>
      <Text
        id={noteId}
        className={classes.note ?? ''}
        c={left < 0 ? 'var(--mantine-color-error)' : 'dimmed'}
        fz="small"
      >
        {left < 0
          ? t`This is ${plural({ over: -left }, { one: '# character', other: '# characters' })} too long: at most ${{ most: formatNumber(messageMaxLength) }} fit.`
          : left < countedBelow
            ? t`${plural(left, { one: '# character', other: '# characters' })} left.`
            : enterSends
              ? t`Enter sends, Shift+Enter starts a new line.`
              : ''}
      </Text>
    </form>
  );
}
