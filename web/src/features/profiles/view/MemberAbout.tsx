import { IconClock, IconMapPin, IconRuler2, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PublicUser } from '#contract/profiles/user.ts';
import { formatExactTime, lastActiveText } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import classes from './MemberAbout.module.css';
import { MemberDetails } from './MemberDetails.tsx';
import { genderWord, placeText } from '../staff/list/user-words.ts';

/** As much of somebody as can be told of them. */
interface Told {
  user: PublicUser;
  distanceFormatted: string | null;
}

function Fact({ Icon, children }: { Icon: typeof IconUser; children: ReactNode }) {
  return (
    <li className={classes.fact}>
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

function MemberFacts({ user, distanceFormatted }: Told) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const gender = genderWord(user);
  const place = placeText(user.location);
  const lastActive = user.isOnline === true ? null : user.lastActive;
  const { text, values } = lastActiveText(lastActive, now, locale);
  return (
    <ul className={classes.facts}>
      {gender !== null && <Fact Icon={IconUser}>{t(gender)}</Fact>}
      {place !== null && <Fact Icon={IconMapPin}>{place}</Fact>}
      {distanceFormatted !== null && <Fact Icon={IconRuler2}>{t(distanceFormatted)}</Fact>}
      {lastActive !== null && (
        <Fact Icon={IconClock}>
          <time dateTime={lastActive} title={formatExactTime(lastActive, locale)}>
            {t('Last active: {time}', { time: t(text, values) })}
          </time>
        </Fact>
      )}
    </ul>
  );
}

/** What a member tells of themselves, as far as it may be shown. */
export function MemberAbout({ user, distanceFormatted }: Told) {
  return (
    <>
      <MemberFacts user={user} distanceFormatted={distanceFormatted} />
      {user.bio && (
        <p className={classes.bio} dir="auto">
          {user.bio}
        </p>
      )}
      <MemberDetails details={user} />
    </>
  );
}
