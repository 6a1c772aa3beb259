import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useCallback, useState } from 'react';
import type { MessageView } from '#contract/messages/messages.ts';
import { typingEveryMs } from '#contract/realtime.ts';
import { errorMessage } from '../../../api/api-error.ts';
import type { History } from '../../../api/realtime/message-history.ts';
import { emit } from '../../../api/realtime/realtime.ts';
import { usePart } from '../../../brand.ts';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { type HarshCheck, useKindness } from '../kindness/kindness.tsx';
import { post } from '../outbox.ts';
import { PhotoButton } from '../photos/PhotoButton.tsx';
import { useVoice } from '../voice/use-voice.ts';
import { VoiceButton } from '../voice/VoiceButton.tsx';
import { VoicePreview } from '../voice/VoicePreview.tsx';
import { useEditMessage } from '../queries.ts';
import { ReplyingTo } from '../replies/Reply.tsx';
import { Composer, useMessageDraft } from './Composer.tsx';

const [VoicePanel] = lazyPart(async () => (await import('../voice/VoicePanel.tsx')).VoicePanel);

/** The state for editing a sent message in the message field; `edited` is null while no message is being edited. */
export function useEditing(matchId: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [edited, setEdited] = useState<{ message: MessageView; text: string } | null>(null);
  const { mutate, isPending, error, reset } = useEditMessage(matchId);

  /** A stable function. */
  const start = useCallback(
    (message: MessageView) => {
      reset();
      setEdited({ message, text: message.text ?? '' });
      field.current?.focus();
    },
    [field, reset],
  );

  function stop() {
    setEdited(null);
    reset();
    field.current?.focus();
  }

  return { edited, setEdited, start, stop, mutate, isPending, error };
}

/** The message that the next one will answer, as it is now; null for none. */
export function useReplying(field: RefObject<HTMLTextAreaElement | null>, { messages }: History) {
  const [chosen, setAnswered] = useState<MessageView | null>(null);
  const answered = chosen && (messages.get(chosen.seq) ?? chosen);

  /** A stable function. */
  const start = useCallback(
    (message: MessageView) => {
      setAnswered(message);
      field.current?.focus();
    },
    [field],
  );

  function stop() {
    setAnswered(null);
    field.current?.focus();
  }

  return { answered, start, stop };
}

interface MessageFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  matchId: string;
  name: string;
  editing: ReturnType<typeof useEditing>;
  replying: ReturnType<typeof useReplying>;
  ownId: string;
  /** Both have written, so that photos and voice messages can be sent. */
  canAttach: boolean;
  /** Renders suggestions for the first message; `fill` puts one into the empty field. */
  openers?: ((fill: (text: string) => void) => ReactNode) | undefined;
  isHarsh: HarshCheck | null;
}

interface EditingProps {
  error: Error | null;
  onCancel: () => void;
}

/** Says above the field that it edits a message, and why that failed. */
function Editing({ error, onCancel }: EditingProps) {
  return (
    <>
      <Group gap="0.75rem" justify="space-between" wrap="nowrap" mb="0.4rem" fz="note">
        <span>{t`You are editing your message.`}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </Group>
      {error !== null && (
        <Text role="alert" fz="small" mb="0.4rem" c="var(--mantine-color-error)">
          {t`Your message stays as it was: ${{ error: errorMessage(error) }}`}
        </Text>
      )}
    </>
  );
}

/** The field for a new message, or for editing one that was sent. React treats both as the same field, so it keeps the focus. */
export function MessageField(props: MessageFieldProps) {
  const { field, name, editing, isHarsh } = props;
  const { edited } = editing;
  const kindness = useKindness(isHarsh, name, field);
  const written = useNewMessage(props, kindness.ask);
  if (edited === null)
    return (
      <>
        <Composer field={field} {...written} />
        {kindness.dialog}
      </>
    );
  const { message, text } = edited;
  return (
    <>
      <Composer
        field={field}
        label={t`Your message`}
        value={text}
        onChange={(next) => editing.setEdited({ message, text: next })}
        onSend={(next) =>
          kindness.ask(next, () => editing.mutate({ seq: message.seq, text: next }, { onSuccess: editing.stop }))
        }
        sendText={t`Save`}
        onEscape={editing.stop}
        isBusy={editing.isPending}
        isCaption={message.pictures !== undefined || message.voice !== undefined}
        above={<Editing error={editing.error} onCancel={editing.stop} />}
      />
      {kindness.dialog}
    </>
  );
}

/** The field for a new message: its text, or the caption of a recording, which then is above it. */
function useNewMessage(props: MessageFieldProps, ask: (text: string, sendNow: () => void) => void) {
  const { field, matchId, name, editing, replying, ownId, canAttach, openers } = props;
  const { answered } = replying;
  const canSendPhotos = usePart('photos') && canAttach;
  const canRecord = usePart('voice') && canAttach;
  const [draft, setDraft] = useMessageDraft(matchId);
  const [photos, setPhotos] = useState<readonly File[] | null>(null);
  const voice = useVoice(field, editing.edited !== null || !canRecord);
  const { recording, hold } = voice;

  function send(text: string) {
    setDraft('');
    endTyping();
    const answer = answered === null ? undefined : { replyTo: answered.seq };
    post(matchId, text, recording === null ? answer : { ...answer, ...voice.take(recording) });
    if (answered !== null) replying.stop();
  }

  function fill(text: string) {
    setDraft(text);
    field.current?.focus();
  }

  const shared = {
    value: draft,
    onSend: (text: string) => ask(text, () => send(text)),
    onEscape: answered === null ? undefined : replying.stop,
  };
  const reply = answered !== null && <ReplyingTo message={answered} {...{ ownId, name }} onCancel={replying.stop} />;
  if (recording !== null)
    return {
      ...shared,
      label: t`Add a caption`,
      onChange: setDraft,
      isCaption: true,
      start: (
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={t`Discard`} onClick={voice.end}>
          <IconTrash size={21} stroke={1.75} />
        </ActionIcon>
      ),
      above: (
        <>
          {reply}
          <VoicePreview recording={recording} />
        </>
      ),
    };
  return {
    ...shared,
    label: t`Write to ${name}`,
    onChange(text: string) {
      setDraft(text);
      if (text.trim() !== '') emitTyping(matchId);
    },
    above: reply || (draft === '' && openers?.(fill)),
    instead: hold !== null && <VoicePanel hold={hold} onRecorded={voice.keep} onClose={voice.end} />,
    onPhotos: canSendPhotos ? setPhotos : undefined,
    start: (canSendPhotos || canRecord) && (
      <>
        {canSendPhotos && (
          <PhotoButton {...{ matchId, name, draft }} chosen={photos} onChoose={setPhotos} onSent={() => setDraft('')} />
        )}
        {canRecord && <VoiceButton ref={voice.button} hold={hold} onHold={voice.setHold} onCancel={voice.end} />}
      </>
    ),
  };
}

let sentAt = -Infinity;
let sentFor = '';

/** Notifies the other person that the member is typing, at most every few seconds. */
function emitTyping(matchId: string): void {
  const now = performance.now();
  if (sentFor === matchId && now - sentAt < typingEveryMs) return;
  sentAt = now;
  sentFor = matchId;
  emit('typing', { matchId });
}

/** Lets the next keystroke after a sent message be reported at once. */
function endTyping(): void {
  sentFor = '';
}
