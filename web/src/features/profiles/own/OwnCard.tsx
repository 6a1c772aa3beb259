import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { habitPhrases } from '../../../ui/text/detail-words.ts';
import { MemberCard, type ShownMember } from '../view/MemberCard.tsx';
import { Story } from '../view/Story.tsx';
import { type OwnPart, ownParts } from './own-parts.ts';
import classes from './profile.module.css';

/** The member as others see them: without a last name, and without activity times if these are hidden. */
function shownTo(user: OwnUser): ShownMember {
  const { showLastActive } = user.settings;
  return {
    user: {
      ...user,
      pictures: user.pictures.filter(({ state }) => state === 'approved'),
      name: user.firstName,
      isOnline: showLastActive ? user.isOnline : null,
      lastActive: showLastActive ? user.lastActive : null,
    },
    privacyInfo: { showLastActive },
    distance: null,
    distanceFormatted: null,
    compatibilityScore: null,
    compatibilityBand: null,
  };
}

/** The parts that are still empty. */
function missingParts(user: OwnUser): OwnPart[] {
  const { goal, heightCm } = user;
  const isThere: Partial<Record<OwnPart, boolean>> = {
    place: user.location !== null,
    habits: [goal, heightCm, ...Object.values(habitPhrases(user))].some((answer) => answer !== null),
    interests: user.interests.length > 0,
    languages: user.languages.length > 0,
    prompts: user.prompts.length > 0,
  };
  return (Object.keys(isThere) as OwnPart[]).filter((part) => !isThere[part]);
}

/** Shows which pictures are not on the card, and why. */
function HiddenPictures({ pictures }: Pick<OwnUser, 'pictures'>) {
  const has = (state: 'pending' | 'rejected') => pictures.some((picture) => picture.state === state);
  return (
    <>
      {has('pending') && <Hint>{t`Pictures waiting for review are not shown yet.`}</Hint>}
      {has('rejected') && <Hint>{t`A picture was not accepted. Open your pictures to see why.`}</Hint>}
    </>
  );
}

interface OwnCardProps {
  user: OwnUser;
  onEdit: (part: OwnPart) => void;
}

/** The member's own card as others see it. Pressing a part opens its form, and parts that are missing can be added. */
export function OwnCard({ user, onEdit }: OwnCardProps) {
  const member = shownTo(user);
  const nameOf = (part: OwnPart) => t`Edit ${{ part: t(ownParts[part]) }}`;

  /** A button over a part of the card; the first button of each form is also for keyboards and screen readers. */
  const editOf = (part: OwnPart, isRepeated = false) => (
    <button
      type="button"
      className={classes.edit}
      aria-label={nameOf(part)}
      aria-haspopup="dialog"
      {...(isRepeated && { tabIndex: -1, 'aria-hidden': true })}
      onClick={() => onEdit(part)}
    >
      <IconPencil size={22} stroke={1.75} aria-hidden="true" />
    </button>
  );

  const missing = missingParts(user);
  return (
    <MemberCard
      member={member}
      isPart
      heroAction={editOf('pictures')}
      headAction={
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={nameOf('about')}
          aria-haspopup="dialog"
          onClick={() => onEdit('about')}
        >
          <IconPencil size={20} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      }
    >
      <HiddenPictures pictures={user.pictures} />
      <Story user={member.user} distanceFormatted={null} editOf={editOf} />
      {missing.length > 0 && (
        <Group gap="0.5rem">
          {missing.map((part) => (
            <Button
              key={part}
              className={classes.missing ?? ''}
              variant="subtle"
              leftSection={<IconPlus size={18} stroke={1.75} aria-hidden="true" />}
              aria-haspopup="dialog"
              onClick={() => onEdit(part)}
            >
              {t(ownParts[part])}
            </Button>
          ))}
        </Group>
      )}
    </MemberCard>
  );
}
