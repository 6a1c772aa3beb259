import { t } from '@lingui/core/macro';
import { Box, Group, Text } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Tag, type TagTone } from '../../../ui/data/Tag.tsx';
import { formatDate, formatExactTime, formatNumber, lastActiveText } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { genderWord, personName, placeText } from '../../../ui/text/person.ts';
import { Contact } from './Contact.tsx';
import { roleNames } from '#contract/roles.ts';
import { readableAddress } from '#contract/text.ts';

/** The fields that both the list and the full view have. */
type ShownUser = Omit<ListedUser, 'can'> & { can: Pick<ListedUser['can'], 'act'> };

/** Picture, name (unless the page's heading shows it) and account status. */
export function UserHead({ user, isNamed = true }: { user: ShownUser; isNamed?: boolean }) {
  const name = personName(user);
  return (
    <Group gap="1rem" wrap="nowrap" mb="1.25rem">
      <Avatar id={user._id} name={name} picture={user.profilePicture} size={64} />
      <Box miw={0}>
        {isNamed && (
          <Text ff="heading" fz="1.35rem" fw={600} lh={1.25} mb="0.35rem">
            {name ?? t`Unknown`}
          </Text>
        )}
        <Group gap="0.35rem">
          <StatusTag user={user} />
          <SubscriptionTag isVIP={user.isVIP} />
          <VerifiedTag user={user} />
          {user.staffRole !== null && <Tag tone="accent">{t(roleNames[user.staffRole])}</Tag>}
        </Group>
      </Box>
    </Group>
  );
}

/** The facts that the specification lists for the detail view. */
export function UserFacts({ user, now }: { user: ShownUser; now: number }) {
  const missing = t`N/A`;
  const gender = genderWord(user);
  return (
    <Facts
      leastRem={11}
      facts={[
        [t`Email`, user.can.act ? <Contact userId={user._id} email={user.email} /> : readableAddress(user.email)],
        [t`User ID`, <code>{user._id}</code>],
        [t`Join Date`, <Time at={user.createdAt} isDate />],
        [t`Last Active`, <LastActive time={user.lastActive} now={now} />],
        [t`Age`, user.age === null ? missing : formatNumber(user.age)],
        [t`Gender`, gender ?? missing],
        [t`Location`, placeText(user.location) ?? missing],
        [t`Profile Complete`, user.profileComplete ? t`Yes` : t`No`],
        [t`Photo verified`, user.isPhotoVerified ? formatDate(user.photoVerifiedAt) : t`No`],
        [t`Bio`, user.bio || missing, true],
      ]}
    />
  );
}

/** The status of an account as the specification defines it: inactive, otherwise online or offline. */
function statusWord({ isActive, isOnline }: Pick<ListedUser, 'isActive' | 'isOnline'>): [word: string, tone: TagTone] {
  if (!isActive) return [t`Inactive`, 'attention'];
  return isOnline ? [t`Online`, 'positive'] : [t`Offline`, 'quiet'];
}

const shownIdLength = 8;

/** The short id that lists show. */
export function shortUserId(id: string): string {
  return id.slice(0, shownIdLength);
}

/** Whether the email address has been verified, and beside it a sign that the photos are. */
export function VerifiedTag({ user }: { user: Pick<ListedUser, 'isEmailVerified' | 'isPhotoVerified'> }) {
  return (
    <>
      <span title={user.isEmailVerified ? t`Email verified` : t`Email not verified`}>
        {user.isEmailVerified ? <Tag tone="info">{t`Verified`}</Tag> : <Tag tone="quiet">{t`Unverified`}</Tag>}
      </span>
      {user.isPhotoVerified && (
        <span title={t`Photo verified`}>
          <Tag tone="positive">
            <IconCamera size={14} stroke={2} aria-hidden="true" style={{ verticalAlign: 'middle' }} />
            <span className="visually-hidden">{t`Photo verified`}</span>
          </Tag>
        </span>
      )}
    </>
  );
}

/** Inactive, online or offline. */
export function StatusTag({ user }: { user: Pick<ListedUser, 'isActive' | 'isOnline'> }) {
  const [word, tone] = statusWord(user);
  return (
    <Tag tone={tone} hasDot>
      {word}
    </Tag>
  );
}

/** Whether the user has premium. */
export function SubscriptionTag({ isVIP }: Pick<ListedUser, 'isVIP'>) {
  return isVIP ? <Tag tone="attention">{t`Premium`}</Tag> : <Tag tone="quiet">{t`Free`}</Tag>;
}

/** The time of the last activity in the specification's wording, with the exact time as a tooltip. */
export function LastActive({ time, now }: { time: string | null; now: number }) {
  const text = lastActiveText(time, now);
  if (time === null) return <>{text}</>;
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {text}
    </time>
  );
}
