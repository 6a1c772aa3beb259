import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Group, Text } from '@mantine/core';
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

/** The hint below the field, by the number of characters left. */
function noteOf(left: number, enterSends: boolean): string {
  if (left < 0)
    return t`This is ${plural({ over: -left }, { one: '# character', other: '# characters' })} too long: at most ${{ most: formatNumber(messageMaxLength) }} fit.`;
  if (left < countedBelow) return t`${plural(left, { one: '# character', other: '# characters' })} left.`;
  return enterSends ? t`Enter sends, Shift+Enter starts a new line.` : '';
}

interface ComposerProps {
  field: Ref<HTMLTextAreaElement>;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onSend: (text: string) => void;
  /** Names the button that sends. */
  sendText?: string;
  isBusy?: boolean;
  /** The text is only the caption of an attachment. */
  isCaption?: boolean;
  /** Shown left of the field. */
  start?: ReactNode;
  /** Shown above the field. */
  above?: ReactNode;
  /** Replaces the field and everything next to it. */
  instead?: ReactNode;
  /** Receives photos that are pasted or dropped. */
  onPhotos?: ((photos: readonly File[]) => void) | undefined;
  /** Called on Esc. */
  onEscape?: (() => void) | undefined;
}

/**
 * The field for writing a message, which grows with the text. Ctrl+Enter always sends it; Enter does on devices with a
 * keyboard.
 */
export function Composer({ sendText = t`Send`, isBusy = false, isCaption = false, ...props }: ComposerProps) {
  const { field, label, value, onChange, onSend, start, above, instead, onPhotos, onEscape } = props;
  const noteId = useId();
  const enterSends = useMediaQuery(hasKeyboard, undefined, { getInitialValueInEffect: false });
  const text = storable(value).trim();
  const left = messageMaxLength - lengthOf(text);
  const canSend = (text !== '' || isCaption) && left >= 0 && !isBusy;

  function send() {
    if (canSend) onSend(text);
  }

  /** Accepts photos instead of text. Programs that copy text also add a picture of it. */
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
      <div className={classes.spot}>
        <Group gap="0.5rem" align="flex-end" className={classes.bar} style={instead ? { visibility: 'hidden' } : {}}>
          {start}
          <Group gap="0.5rem" align="flex-end" wrap="nowrap" className={classes.writing}>
            <GrowingTextarea
              ref={field}
              className={`${fields.control} ${classes.field}`}
              rows={1}
              dir="auto"
              data-autofocus
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
              aria-label={sendText}
              aria-disabled={!canSend || undefined}
            >
              <IconSend2 className="mirrored" size={21} stroke={1.75} />
            </ActionIcon>
          </Group>
        </Group>
        {instead}
      </div>
      <Text
        id={noteId}
        className={classes.note ?? ''}
        c={left < 0 ? 'var(--mantine-color-error)' : 'dimmed'}
        fz="small"
      >
        {!instead && noteOf(left, enterSends)}
      </Text>
    </form>
  );
}
