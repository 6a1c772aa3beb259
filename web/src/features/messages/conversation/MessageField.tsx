import { type RefObject, useCallback, useState } from 'react';
import type { MessageView } from '#contract/messages.ts';
import { typingEveryMs } from '#contract/realtime.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { emit } from '../../../api/realtime/realtime.ts';
import { t } from '../../../ui/text/text.ts';
import { post } from '../outbox.ts';
import { PhotoButton } from '../photos/PhotoButton.tsx';
import { VoiceButton } from '../voice/VoiceButton.tsx';
import { useEditMessage } from '../queries.ts';
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

interface MessageFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  matchId: string;
  name: string;
  editing: ReturnType<typeof useEditing>;
  /** Both have written, so that photos can be sent. */
  canAttach: boolean;
}

/** The field for a new message, or for editing one that was sent. */
export function MessageField({ field, matchId, name, editing, canAttach }: MessageFieldProps) {
  const [draft, setDraft] = useMessageDraft(matchId);
  const { edited, error } = editing;
  // React treats both as the same field, so it keeps the focus.
  return edited !== null ? (
    <Composer
      field={field}
      label={t('Your message')}
      value={edited.text}
      onChange={(text) => editing.setEdited({ ...edited, text })}
      onSend={(text) => editing.mutate({ seq: edited.message.seq, text }, { onSuccess: editing.stop })}
      onCancel={editing.stop}
      isBusy={editing.isPending}
      error={error && t('Your message stays as it was: {error}', { error: t(errorMessage(error)) })}
    />
  ) : (
    <Composer
      field={field}
      label={t('Write to {name}', { name })}
      value={draft}
      onChange={(text) => {
        setDraft(text);
        if (text.trim() !== '') emitTyping(matchId);
      }}
      onSend={(text) => {
        setDraft('');
        endTyping();
        post(matchId, text);
      }}
      start={
        canAttach && (
          <>
            <PhotoButton matchId={matchId} name={name} draft={draft} onSent={() => setDraft('')} />
            <VoiceButton matchId={matchId} />
          </>
        )
      }
    />
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
