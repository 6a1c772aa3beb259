import { Box, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OwnSelfie, PhotoVerification } from '#contract/photo-verification.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { photoVerificationQuery, useDrawPose, useWithdrawSelfies } from './queries.ts';
import { TakeSelfies } from './TakeSelfies.tsx';

/** Starts an attempt, or says when the next one is possible. */
function Start({ state, text }: { state: PhotoVerification; text: string }) {
  const draw = useDrawPose();
  if (state.nextAttemptAt !== null)
    return (
      <Notice kind="info" isNews={false}>
        {t('You sent selfies three times within a week. You can try again on {date}.', {
          date: formatDate(state.nextAttemptAt),
        })}
      </Notice>
    );
  return (
    <>
      <ErrorNotice error={draw.error} text="Couldn't start: {error}" />
      <Buttons>
        <BusyButton isBusy={draw.isPending} busyText={t('Starting...')} onClick={() => draw.mutate(false)}>
          {text}
        </BusyButton>
        <Button component={Link} to="/app/profile" variant="default">
          {t('Not now')}
        </Button>
      </Buttons>
    </>
  );
}

/** What is done with the pictures, before the member agrees to it by starting. */
function Explanation() {
  return (
    <Stack component="ul" gap="0.5rem" pl="1.1rem" style={{ listStyle: 'disc' }}>
      <li>{t('You take two pictures: your face, and one in a pose that we draw at random.')}</li>
      <li>
        {t('A person of our team compares them with the pictures of your profile. No software recognizes your face.')}
      </li>
      <li>{t('Other members never see the selfies, and neither can you once they are sent.')}</li>
      <li>
        {t('We delete them within a minute of the decision, and after seven days at the latest. No backup has them.')}
      </li>
      <li>{t('It is free and voluntary. It never changes who sees you first, and is never sold.')}</li>
    </Stack>
  );
}

/** Answers for people who may wonder whether this is for them. */
function Questions() {
  const answers = [
    [
      t('I wear a veil or a mask'),
      t(
        'Keep it on. We compare what your pictures show: if they show you with your veil or mask, take the selfies in it. If your pictures show your face, the selfies need to show it, too. All poses work with a veil, a mask or a headscarf.',
      ),
    ],
    [
      t('My looks have changed'),
      t(
        'That is fine. A beard, glasses, hair, weight, illness or years change a face. Add one recent picture to your profile first, so that we have something to compare.',
      ),
    ],
    [
      t('I am trans or non-binary'),
      t(
        'We ask for no document and no name, and never check anyone’s gender. We only look whether the selfies and the pictures show the same person. Pictures from before a transition are not needed, and you can remove them at any time.',
      ),
    ],
    [
      t("I can't or don't want to"),
      t(
        'You can use everything without it. A few members accept first messages only from photo-verified people; you can still like them, and they can write to you. If the camera or the poses are the problem, upload pictures from another device, or ask for another pose.',
      ),
    ],
  ] as const;
  return (
    <Stack gap="0.4rem">
      {answers.map(([question, text]) => (
        <Disclosure key={question} title={question} heading="h3">
          <Text>{text}</Text>
        </Disclosure>
      ))}
    </Stack>
  );
}

/** While staff compare the selfies. */
function Waiting({ check }: { check: OwnSelfie }) {
  const withdraw = useWithdrawSelfies();
  return (
    <Panel title={t('We have your selfies')}>
      <Stack>
        <Text>
          {t('Our team compares them with your pictures, usually within a day. We email you the result.')}
        </Text>
        <ErrorNotice error={withdraw.error} text="Couldn't delete them: {error}" />
        <Buttons>
          <BusyButton
            variant="default"
            isBusy={withdraw.isPending}
            busyText={t('Deleting...')}
            onClick={() => withdraw.mutate(check._id)}
          >
            {t('Withdraw and delete')}
          </BusyButton>
        </Buttons>
      </Stack>
    </Panel>
  );
}

/** How the last attempt or the verification ended, in words; null for a first attempt. */
function endWords({ check, isLost }: PhotoVerification): { kind: 'info' | 'warning'; text: string } | null {
  if (check?.state === 'again')
    return { kind: 'warning', text: t('We need new selfies. The reason: {reason}', { reason: check.reason ?? '' }) };
  if (check?.state === 'rejected')
    return {
      kind: 'warning',
      text: t(
        'Our team did not find the person of your selfies in your pictures, and looks at your profile. If this leads to a decision, you can read why and appeal. If we are wrong, add a recent picture and try again, or write to Support.',
      ),
    };
  if (check?.state === 'expired')
    return {
      kind: 'info',
      text: t('Sorry: we did not get to your selfies within seven days and have deleted them. You can take new ones.'),
    };
  if (isLost)
    return {
      kind: 'info',
      text: t(
        'Your profile picture or several others have changed since you were verified, so others no longer read “Photo verified”.',
      ),
    };
  return null;
}

function Verified({ since }: { since: string }) {
  return (
    <Panel title={t('Your pictures are verified')}>
      <Stack>
        <Text>
          {t('Since {date}, others read “Photo verified” on your profile.', { date: formatDate(since) })}
        </Text>
        <Text>
          {t('It ends when you change your profile picture or add three new pictures. You can then verify again.')}
        </Text>
        <Buttons>
          <Button component={Link} to="/app/profile" variant="default">
            {t('My profile')}
          </Button>
          <Button component={Link} to="/app/settings/privacy" variant="default">
            {t('Who can write first')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  );
}

function Steps({ state }: { state: PhotoVerification }) {
  const { verifiedAt, check } = state;
  if (verifiedAt !== null) return <Verified since={verifiedAt} />;
  if (check?.state === 'waiting') return <Waiting check={check} />;
  if (check?.state === 'drawn')
    return (
      <Panel title={t('Take two selfies')}>
        <TakeSelfies check={check} />
      </Panel>
    );
  const end = endWords(state);
  return (
    <>
      {end !== null && (
        <Notice
          kind={end.kind}
          isNews={false}
          action={
            check?.state === 'rejected' && (
              <Button component={Link} to="/app/support/new" variant="default" size="xs">
                {t('Write to Support')}
              </Button>
            )
          }
        >
          {end.text}
        </Notice>
      )}
      <Panel title={t('Show that it is really you')}>
        <Stack>
          <Explanation />
          <Start state={state} text={end === null ? t('Agree and start') : t('Agree and try again')} />
        </Stack>
      </Panel>
    </>
  );
}

/** All steps of photo verification: what it means, taking selfies, waiting, and the result. */
export function VerifyPictures() {
  const query = useQuery(photoVerificationQuery);
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading...')}
      skeleton="24rem"
      errorText="Couldn't load your photo verification: {error}"
    >
      {(state) => (
        <Stack gap="1.25rem">
          <Steps state={state} />
          {state.verifiedAt === null && state.check?.state !== 'waiting' && (
            <Box>
              <Questions />
            </Box>
          )}
        </Stack>
      )}
    </QueryStates>
  );
}
