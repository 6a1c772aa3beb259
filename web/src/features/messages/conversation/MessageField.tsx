import { t } from '@lingui/core/macro';
import { type ReactNode, type RefObject, useCallback, useState } from 'react';
import type { MessageView } from '#contract/messages.ts';
import { typingEveryMs } from '#contract/realtime.ts';
import { errorMessage } from '../../../api/api-error.ts';
import type { History } from '../../../api/realtime/message-history.ts';
import { emit } from '../../../api/realtime/realtime.ts';
import { type HarshCheck, useKindness } from '../kindness/kindness.tsx';
import { post } from '../outbox.ts';
import { PhotoButton } from '../photos/PhotoButton.tsx';
import { VoiceButton } from '../voice/VoiceButton.tsx';
import { useEditMessage } from '../queries.ts';
import { ReplyingTo } from '../replies/Reply.tsx';
import { Composer, useMessageDraft } from './Composer.tsx';

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

/** The field for a new message, or for editing one that was sent. */
export function MessageField(props: MessageFieldProps) {
  const { field, matchId, name, editing, replying, ownId, canAttach, openers, isHarsh } = props;
  const [draft, setDraft] = useMessageDraft(matchId);
  const { edited, error } = editing;
  const { answered } = replying;
  const [photos, setPhotos] = useState<readonly File[] | null>(null);
  const kindness = useKindness(isHarsh, name, field);
  const above =
    answered !== null ? (
      <ReplyingTo message={answered} {...{ ownId, name }} onCancel={replying.stop} />
    ) : (
      draft === '' &&
      openers?.((text) => {
        setDraft(text);
        field.current?.focus();
      })
    );

  function send(text: string) {
    setDraft('');
    endTyping();
    post(matchId, text, answered === null ? undefined : { replyTo: answered.seq });
    if (answered !== null) replying.stop();
  }

  // React treats both as the same field, so it keeps the focus.
  const composer =
    edited !== null ? (
      <Composer
        field={field}
        label={t`Your message`}
        value={edited.text}
        onChange={(text) => editing.setEdited({ ...edited, text })}
        onSend={(text) =>
          kindness.ask(text, () => editing.mutate({ seq: edited.message.seq, text }, { onSuccess: editing.stop }))
        }
        onCancel={editing.stop}
        isBusy={editing.isPending}
        isCaption={edited.message.pictures !== undefined || edited.message.voice !== undefined}
        error={error && t`Your message stays as it was: ${{ error: errorMessage(error) }}`}
      />
    ) : (
      <Composer
        field={field}
        label={t`Write to ${name}`}
        value={draft}
        onChange={(text) => {
          setDraft(text);
          if (text.trim() !== '') emitTyping(matchId);
        }}
        onSend={(text) => kindness.ask(text, () => send(text))}
        onEscape={answered === null ? undefined : replying.stop}
        above={above}
        onPhotos={canAttach ? setPhotos : undefined}
        start={
          canAttach && (
            <>
              <PhotoButton
                {...{ matchId, name, draft }}
                chosen={photos}
                onChoose={setPhotos}
                onSent={() => setDraft('')}
              />
              <VoiceButton matchId={matchId} />
            </>
          )
        }
      />
    );
  return (
    <>
      {composer}
      {kindness.dialog}
    </>
  );
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
