import { t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconFlag, IconHeartBroken, IconShieldHeart, IconUser, IconZzz } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { conversationKeptDays } from '#contract/constants.ts';
import type { ConversationView, MessageView, OpeningLike } from '#contract/messages/messages.ts';
import { ApiError } from '../../api/api-error.ts';
import { usePart } from '../../brand.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { BlockNotice, UnblockHint } from '../../features/connections/BlockControls.tsx';
import { useBlock } from '../../features/connections/queries.ts';
import { DateStrip, PlanButton } from '../../features/dates/DateStrip.tsx';
import { useDate } from '../../features/dates/queries.ts';
import { Conversation } from '../../features/messages/conversation/Conversation.tsx';
import { MeetingQuestion } from '../../features/messages/conversation/MeetingQuestion.tsx';
import { UnsentMessages } from '../../features/messages/conversation/OutgoingMessage.tsx';
import { useConversation, useMessages } from '../../features/messages/queries.ts';
import {
  reportAddress,
  ReportLink,
  type ReportLinkState,
  reportOf,
} from '../../features/moderation/own-reports/ReportLink.tsx';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { PersonHero } from '../../ui/data/Picture.tsx';
import { MoreActions } from '../../ui/layout/MoreActions.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../ui/text/person.ts';
import classes from '../members.module.css';
import { ReportOrBlockSheet } from '../people/ReportOrBlock.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';
import { UnmatchDialog } from '../../features/connections/UnmatchDialog.tsx';
import { SnoozeDialog } from '../../features/messages/snooze/SnoozeDialog.tsx';
import { SnoozedNotice } from '../../features/messages/snooze/SnoozedNotice.tsx';

/** Screens with room for the profile next to the conversation. */
const roomy = '(min-width: 88rem)';

const [FirstWords] = lazyPart(async () => (await import('../people/FirstWords.tsx')).FirstWords);
const [Story] = lazyPart(async () => (await import('../../features/profiles/view/Story.tsx')).Story);

function BackLink() {
  return (
    <ActionIcon
      component={Link}
      to="/app/messages"
      className={classes.back}
      variant="subtle"
      color="gray"
      size={44}
      aria-label={t`All messages`}
    >
      <IconArrowLeft className="mirrored" size={22} stroke={1.75} />
    </ActionIcon>
  );
}

/** A date that the member still shares with a friend, to end the link or cancel it. */
function SharedDate({ matchId }: { matchId: string }) {
  const { data } = useDate(matchId, true);
  const [isOpen, setOpen] = useState(false);
  const name = data?.date?.name ?? t`This person`;
  return <DateStrip matchId={matchId} userId="" name={name} isEnded isOpen={isOpen} onOpen={setOpen} />;
}

/** Shown if the match has ended, isn't the member's, or never existed; the server doesn't tell which. */
function NotHere({ matchId }: { matchId: string }) {
  return (
    <Stack align="flex-start" py="1.5rem" px="clamp(0.75rem, 2vw, 1.5rem)">
      <PageHeading fz="min(1.2rem, 7vw)" lineClamp={2} title={t`Messages`}>
        {t`This conversation isn't available.`}
      </PageHeading>
      <p>{t`The match is over, or it never existed.`}</p>
      <p>
        {t`If you received something that breaks our rules, you can still report it: messages are kept for ${{ days: conversationKeptDays }} days after a match has ended.`}
      </p>
      <SharedDate matchId={matchId} />
      <Buttons>
        <Button component={Link} to="/app/messages">
          {t`All messages`}
        </Button>
        <ReportLink user={null} matchId={matchId} />
      </Buttons>
    </Stack>
  );
}

const inMenu = { size: 17, stroke: 1.75, 'aria-hidden': true } as const;

interface HeadProps {
  conversation: ConversationView;
  block: ReturnType<typeof useBlock>;
  isEnded: boolean;
  onUnmatch: () => void;
}

