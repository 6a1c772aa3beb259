import { t } from '@lingui/core/macro';
import { Box, Group, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { ConversationView, MessageView, OpeningLike, ReactionEmoji } from '#contract/messages/messages.ts';
import { typingLastsMs } from '#contract/realtime.ts';
import { arrivedIds, type History } from '../../../api/realtime/message-history.ts';
import { onRealtime } from '../../../api/realtime/realtime.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { FloatingNotice, Notice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { useVisible } from '../../../ui/loading/online.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import { lineOf } from '../line-of.ts';
import classes from '../messages.module.css';
import { useHarshCheck } from '../kindness/kindness.tsx';
import { useOutgoing } from '../outbox.ts';
import { useDeleteMessage, useMarkRead, type useMessages, useReact } from '../queries.ts';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import { reactionName } from '../reactions/Reactions.tsx';
import { Opening } from './Bubble.tsx';
import { MessageField, useEditing, useReplying } from './MessageField.tsx';
import { MessageLog } from './MessageLog.tsx';

const minuteMs = 60_000;

interface ConversationProps {
  conversation: ConversationView;
  /** What each of the two liked; undefined until it is loaded. */
  likes: readonly OpeningLike[] | undefined;
  ownId: string;
  thread: ReturnType<typeof useMessages>;
  /** The match has ended. */
  isEnded: boolean;
  /** A question for the member, shown above the field. */
  question: ReactNode;
  /** The button that plans a date, if one can be planned. */
  plan: ReactNode;
  /** Must be a stable function, because rows are memoised. */
  onReport: (message: MessageView) => void;
  /** A link that reports the conversation, shown when the match has ended. */
  reportLink: ReactNode;
  /** Renders the link to report the note of their like. Must be a stable function. */
  reportOf: (note: string) => ReactNode;
  /** Must be a stable function. */
  onUnmatch: () => void;
  /** Renders suggestions for the first message. */
  openers?: ((fill: (text: string) => void) => ReactNode) | undefined;
}

function Ended({ name, reportLink }: { name: string; reportLink: ReactNode }): ReactNode {
  return (
    <Box flex="none" py="0.6rem" px="clamp(0.75rem, 2vw, 1.5rem)">
      <Notice kind="info" action={reportLink}>
        {t`This match is over. You and ${name} can no longer write to each other.`}
      </Notice>
    </Box>
  );
}

/** Shown before the first message: what each of the two liked, if anything. */
function Start({ opening, matchedAt }: { opening: ReactNode; matchedAt: string }) {
  return (
    <div className={classes.start}>
      {opening}
      <p>
        {opening === false
          ? t`You matched on ${{ date: formatDate(matchedAt) }}. Say hello: the first message is the hardest, and the nicest to get.`
          : t`You matched on ${{ date: formatDate(matchedAt) }}. You already have something to talk about.`}
      </p>
    </div>
  );
}

interface DeleteDialogProps {
  matchId: string;
  message: MessageView;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ matchId, message, onDeleted, onClose }: DeleteDialogProps) {
  const deletion = useDeleteMessage(matchId);
  return (
    <ConfirmDialog
      title={t`Delete this message?`}
      cancelText={t`Keep it`}
      confirmText={t`Delete`}
      busyText={t`Deleting...`}
      command={deletion}
      errorText={(error) => t`The message is still there: ${error}`}
      onConfirm={() => deletion.mutate(message.seq, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {t`It's deleted for both of you. You will both still see that there was a message.`}
    </ConfirmDialog>
  );
}

/** Whether both have written, as far as is known: with many messages only some are loaded, and the server decides. */
function haveBothWritten({ messages, lastSeq }: History, ownId: string): boolean {
  const all = [...messages.values()];
  return all.length < lastSeq || new Set(all.map(({ from }) => from === ownId)).size === 2;
}

const noLikes: readonly OpeningLike[] = [];

/** The messages of a match, and the field for writing a message. */
export function Conversation({
  conversation,
  likes = noLikes,
  ownId,
  thread,
  isEnded,
  question,
  plan,
  onReport,
  reportLink,
  reportOf,
  onUnmatch,
  openers,
}: ConversationProps) {
  const { _id: matchId, user } = conversation;
  const { history } = thread;
  const now = useNow(minuteMs);
  const field = useRef<HTMLTextAreaElement>(null);
  const editing = useEditing(matchId, field);
  const replying = useReplying(field, history);
  const reaction = useReact(matchId);
  const isHarsh = useHarshCheck();
  const [deleting, setDeleting] = useState<MessageView | null>(null);
  const [deletedSeq, setDeletedSeq] = useState<number | null>(null);
  // The result of the last action, and a counter, so that the same words are announced again.
  const [said, say] = useReducer(({ times }, text: string) => ({ times: times + 1, text }), { times: 0, text: '' });
  const { mutate: sendReaction } = reaction;
  const react = useCallback(
    (chosen: { seq: number; emoji: ReactionEmoji | null }) =>
      sendReaction(chosen, {
        onSuccess: () =>
          say(
            chosen.emoji === null ? t`Reaction removed` : t`You reacted: ${{ reaction: reactionName(chosen.emoji) }}`,
          ),
      }),
    [sendReaction],
  );
  const { snoozedUntil } = conversation;
  const [knownSnooze, setKnownSnooze] = useState(snoozedUntil);
  if (snoozedUntil !== knownSnooze) {
    setKnownSnooze(snoozedUntil);
    say(snoozedUntil === undefined ? t`The snooze has ended` : t`Snoozed until ${{ date: formatDate(snoozedUntil) }}`);
  }
  const [isAtEnd, setAtEnd] = useState(true);
  const written = useOutgoing(matchId);
  const outgoing = useMemo(() => {
    const arrived = arrivedIds(history);
    return written.filter(({ clientId }) => !arrived.has(clientId));
  }, [written, history]);
  const isTyping = useTyping(matchId) && !isEnded;
  const name = memberName(user);
  const opening = useMemo(
    () => likes.length > 0 && <Opening likes={likes} ownId={ownId} name={name} reportOf={reportOf} />,
    [likes, ownId, name, reportOf],
  );
  const isVisible = useVisible();
  useMarkRead(matchId, ownId, history, isAtEnd && isVisible && !isEnded);

  const isNew = history.lastSeq + outgoing.length === 0;
  return (
    <>
      {isNew ? (
        <Start opening={opening} matchedAt={conversation.matchedAt} />
      ) : (
        <MessageLog
          matchId={matchId}
          opening={opening}
          history={history}
          outgoing={outgoing}
          ownId={ownId}
          name={name}
          isFixed={isEnded}
          now={now}
          isStuck={thread.hasFailedPage}
          onShow={thread.show}
          onAtEnd={setAtEnd}
          onEdit={editing.start}
          onDelete={setDeleting}
          onReport={onReport}
          isHarsh={isHarsh}
          onReply={replying.start}
          onReact={react}
          deletedSeq={deletedSeq}
          onUnmatch={onUnmatch}
        />
      )}
      {thread.hasFailedPage && (
        <Box flex="none" py="0.6rem" px="clamp(0.75rem, 2vw, 1.5rem)">
          <Notice kind="error" onRetry={thread.retryPages}>
            {t`Couldn't load some older messages.`}
          </Notice>
        </Box>
      )}
      <Group className={classes.typing ?? ''} gap="0.75rem" justify="space-between" wrap="nowrap">
        <Text c="dimmed" fz="small" fs="italic">
          {isTyping && t`${name} is typing…`}
        </Text>
        {!isEnded && plan}
      </Group>
      <div role="status" className="visually-hidden">
        {said.text !== '' && <p key={said.times}>{said.text}</p>}
      </div>
      <NewMessages history={history} otherId={user._id} name={name} />
      {!isEnded && question}
      {isEnded ? (
        <Ended name={name} reportLink={reportLink} />
      ) : (
        <MessageField
          {...{ field, matchId, name, editing, replying, ownId, isHarsh }}
          canAttach={haveBothWritten(history, ownId)}
          openers={isNew ? openers : undefined}
        />
      )}
      {reaction.error !== null && (
        <FloatingNotice kind="error" onClose={reaction.reset}>
          {t`Your reaction wasn't saved: ${{ error: reasonOf(reaction.error) }}`}
        </FloatingNotice>
      )}
      {deleting !== null && (
        <DeleteDialog
          matchId={matchId}
          message={deleting}
          onDeleted={() => {
            setDeleting(null);
            setDeletedSeq(deleting.seq);
            say(t`Message deleted`);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

/** The maximum number of messages announced at once; the others are only shown. */
const mostRead = 5;

/** Announces each new message to screen readers, once, while the conversation is open. */
function NewMessages({ history, otherId, name }: { history: History; otherId: string; name: string }) {
  const [arrived, setArrived] = useState<readonly MessageView[]>([]);
  const knownUpTo = useRef(history.lastSeq);
  const isHidden = useHiddenWordFinder();

  useEffect(() => {
    const fresh: MessageView[] = [];
    for (let seq = Math.max(knownUpTo.current, history.lastSeq - mostRead) + 1; seq <= history.lastSeq; seq += 1) {
      const message = history.messages.get(seq);
      if (message?.from === otherId && message.text !== null) fresh.push(message);
    }
    knownUpTo.current = history.lastSeq;
    if (fresh.length > 0) setArrived((before) => [...before, ...fresh].slice(-mostRead));
  }, [history, otherId]);

  return (
    <div role="log" className="visually-hidden" aria-label={t`New messages`}>
      {arrived.map((message) => (
        <p key={message.seq}>
          {t`${name}: ${{ text: isHidden(message.text ?? '') ? t`Hidden by your words` : lineOf(message) }}`}
        </p>
      ))}
    </div>
  );
}

/** Whether the other person is typing. */
function useTyping(matchId: string): boolean {
  const [isTyping, setTyping] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onRealtime((event) => {
      if ((event.kind !== 'typing' && event.kind !== 'message') || event.matchId !== matchId) return;
      clearTimeout(timer);
      setTyping(event.kind === 'typing');
      if (event.kind === 'typing') timer = setTimeout(() => setTyping(false), typingLastsMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [matchId]);

  return isTyping;
}
