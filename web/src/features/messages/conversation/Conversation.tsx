import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { ConversationView, MessageView } from '#contract/messages.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { arrivedIds } from '../../../api/realtime/message-history.ts';
import { keep, readKept } from '../../../api/session/kept.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { useVisible } from '../../../ui/loading/use-visible.ts';
import { Composer } from './Composer.tsx';
import classes from './Conversation.module.css';
import { DeleteMessageDialog } from './DeleteMessageDialog.tsx';
import { MessageLog } from './MessageLog.tsx';
import { NewMessages } from './NewMessages.tsx';
import { post, useOutgoing } from '../outbox.ts';
import { useEditMessage, useMarkRead, type useMessages } from '../queries.ts';
import { endTyping, emitTyping, useTyping } from './use-typing.ts';

const minuteMs = 60_000;

interface ConversationProps {
  conversation: ConversationView;
  ownId: string;
  thread: ReturnType<typeof useMessages>;
  /** The match is over. */
  isEnded: boolean;
  /** Must keep its identity, since rows are memoised. */
  onReport: (message: MessageView) => void;
  /** Reports the conversation once the match is over. */
  reportLink: ReactNode;
}

/** What is being written to a match. It survives a reload and is removed with `setText('')` or with the session. */
function useMessageDraft(matchId: string): [text: string, setText: (text: string) => void] {
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

function Ended({ name, reportLink }: { name: string; reportLink: ReactNode }): ReactNode {
  return (
    <div className={classes.notice}>
      <Notice kind="info" action={reportLink}>
        {t('This match is over. You and {name} can no longer write to each other.', { name })}
      </Notice>
    </div>
  );
}

/** The messages of a match, and the field to write in. */
export function Conversation({ conversation, ownId, thread, isEnded, onReport, reportLink }: ConversationProps) {
  const { _id: matchId, user, matchedAt } = conversation;
  const { history } = thread;
  const now = useNow(minuteMs);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useMessageDraft(matchId);
  const [editing, setEditing] = useState<{ message: MessageView; text: string } | null>(null);
  const [deleting, setDeleting] = useState<MessageView | null>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const { mutate, isPending, error, reset } = useEditMessage(matchId);
  const written = useOutgoing(matchId);
  const outgoing = useMemo(() => {
    const arrived = arrivedIds(history);
    return written.filter(({ clientId }) => !arrived.has(clientId));
  }, [written, history]);
  const isTyping = useTyping(matchId) && !isEnded;
  const name = memberName(user);
  const isVisible = useVisible();
  useMarkRead(matchId, ownId, history, isAtEnd && isVisible && !isEnded);

  const edit = useCallback(
    (message: MessageView) => {
      reset();
      setEditing({ message, text: message.text ?? '' });
      field.current?.focus();
    },
    [reset],
  );

  function stopEditing() {
    setEditing(null);
    reset();
    field.current?.focus();
  }

  return (
    <>
      {history.lastSeq + outgoing.length === 0 ? (
        <p className={classes.start}>
          {t('You matched on {date}. Say hello: the first message is the hardest, and the nicest to get.', {
            date: formatDate(matchedAt),
          })}
        </p>
      ) : (
        <MessageLog
          matchId={matchId}
          history={history}
          outgoing={outgoing}
          ownId={ownId}
          name={name}
          isFixed={isEnded}
          now={now}
          isStuck={thread.hasFailedPage}
          onShow={thread.show}
          onAtEnd={setAtEnd}
          onEdit={edit}
          onDelete={setDeleting}
          onReport={onReport}
        />
      )}
      {thread.hasFailedPage && (
        <div className={classes.notice}>
          <Notice
            kind="error"
            action={
              <Button size="xs" variant="default" onClick={thread.retryPages}>
                {t('Retry')}
              </Button>
            }
          >
            {t("Couldn't load some older messages.")}
          </Notice>
        </div>
      )}
      <p className={classes.typing}>{isTyping && t('{name} is typing…', { name })}</p>
      <NewMessages history={history} otherId={user._id} name={name} />
      {isEnded ? (
        <Ended name={name} reportLink={reportLink} />
      ) : editing !== null ? (
        <Composer
          field={field}
          label={t('Your message')}
          value={editing.text}
          onChange={(text) => setEditing({ ...editing, text })}
          onSend={(text) => mutate({ seq: editing.message.seq, text }, { onSuccess: stopEditing })}
          onCancel={stopEditing}
          isBusy={isPending}
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
        />
      )}
      {deleting !== null && (
        <DeleteMessageDialog matchId={matchId} message={deleting} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}