/** The other person's name, and a button to report or block them, and a menu to view, snooze or unmatch them. */
function Head({ conversation, block, isEnded, onUnmatch }: HeadProps) {
  const { _id: matchId, user, snoozedUntil, isEnded: isHidden } = conversation;
  const [isSnoozing, setSnoozing] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const name = memberName(user);
  return (
    <header className={classes.head}>
      <BackLink />
      <div className={classes.headPicture}>
        <Avatar id={user._id} name={name} picture={user.profilePicture} size={44} isMoving />
      </div>
      <Box className={classes.headName ?? ''}>
        <PageHeading fz="min(1.2rem, 7vw)" lineClamp={2} title={t`Messages with ${name}`}>
          {name}
        </PageHeading>
        <Group gap="0.6rem">
          {user.isPhotoVerified && <Hint fz="small">{t`Photo verified`}</Hint>}
          {user.isOnline === true && !isEnded && (
            <Text c="var(--hw-moss)" fz="small">
              {t`Online`}
            </Text>
          )}
        </Group>
      </Box>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t`Report or block ${name}`}
        aria-haspopup="dialog"
        onClick={() => setReporting(true)}
      >
        <IconFlag size={21} stroke={1.75} />
      </ActionIcon>
      <MoreActions label={t`More about ${name}`}>
        {isHidden !== true && (
          <Button
            component={Link}
            viewTransition
            to={`/app/members/${user._id}`}
            variant="default"
            leftSection={<IconUser {...inMenu} />}
            aria-label={t`Profile of ${name}`}
          >
            {t({ message: 'Profile', context: 'person' })}
          </Button>
        )}
        <Button component={Link} to="/app/safety" variant="default" leftSection={<IconShieldHeart {...inMenu} />}>
          {t`Stay safe`}
        </Button>
        {!isEnded && snoozedUntil === undefined && (
          <Button variant="default" leftSection={<IconZzz {...inMenu} />} onClick={() => setSnoozing(true)}>
            {t`Snooze`}
          </Button>
        )}
        {!isEnded && (
          <Button variant="default" leftSection={<IconHeartBroken {...inMenu} />} onClick={onUnmatch}>
            {t`Unmatch`}
          </Button>
        )}
      </MoreActions>
      <ReportOrBlockSheet
        user={user}
        block={block}
        matchId={matchId}
        isOpen={isReporting}
        onClose={() => setReporting(false)}
      />
      {isSnoozing && <SnoozeDialog matchId={matchId} name={name} onClose={() => setSnoozing(false)} />}
      {snoozedUntil !== undefined && !isEnded && <SnoozedNotice matchId={matchId} until={snoozedUntil} />}
      <UnblockHint block={block} />
      <BlockNotice block={block} name={name} />
    </header>
  );
}

/** Their profile next to the conversation. */
function ProfilePane({ user }: { user: ConversationView['user'] }) {
  const name = memberName(user);
  return (
    <Stack
      component="aside"
      className={classes.profilePane ?? ''}
      gap="1.1rem"
      p="1.1rem"
      aria-label={t`Profile of ${name}`}
    >
      <PersonHero
        name={name}
        pictures={user.pictures}
        fallback={<Avatar id={user._id} name={name} picture={null} size={120} />}
      />
      <Story user={user} distanceFormatted={null} />
    </Stack>
  );
}

interface ThreadProps {
  conversation: ConversationView;
  /** The likes that led to the match; undefined until loaded. */
  likes: readonly OpeningLike[] | undefined;
  /** Whether to ask if the two have met. */
  asksMeeting: boolean;
  /** Whether the rest of the conversation is loading; what it adds would move the messages. */
  isLoading: boolean;
  thread: ReturnType<typeof useMessages>;
}

