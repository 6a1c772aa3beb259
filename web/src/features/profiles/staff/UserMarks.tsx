import type { ListedUser } from '#contract/profiles/user.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { formatExactTime, lastActiveText } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';

/** The specification's status of an account: inactive, else online or offline. */
export function statusWord({
  isActive,
  isOnline,
}: Pick<ListedUser, 'isActive' | 'isOnline'>): 'Inactive' | 'Online' | 'Offline' {
  if (!isActive) return 'Inactive';
  return isOnline ? 'Online' : 'Offline';
}

export const statusTones = { Inactive: 'attention', Online: 'positive', Offline: 'quiet' } as const;

const shownIdLength = 8;

/** The id as lists show it. */
export function shortUserId(id: string): string {
  return id.slice(0, shownIdLength);
}

export const roleWords = { admin: 'Administrator', moderator: 'Moderator' } as const;

/** Whether the e-mail address is proven. */
export function VerifiedTag({ isEmailVerified }: Pick<ListedUser, 'isEmailVerified'>) {
  return isEmailVerified ? <Tag tone="info">{t('Verified')}</Tag> : <Tag tone="quiet">{t('Unverified')}</Tag>;
}

/** Inactive, online or offline. */
export function StatusTag({ user }: { user: Pick<ListedUser, 'isActive' | 'isOnline'> }) {
  const word = statusWord(user);
  return (
    <Tag tone={statusTones[word]} hasDot>
      {t(word)}
    </Tag>
  );
}

/** Premium or free. */
export function SubscriptionTag({ isVIP }: Pick<ListedUser, 'isVIP'>) {
  return isVIP ? <Tag tone="attention">{t('Premium')}</Tag> : <Tag tone="quiet">{t('Free')}</Tag>;
}

/** Last-active as the specification words it; the exact time is the tooltip. */
export function LastActive({ time, now }: { time: string | null; now: number }) {
  const { text, values } = lastActiveText(time, now);
  if (time === null) return <>{t(text)}</>;
  return (
    <time dateTime={time} title={formatExactTime(time)}>
      {t(text, values)}
    </time>
  );
}
