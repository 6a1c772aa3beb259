import { IconClock, IconMapPin, IconRuler2, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Picture } from '#contract/picture.ts';
import type { getUser } from '#contract/profiles.ts';
import type { PublicUser } from '#contract/user.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { formatExactTime, formatNumber, lastActiveText } from '../../ui/format.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { type Translate, useLocale, useText } from '../../ui/text.ts';
import { useNow } from '../../ui/use-now.ts';
import { PictureGallery } from '../../ui/PictureGallery.tsx';
import classes from './MemberCard.module.css';
import { MemberDetails } from './MemberDetails.tsx';
import { genderWord, placeText } from './user-words.ts';

export type ShownMember = AnswerOf<typeof getUser>['data'];

/** The name that members read of each other; a word for somebody where there is none. */
export function memberName(user: Pick<PublicUser, 'firstName' | 'name'>, t: Translate): string {
  return user.firstName ?? user.name ?? t('This person');
}

function Fact({ Icon, children }: { Icon: typeof IconUser; children: ReactNode }) {
  return (
    <li className={classes.fact}>
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

function MemberFacts({ member: { user, distanceFormatted } }: { member: ShownMember }) {
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
export function MemberAbout({ member }: { member: ShownMember }) {
  return (
    <>
      <MemberFacts member={member} />
      {member.user.bio && (
        <p className={classes.bio} dir="auto">
          {member.user.bio}
        </p>
      )}
      <MemberDetails details={member.user} />
    </>
  );
}

interface MemberCardProps {
  /** Undefined until they are there, or as long as they may not be shown. */
  member: ShownMember | undefined;
  /** Shown within another page, whose heading it is not. */
  isPart?: boolean;
  /** They may not be shown, and nobody is waited for: no room is kept for pictures. */
  isRefused?: boolean;
  /** What can be done about the picture that is shown. */
  pictureAction?: (picture: Picture) => ReactNode;
  /** A picture did not load. */
  onPictureFailed?: () => void;
  /** What stands below: about them and what can be done, or why there is nobody. */
  children: ReactNode;
}

/** The card of a member as another member sees them, with pictures and name, which is the page's heading. */
export function MemberCard(props: MemberCardProps) {
  const { member, isPart = false, isRefused = false, pictureAction, onPictureFailed, children } = props;
  const t = useText();
  const locale = useLocale();
  const name = member && memberName(member.user, t);
  const age = member?.user.age ?? null;
  const heading =
    name === undefined
      ? t('Profile')
      : age === null
        ? name
        : t('{name}, {age}', { name, age: formatNumber(age, locale) });
  return (
    <article className={classes.card}>
      {isRefused ? (
        <div className={classes.band} />
      ) : (
        <PictureGallery
          name={name}
          pictures={member?.user.pictures ?? []}
          fallback={member && <Avatar id={member.user._id} name={name ?? null} picture={null} size={160} />}
          action={pictureAction}
          onFailed={onPictureFailed}
        />
      )}
      <div className={classes.body}>
        <div className={classes.head}>
          {isPart ? (
            <h3 className={classes.name}>{heading}</h3>
          ) : (
            <PageHeading className={classes.name} title={name ?? t('Profile')}>
              {heading}
            </PageHeading>
          )}
          {member?.user.isOnline === true && (
            <Tag tone="positive" hasDot>
              {t('Online')}
            </Tag>
          )}
        </div>
        {children}
      </div>
    </article>
  );
}
