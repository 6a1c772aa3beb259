import { plural, t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { type CaseFile, type StaffCase, releaseHold } from '#contract/moderation/cases.ts';
import type { HeldBack } from '#contract/moderation/holds.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Facts } from '../../../ui/data/Facts.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { nameAndAge, placeText } from '../../../ui/text/person.ts';
import { Veil } from '../reports/Veil.tsx';
import { holdWords } from './case-words.ts';
import classes from './cases.module.css';

function Texts({ texts }: Pick<HeldBack, 'texts'>) {
  if (texts === null || texts.length === 0) return null;
  return (
    <Stack component="ul" gap="0.5rem" mt="1rem" aria-label={t`Most frequent texts`}>
      {texts.map(({ text, count }) => (
        <li key={text}>
          <UserText>{text}</UserText>
          <Hint>{t`${plural(count, { one: 'Sent once', other: 'Sent # times' })}`}</Hint>
        </li>
      ))}
    </Stack>
  );
}

/** The held person next to the one they wrote to or who reported them, to be compared at a glance. */
export function ComparedPeople({ file: { case: of, comparedPeople, heldBack, reports } }: { file: CaseFile }) {
  if (of.hold === null || comparedPeople.length === 0) return null;
  const title = comparedPeople.length === 1 ? t`The held person` : t`The two people`;
  return (
    <Panel title={title}>
      <ul className={classes.people} aria-label={title}>
        {comparedPeople.map((one) => {
          const { _id: id, name, location, isPhotoVerified, profilePicture, joinedAt } = one;
          const isHeld = id === of.person._id;
          const written = reports.filter(({ user }) => user._id === id);
          return (
            <li key={id}>
              {profilePicture === null ? (
                <Avatar id={id} name={name} picture={null} size={96} />
              ) : (
                <Veil count={1} text={t`Show the picture`}>
                  <Avatar id={id} name={name} picture={profilePicture} size={96} />
                </Veil>
              )}
              <Group gap="0.25rem 0.5rem" mt="0.6rem" fw={600}>
                <Link to={`/users/${id}`}>{nameAndAge(one)}</Link>
                <Tag tone={isHeld ? 'attention' : 'quiet'}>
                  {isHeld ? t`Held` : written.length > 0 ? t`Reporter` : t`Recipient`}
                </Tag>
                {isPhotoVerified && <Tag tone="info">{t`Photo verified`}</Tag>}
              </Group>
              <Hint>{placeText(location) ?? t`N/A`}</Hint>
              <Hint>
                {t`Joined`} <Time at={joinedAt} isDate />
              </Hint>
              {isHeld && <Texts texts={heldBack?.texts ?? null} />}
              {!isHeld && (
                <Stack gap="0.5rem" mt="1rem">
                  {written.map(({ _id, description }) => (
                    <UserText key={_id}>{description}</UserText>
                  ))}
                </Stack>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

interface CaseHoldProps {
  file: CaseFile;
  hold: NonNullable<StaffCase['hold']>;
}

/** What is held back, since when and why, with a button to deliver it without a decision. */
export function CaseHold({ file, hold }: CaseHoldProps) {
  const { case: of, heldBack } = file;
  const release = useCommand(releaseHold, (reason: string) => ({ params: { id: of._id }, body: { reason } }));
  const mayRelease = useMay('cases.handle');
  return (
    <Panel
      title={t`Held back`}
      lead={t`Likes, notes and first messages are delivered after your decision, or never if it has a sanction. Neither side knows.`}
    >
      <Facts
        facts={[
          [t`Reason`, t(holdWords[hold.cause])],
          [t`Held since`, <Time key="since" at={hold.since} />],
          [t`Delivered without a decision`, <Time key="ends" at={hold.endsAt} />],
          heldBack && [
            t`Waiting`,
            heldBack.receivers === 0
              ? t`Nothing yet`
              : t`${plural({ likes: heldBack.likes }, { one: '# like', other: '# likes' })} and ${plural({ messages: heldBack.messages }, { one: '# message', other: '# messages' })} to ${plural({ receivers: heldBack.receivers }, { one: '# person', other: '# people' })}`,
          ],
        ]}
      />
      {mayRelease && (
        <ReasonButton
          text={t`Release the hold`}
          button={{ mt: '1rem' }}
          title={t`Release the hold`}
          description={t`Kept in the timeline and the audit trail.`}
          confirm={t`Deliver now`}
          busyText={t`Releasing...`}
          command={release}
        >
          {t`Everything that is held back is delivered. The case stays open.`}
        </ReasonButton>
      )}
    </Panel>
  );
}
