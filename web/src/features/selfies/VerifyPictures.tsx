import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { getPhotoVerification, type OwnSelfie, type PhotoVerification } from '#contract/photo-verification.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { Disclosure } from '../../ui/data/Disclosure.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { useDrawPose, useGiveUpBadge, useWithdrawSelfies } from './queries.ts';
import { standingOf } from './standing.ts';
import { TakeSelfies } from './TakeSelfies.tsx';

/** The text that members agree to by starting. */
const terms = [
  msg`You take two pictures: your face, and one in a pose that we draw at random.`,
  msg`A person of our team compares them with the pictures of your profile. No software recognizes your face.`,
  msg`Other members never see the selfies, and neither can you once they are sent.`,
  msg`We delete them within a minute of the decision, and after seven days at the latest. No backup has them.`,
  msg`If we do not find you in your pictures, we look at your profile and keep a copy of it for that. You can read why we decide anything, and appeal.`,
  msg`For a year we keep when you sent selfies and what we decided.`,
  msg`It is free, voluntary and never sold. You can withdraw before the decision, and give the badge back at any time.`,
];

/** Answers for people who may wonder whether this is for them. */
const answers = [
  [
    msg`I wear a veil or a mask`,
    msg`Keep it on. We compare what your pictures show: if they show you with your veil or mask, take the selfies in it. If your pictures show your face, the selfies need to show it, too. All poses work with a veil, a mask or a headscarf.`,
  ],
  [
    msg`My looks have changed`,
    msg`That is fine. A beard, glasses, hair, weight, illness or years change a face. Add one recent picture to your profile first, so that we have something to compare.`,
  ],
  [
    msg`I am trans or non-binary`,
    msg`We ask for no document and no name, and never check anyone’s gender. We only look whether the selfies and the pictures show the same person. Pictures from before a transition are not needed, and you can remove them at any time.`,
  ],
  [
    msg`I can't or don't want to`,
    msg`You don't need it for anything that you do yourself. Some members choose to see only photo-verified people, and some accept first messages only from them; you can still like those, and they can write to you. If the camera or the poses are the problem, upload pictures from another device, or ask for another pose.`,
  ],
] as const;

/** Starts an attempt, or says when the next one is possible. */
function Start({ nextAttemptAt }: PhotoVerification) {
  const draw = useDrawPose();
  if (nextAttemptAt !== null)
    return (
      <Notice kind="info" isNews={false}>
        {t`You sent selfies three times within a week. You can try again on ${{ date: formatDate(nextAttemptAt) }}.`}
      </Notice>
    );
  return (
    <>
      <ErrorNotice error={draw.error} text={(error) => t`Couldn't start: ${error}`} />
      <Buttons>
        <BusyButton isBusy={draw.isPending} busyText={t`Starting...`} onClick={() => draw.mutate(false)}>
          {t`Agree and start`}
        </BusyButton>
        <Button component={Link} to="/app/profile" variant="default">
          {t`Not now`}
        </Button>
      </Buttons>
    </>
  );
}

/** Shown before an attempt: how the last one ended, what happens to selfies, and answers. */
function Before({ state }: { state: PhotoVerification }) {
  const { standing, text } = standingOf(state);
  return (
    <>
      {standing !== 'none' && (
        <Notice
          kind="warning"
          isNews={false}
          action={
            standing === 'rejected' && (
              <Button component={Link} to="/app/support/new" variant="default" size="xs">
                {t`Write to Support`}
              </Button>
            )
          }
        >
          {text}
        </Notice>
      )}
      <Panel title={t`Show that it is really you`}>
        <Stack>
          <Stack component="ul" gap="0.5rem" ps="1.1rem" style={{ listStyle: 'disc' }}>
            {terms.map((term) => (
              <li key={term.id}>{t(term)}</li>
            ))}
          </Stack>
          <Start {...state} />
        </Stack>
      </Panel>
      {answers.map(([question, answer]) => (
        <Disclosure key={question.id} title={t(question)}>
          <Text>{t(answer)}</Text>
        </Disclosure>
      ))}
    </>
  );
}

/** Shown while staff compare the selfies. */
function Waiting({ check, text }: { check: OwnSelfie; text: string }) {
  const withdraw = useWithdrawSelfies();
  return (
    <Panel title={t`We have your selfies`}>
      <Stack align="flex-start">
        <Text>{text}</Text>
        <ErrorNotice error={withdraw.error} text={(error) => t`Couldn't delete them: ${error}`} />
        <BusyButton
          variant="default"
          isBusy={withdraw.isPending}
          busyText={t`Deleting...`}
          onClick={() => withdraw.mutate(check._id)}
        >
          {t`Withdraw and delete`}
        </BusyButton>
      </Stack>
    </Panel>
  );
}

function Steps({ state }: { state: PhotoVerification }) {
  const giveUp = useGiveUpBadge();
  const { standing, text } = standingOf(state);
  const { check } = state;
  if (standing === 'verified')
    return (
      <Panel title={t`Your pictures are verified`}>
        <Text mb="0.9rem">{text}</Text>
        <Text mb="0.9rem">
          {t`It ends when you change your profile picture or add three new pictures. You can then verify again.`}
        </Text>
        <Buttons>
          <Button component={Link} to="/app/settings/privacy" variant="default">
            {t`Who can write first`}
          </Button>
          <BusyButton
            variant="subtle"
            color="gray"
            isBusy={giveUp.isPending}
            busyText={t`Removing...`}
            onClick={() => giveUp.mutate()}
          >
            {t`Give the badge back`}
          </BusyButton>
        </Buttons>
        <ErrorNotice error={giveUp.error} text={(error) => t`Couldn't remove it: ${error}`} />
      </Panel>
    );
  if (standing === 'waiting' && check) return <Waiting check={check} text={text} />;
  if (standing === 'drawn' && check) return <TakeSelfies check={check} />;
  return <Before state={state} />;
}

/** All steps of photo verification: what it means, taking selfies, waiting, and the result. */
export function VerifyPictures() {
  const query = useEndpoint(getPhotoVerification);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading...`}
      skeleton="24rem"
      errorText={(error) => t`Couldn't load your photo verification: ${error}`}
    >
      {(state) => (
        <Stack gap="1.25rem">
          <Steps state={state} />
        </Stack>
      )}
    </QueryStates>
  );
}
