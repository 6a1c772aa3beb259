import type { ReactNode } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Picture } from '#contract/media/picture.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { PageHeading } from '../../../ui/layout/PageHeading.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { t } from '../../../ui/text/text.ts';
import { PictureGallery } from '../../../ui/data/PictureGallery.tsx';
import classes from './member.module.css';

export type ShownMember = AnswerOf<typeof getUser>['data'];

interface MemberCardProps {
  /** Undefined until loaded, or while they may not be shown. */
  member: ShownMember | undefined;
  /** Shown within another page, so the name is not the page's heading. */
  isPart?: boolean;
  /** They may not be shown, so no space is kept for pictures. */
  isRefused?: boolean;
  /** An action for the picture that is shown. */
  pictureAction?: (picture: Picture) => ReactNode;
  /** A picture did not load. */
  onPictureFailed?: () => void;
  /** Which picture is shown, if the parent controls it. */
  pictureIndex?: number;
  onPictureIndex?: (index: number) => void;
  /** The content below: about the member and what can be done, or why they cannot be shown. */
  children: ReactNode;
}

/** The card of a member as another member sees them, with pictures and name, which is the page's heading. */
export function MemberCard(props: MemberCardProps) {
  const { member, isPart = false, isRefused = false, pictureAction, onPictureFailed, children } = props;
  const name = member && memberName(member.user);
  const age = member?.user.age ?? null;
  const heading =
    name === undefined ? t('Profile') : age === null ? name : t('{name}, {age}', { name, age: formatNumber(age) });
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
          index={props.pictureIndex}
          onIndex={props.onPictureIndex}
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
