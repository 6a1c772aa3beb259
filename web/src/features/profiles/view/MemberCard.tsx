import { t } from '@lingui/core/macro';
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import { Avatar, movingPicture } from '../../../ui/data/Avatar.tsx';
import { PersonHero } from '../../../ui/data/Picture.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { PageHeading } from '../../../ui/layout/Page.tsx';
import { memberName, nameAndAge } from '../../../ui/text/person.ts';
import classes from './profile-view.module.css';

export type ShownMember = AnswerOf<typeof getUser>['data'];

interface MemberCardProps {
  /** Undefined until loaded, or if the viewer may not see this member. */
  member: ShownMember | undefined;
  /** The card is part of another page, so the name is not the page's heading. */
  isPart?: boolean;
  /** The viewer may not see this member, so no space is reserved for pictures. */
  isRefused?: boolean;
  /** An action shown over the first picture. */
  heroAction?: ReactNode;
  /** An action next to the name. */
  headAction?: ReactNode;
  /** Called when a picture did not load. */
  onPictureFailed?: () => void;
  /** The content below the picture: the profile and its actions, or the reason why it can't be shown. */
  children: ReactNode;
}

/**
 * The card of a member as another member sees it: the first picture with the name, which is the page's heading,
 * followed by the rest.
 */
export function MemberCard(props: MemberCardProps) {
  const { member, isPart = false, isRefused = false, onPictureFailed, children } = props;
  const name = member && memberName(member.user);
  const heading = member === undefined ? t({ message: 'Profile', context: 'person' }) : nameAndAge(member.user);
  const head = (
    <Group gap="0.3rem 0.8rem">
      {isPart ? (
        <Title order={props.headAction ? 2 : 3} fz="min(clamp(1.9rem, 1.5rem + 1.8vw, 2.5rem), 13vw)">
          {heading}
        </Title>
      ) : (
        <PageHeading
          fz="min(clamp(1.9rem, 1.5rem + 1.8vw, 2.5rem), 13vw)"
          title={name ?? t({ message: 'Profile', context: 'person' })}
        >
          {heading}
        </PageHeading>
      )}
      {member?.user.isPhotoVerified && <Tag tone="info">{t`Photo verified`}</Tag>}
      {member?.user.isOnline === true && (
        <Tag tone="positive" hasDot>
          {t`Online`}
        </Tag>
      )}
      {props.headAction}
    </Group>
  );
  return (
    // Without the picture it is another card, whose elements haven't moved.
    <article
      key={String(isRefused)}
      className={classes.card}
      data-part={isPart || undefined}
      onErrorCapture={onPictureFailed}
    >
      {!isRefused && (
        <div className={classes.first}>
          <div className={classes.photo} style={member && !isPart ? movingPicture(member.user._id) : undefined}>
            <PersonHero
              name={name}
              pictures={member?.user.pictures ?? []}
              fallback={member && <Avatar id={member.user._id} name={name ?? null} picture={null} size={160} />}
            >
              {props.heroAction}
            </PersonHero>
          </div>
        </div>
      )}
      <div className={classes.body}>
        {head}
        {children}
      </div>
    </article>
  );
}
