import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconDots } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { conversationKeptDays } from '#contract/constants.ts';
import { type ConversationView, getConversation, type MessageView } from '#contract/messages.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { BlockButton, BlockNotice, UnblockHint } from '../../features/blocks/BlockControls.tsx';
import { useBlock } from '../../features/blocks/use-block.ts';
import { Conversation } from '../../features/messages/conversation/Conversation.tsx';
import { UnsentMessages } from '../../features/messages/conversation/UnsentMessages.tsx';
import { useHistory } from '../../features/messages/state/use-history.ts';
import { usePresence } from '../../features/messages/conversation/use-presence.ts';
import { reportAddress } from '../../features/support/report-subject.ts';
import { ReportLink, type ReportLinkState } from '../../features/support/ReportLink.tsx';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';
import classes from './ConversationPane.module.css';
import { NotYet } from '../sign-in/NotYet.tsx';

/** There the ways to report and block have room beside the name. */
const wide = '(min-width: 64rem)';

function BackLink() {
  const t = useText();
  return (
    <ActionIcon
      component={Link}
      to="/app/messages"
      className={classes.back}
      variant="subtle"
      color="gray"
      size={44}
      aria-label={t('All messages')}
    >
      <IconArrowLeft size={22} stroke={1.75} />
    </ActionIcon>
  );
}

/** A match that is over, somebody else's, or none; the server does not say which. */
function NotHere({ matchId }: { matchId: string }) {
  const t = useText();
  return (
    <div className={classes.nobody}>
      <PageHeading className={classes.name} title={t('Messages')}>
        {t('This conversation is not here (any more).')}
      </PageHeading>
      <p>{t('The match is over, or there never was one under this address.')}</p>
      <p>
        {t(
          'If something was written here that should not have been, you can still report it: what two people wrote is kept for {days} days after their match has ended.',
          {
            days: conversationKeptDays,
          },
        )}
      </p>
      <div className={classes.ways}>
        <Button component={Link} to="/app/messages">
          {t('All messages')}
        </Button>
        <ReportLink user={null} matchId={matchId} />
      </div>
    </div>
  );
}

interface HeadProps {
  conversation: ConversationView;
  block: ReturnType<typeof useBlock>;
  isEnded: boolean;
}

/** With whom, and what one can do about them. */
function Head({ conversation: { _id: matchId, user }, block, isEnded }: HeadProps) {
  const t = useText();
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });
  const [isShown, setShown] = useState(false);
  const name = memberName(user, t);
  return (
    <header className={classes.head}>
      <BackLink />
      <Avatar id={user._id} name={name} picture={user.profilePicture} size={44} />
      <div className={classes.who}>
        <PageHeading className={classes.name} title={t('Messages with {name}', { name })}>
          {name}
        </PageHeading>
        {user.isOnline === true && !isEnded && <p className={classes.online}>{t('Online')}</p>}
      </div>
      {!isWide && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-expanded={isShown}
          aria-label={t('More about {name}', { name })}
          onClick={() => setShown(!isShown)}
        >
          <IconDots size={22} stroke={1.75} />
        </ActionIcon>
      )}
      {(isWide || isShown) && (
        <div className={classes.actions}>
          <Button
            component={Link}
            to={`/app/members/${user._id}`}
            variant="default"
            aria-label={t('Profile of {name}', { name })}
          >
            {t('Profile')}
          </Button>
          <ReportLink user={{ _id: user._id, name: user.firstName ?? user.name }} matchId={matchId} />
          <BlockButton block={block} />
        </div>
      )}
      <UnblockHint block={block} />
      <BlockNotice block={block} name={name} />
    </header>
  );
}

interface ThreadProps {
  conversation: ConversationView;
  thread: ReturnType<typeof useHistory>;
}

function Thread({ conversation, thread }: ThreadProps) {
  const t = useText();
  const ownId = useSession((session) => session.user?._id) ?? '';
  const navigate = useNavigate();
  const { _id: matchId, user } = conversation;
  const { _id: userId } = user;
  const reportedName = user.firstName ?? user.name;
  const block = useBlock(userId);
  const { history, isThere, error, retry } = thread;
  const isEnded = thread.isEnded || block.isBlocked;
  const report = useCallback(
    ({ seq }: MessageView) => {
      const state: ReportLinkState | null = reportedName === null ? null : { reportedName };
      void navigate(reportAddress({ userId, matchId, seq }), { state });
    },
    [navigate, reportedName, userId, matchId],
  );
  return (
    <>
      <Head conversation={conversation} block={block} isEnded={isEnded} />
      <QueryStates
        query={{ data: isThere ? history : undefined, error, isFetching: error === null, refetch: retry }}
        loadingText={t('Loading your messages...')}
        skeleton={<Bone height="16rem" />}
        errorText={(text) => t('Your messages could not be loaded: {error}', { error: text })}
      >
        {() => (
          <Conversation
            conversation={conversation}
            ownId={ownId}
            thread={thread}
            isEnded={isEnded}
            onReport={report}
            reportLink={<ReportLink user={null} matchId={matchId} size="xs" />}
          />
        )}
      </QueryStates>
      {!isThere && error !== null && <UnsentMessages matchId={matchId} />}
    </>
  );
}

interface ConversationPaneProps {
  matchId: string;
  /** As the list has it, if it does: drawn until it is asked for anew. */
  known: ConversationView | undefined;
}

/** One conversation, with the ways to the person's profile, to report and to block them. */
export function ConversationPane({ matchId, known }: ConversationPaneProps) {
  const t = useText();
  const [first] = useState(known);
  const query = useRead(matchId, async (signal) => {
    return (await call(getConversation, { params: { id: matchId }, signal })).data.conversation;
  });
  const thread = useHistory(matchId);
  usePresence(query.refetch);
  const conversation = query.data ?? first ?? known;
  const refusal = query.error instanceof ApiError ? query.error : null;
  if (refusal?.status === 404 && !thread.isThere) return <NotHere matchId={matchId} />;
  if (conversation !== undefined) return <Thread conversation={conversation} thread={thread} />;
  return (
    <>
      <header className={classes.head}>
        <BackLink />
        <PageHeading className={classes.name}>{t('Messages')}</PageHeading>
      </header>
      {refusal?.status === 403 ? (
        <NotYet error={refusal} />
      ) : (
        <QueryStates
          query={query}
          loadingText={t('Loading your messages...')}
          skeleton={<Bone height="16rem" />}
          errorText={(error) => t('Your messages could not be loaded: {error}', { error })}
        >
          {() => null}
        </QueryStates>
      )}
      {query.error !== null && <UnsentMessages matchId={matchId} />}
    </>
  );
}