function Thread({ conversation, likes, asksMeeting, isLoading, thread }: ThreadProps) {
  const ownId = useSession((session) => session.user?._id) ?? '';
  const navigate = useNavigate();
  const { _id: matchId, user } = conversation;
  const { _id: userId } = user;
  const reportedName = user.firstName ?? user.name;
  const block = useBlock(userId);
  const isEnded = thread.isEnded || conversation.isEnded === true || block.isBlocked;
  const [isUnmatching, setUnmatching] = useState(false);
  const askUnmatch = useCallback(() => setUnmatching(true), []);
  const isRoomy = useMediaQuery(roomy, undefined, { getInitialValueInEffect: false });
  const report = useCallback(
    ({ seq }: MessageView) => {
      const state: ReportLinkState | null = reportedName === null ? null : { reportedName };
      void navigate(reportAddress({ userId, matchId, seq }), { state });
    },
    [navigate, reportedName, userId, matchId],
  );
  const { data: planned, isPending } = useDate(matchId, isEnded);
  const [isPlanning, setPlanning] = useState(false);
  const mayPlan = usePart('dates') && planned?.canPlan === true && planned.date === null;
  const reportNote = useCallback((note: string) => reportOf(user, note), [user]);
  const strip = (
    <DateStrip
      matchId={matchId}
      userId={userId}
      name={memberName(user)}
      isEnded={isEnded}
      isOpen={isPlanning}
      onOpen={setPlanning}
    />
  );
  return (
    <div className={classes.thread} data-fills>
      <Head conversation={conversation} block={block} isEnded={isEnded} onUnmatch={askUnmatch} />
      {isUnmatching && (
        <UnmatchDialog
          matchId={matchId}
          user={user}
          onEnded={() => void navigate('/app/messages', { replace: true })}
          onClose={() => setUnmatching(false)}
        />
      )}
      <QueryStates
        query={thread.query}
        isHeld={isLoading || (isPending && !isEnded)}
        loadingText={t`Loading your messages...`}
        skeleton="16rem"
        errorText={(error) => t`Couldn't load your messages: ${error}`}
      >
        {() => (
          <>
            {strip}
            <Conversation
              conversation={conversation}
              likes={likes}
              ownId={ownId}
              thread={thread}
              isEnded={isEnded}
              question={<MeetingQuestion matchId={matchId} name={memberName(user)} isTime={asksMeeting} />}
              plan={mayPlan && <PlanButton onPress={() => setPlanning(true)} />}
              onReport={report}
              reportLink={<ReportLink user={null} matchId={matchId} size="xs" />}
              reportOf={reportNote}
              onUnmatch={askUnmatch}
              openers={(fill) => <FirstWords user={user} onChoose={fill} />}
            />
          </>
        )}
      </QueryStates>
      {hasFailed(thread.query) && (
        <>
          {strip}
          <UnsentMessages matchId={matchId} />
        </>
      )}
      {isRoomy && !isEnded && <ProfilePane user={user} />}
    </div>
  );
}

/** Whether nothing could be loaded so far. It stays true during retries, so that unsent messages don't flicker. */
function hasFailed({ data, errorUpdateCount }: { data: unknown; errorUpdateCount: number }): boolean {
  return data === undefined && errorUpdateCount > 0;
}

interface ConversationPaneProps {
  matchId: string;
  /** The person from the list, if known; shown until the conversation is loaded. */
  known: ConversationView | undefined;
}

/** One conversation, with links to the profile, to report and to block the person. */
export function ConversationPane({ matchId, known }: ConversationPaneProps) {
  const [first] = useState(known);
  const query = useConversation(matchId);
  const thread = useMessages(matchId);
  const conversation = query.data ?? first ?? known;
  const refusal = query.error instanceof ApiError ? query.error : null;
  if (refusal?.status === 404 && thread.query.data === undefined) return <NotHere matchId={matchId} />;
  if (conversation !== undefined)
    return (
      <Thread
        conversation={conversation}
        likes={query.data?.likes}
        asksMeeting={query.data?.asksMeeting === true}
        isLoading={query.isPending}
        thread={thread}
      />
    );
  return (
    <>
      <header className={classes.head}>
        <BackLink />
        <PageHeading fz="min(1.2rem, 7vw)" lineClamp={2}>
          {t`Messages`}
        </PageHeading>
      </header>
      {refusal?.status === 403 ? (
        <NotYet error={refusal} />
      ) : (
        <QueryStates
          query={query}
          loadingText={t`Loading your messages...`}
          skeleton="16rem"
          errorText={(error) => t`Couldn't load your messages: ${error}`}
        >
          {() => null}
        </QueryStates>
      )}
      {hasFailed(query) && <UnsentMessages matchId={matchId} />}
    </>
  );
}
