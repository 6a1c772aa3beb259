import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type ConversationView, editMessage, type MessageView } from '#contract/messages.ts';
import { call } from '../../../api/call.ts';
import { tellOwn } from '../../../api/realtime/realtime.ts';
import { useCommand } from '../../../api/use-command.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { useVisible } from '../../../ui/loading/use-visible.ts';
import { Composer } from './Composer.tsx';
import classes from './Conversation.module.css';
import { DeleteMessageDialog } from './DeleteMessageDialog.tsx';
import { arrivedIds } from '../state/history.ts';
import { MessageLog } from './MessageLog.tsx';
import { NewMessages } from './NewMessages.tsx';
import { post, useOutgoing } from '../state/outbox.ts';
import type { useHistory } from '../state/use-history.ts';
import { useMessageDraft } from './use-message-draft.ts';
import { useReadMark } from './use-read-mark.ts';
import { endTyping, sayTyping, useTyping } from './use-typing.ts';

const minuteMs = 60_000;

interface ConversationProps {
  conversation: ConversationView;
  ownId: string;
  thread: ReturnType<typeof useHistory>;
  /** Nothing can be written any more. */
  isEnded: boolean;
  /** Stays the same as long as the conversation does. */
  onReport: (message: MessageView) => void;
  /** The way to report what was written, once it is over. */
  reportLink: ReactNode;
}

function Ended({ name, reportLink }: { name: string; reportLink: ReactNode }): ReactNode {
  const t = useText();
  return (
    <div className={classes.notice}>
      <Notice kind="info" action={reportLink}>
        {t('This match is over. You and {name} can no longer write to each other.', { name })}
      </Notice>
    </div>
  );
}

/** What two people wrote to each other, and where one writes on. */
export function Conversation({ conversation, ownId, thread, isEnded, onReport, reportLink }: ConversationProps) {
  const { _id: matchId, user, matchedAt } = conversation;
  const { history } = thread;
  const t = useText();
  const locale = useLocale();
  const now = useNow(minuteMs);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useMessageDraft(matchId);
  const [editing, setEditing] = useState<{ message: MessageView; text: string } | null>(null);
  const [deleting, setDeleting] = useState<MessageView | null>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const { isPending, error, run, reset } = useCommand();
  const written = useOutgoing(matchId);
  const outgoing = useMemo(() => {
    const arrived = arrivedIds(history);
    return written.filter(({ clientId }) => !arrived.has(clientId));
  }, [written, history]);
  const isTyping = useTyping(matchId) && !isEnded;
  const name = memberName(user, t);
  const isVisible = useVisible();
  useReadMark(matchId, ownId, history, isAtEnd && isVisible && !isEnded);

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

  async function save(message: MessageView, text: string) {
    const isDone = await run(async () => {
      const { data } = await call(editMessage, { params: { id: matchId, seq: `${message.seq}` }, body: { text } });
      tellOwn({ kind: 'message', matchId, message: data.message });
    });
    if (isDone) stopEditing();
  }

  return (
    <>
      {history.lastSeq + outgoing.length === 0 ? (
        <p className={classes.start}>
          {t('You matched on {date}. Say hello: the first message is the hardest, and the nicest to get.', {
            date: formatDate(matchedAt, locale),
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
          isStuck={thread.isGapStuck}
          onShow={thread.show}
          onAtEnd={setAtEnd}
          onEdit={edit}
          onDelete={setDeleting}
          onReport={onReport}
        />
      )}
      {thread.isGapStuck && (
        <div className={classes.notice}>
          <Notice
            kind="error"
            action={
              <Button size="xs" variant="default" onClick={thread.retryGap}>
                {t('Retry')}
              </Button>
            }
          >
            {t('Some older messages could not be loaded.')}
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
          onSend={(text) => void save(editing.message, text)}
          onCancel={stopEditing}
          isBusy={isPending}
          error={error === null ? null : t('Your message stays as it was: {error}', { error: t(error) })}
        />
      ) : (
        <Composer
          field={field}
          label={t('Write to {name}', { name })}
          value={draft}
          onChange={(text) => {
            setDraft(text);
            if (text.trim() !== '') sayTyping(matchId);
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
