import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import type { CheckIn } from '#contract/dates.ts';
import { ApiError } from '../../api/api-error.ts';
import { usePart } from '../../brand.ts';
import { useAnswerCheckIn, useCheckIn } from '../../features/dates/queries.ts';
import { whenText } from '../../features/dates/when.ts';
import { MeetingQuestion } from '../../features/messages/conversation/MeetingQuestion.tsx';
import { HelpLines } from '../../features/moderation/help-lines/HelpLines.tsx';
import { markKindRead } from '../../features/notifications/queries.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { MembersOnly, NarrowPage } from '../layout/NarrowPage.tsx';

const allMessages = () => (
  <Button component={Link} to="/app/messages" variant="default">
    {t`All messages`}
  </Button>
);

/** Takes the focus, because the pressed button has disappeared. */
function Focused({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Stack ref={box} tabIndex={-1} gap="1.25rem">
      {children}
    </Stack>
  );
}

/** The help lines, which are shown at once, whether or not our team could be reached. */
function Help({ children, name }: { children: ReactNode; name: string }) {
  return (
    <Focused>
      <Notice kind="warning" isNews={false}>
        {t`In danger? Call your local emergency number first.`}
      </Notice>
      {children}
      <HelpLines />
      <Text>
        {t`${name} doesn't learn that you asked for help. If you are a match, you stay one until you unmatch or block ${name}.`}
      </Text>
      <Button component={Link} to="/app/support" variant="default">
        {t`Write to our team`}
      </Button>
    </Focused>
  );
}

const alerted = () => (
  <Notice kind="success">
    {t`Our team has your call for help, with a copy of your messages and of the plan. Someone reads it within an hour.`}
  </Notice>
);

function Question({ id, checkIn }: { id: string; checkIn: CheckIn }) {
  const { name, matchId } = checkIn;
  const answer = useAnswerCheckIn(id);
  const { mutate, isPending, error, variables, data } = answer;
  if (checkIn.state === 'helped' && variables !== 'good') return <Help name={name}>{alerted()}</Help>;
  if (variables === 'help')
    return (
      <Help name={name}>
        {data !== undefined && alerted()}
        {isPending && <Notice kind="info">{t`Alerting our team...`}</Notice>}
        {error !== null && (
          <Notice kind="error" onRetry={() => mutate('help')}>
            {t`We couldn't alert our team. Check your connection and try again.`}
          </Notice>
        )}
      </Help>
    );
  if (data !== undefined)
    return (
      <Focused>
        <Notice kind="success">{t`Good to hear. We've deleted this check-in.`}</Notice>
        <MeetingQuestion matchId={matchId} name={name} isTime={data.asksMeeting} />
        {allMessages()}
      </Focused>
    );
  return (
    <Stack gap="1rem">
      <Text>
        {whenText(checkIn)} · <bdi>{checkIn.place}</bdi>
      </Text>
      <Text>{t`How is it going? Your answer is between you and us.`}</Text>
      <ErrorNotice error={error} text={(error) => t`Couldn't save your answer: ${error}`} />
      <BusyButton size="lg" isBusy={isPending} busyText={t`Saving...`} onClick={() => mutate('good')}>
        {t`All good`}
      </BusyButton>
      <Button size="lg" variant="default" onClick={() => mutate('help')}>
        {t`I need help`}
      </Button>
      <Hint>
        {t`“I need help” shows help lines and alerts our team about ${name}, with a copy of your messages. ${name} never learns of it.`}
      </Hint>
    </Stack>
  );
}

/** Shown for a date that has ended, with the reason if dates were switched off. */
function NotPlanned() {
  const isOffered = usePart('dates');
  return (
    <Stack gap="1rem" align="flex-start">
      <Text>{t`This date is no longer planned.`}</Text>
      {!isOffered && <Text>{t`Dates can't be planned here any more.`}</Text>}
      {allMessages()}
    </Stack>
  );
}

function Answering({ id, checkIn }: { id: string; checkIn: CheckIn }) {
  // A final answer stays on the screen.
  const [isNothing] = useState(checkIn.state === 'none');
  const isOffered = usePart('dates');
  useEffect(() => {
    if (isNothing) void markKindRead('date');
  }, [isNothing]);
  if (!isNothing) return <Question id={id} checkIn={checkIn} />;
  return isOffered ? <Navigate to={`/app/messages/${checkIn.matchId}`} replace /> : <NotPlanned />;
}

/**
 * Asks members how their date is going. Notifications about dates open this page, which continues to the conversation if there is nothing
 * to ask.
 */
export function CheckInPage() {
  const { id = '' } = useParams();
  const query = useCheckIn(id);
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  return (
    <MembersOnly title={t`Your date`}>
      <NarrowPage title={t`Your date`}>
        {isGone ? (
          <NotPlanned />
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading your date...`}
            skeleton="16rem"
            errorText={(error) => t`Couldn't load your date: ${error}`}
          >
            {(checkIn) => <Answering key={id} id={id} checkIn={checkIn} />}
          </QueryStates>
        )}
      </NarrowPage>
    </MembersOnly>
  );
}
