import { t } from '@lingui/core/macro';
import { Box, Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { MemberCard, type ShownMember } from '../view/MemberCard.tsx';
import { Story } from '../view/Story.tsx';
import classes from './profile.module.css';

/** The member as others see them: without a last name, and without activity times if these are hidden. */
function shownTo(user: OwnUser): ShownMember {
  const { showLastActive } = user.settings;
  const pictures = user.pictures.filter(({ state }) => state === 'approved');
  return {
    user: {
      ...user,
      pictures,
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

/** The member with unsaved changes, leaving out values that could not be saved. */
function withTyped(user: OwnUser, typed: readonly object[]): OwnUser {
  const accepted = typed
    .flatMap((body) => Object.entries(body))
    .flatMap(([field, value]: [string, unknown]) => {
      const complete = field === 'prompts' ? answered(value as OwnUser['prompts']) : value;
      const { success, data } = editProfile.body.safeParse({ [field]: complete });
      return success ? Object.entries(data) : [];
    });
  return { ...user, ...Object.fromEntries(accepted) };
}

const answered = (prompts: readonly { prompt: string; answer: string }[]) =>
  prompts.filter(({ prompt, answer }) => prompt !== '' && answer !== '');

interface ProfilePreviewProps {
  user: OwnUser;
  /** The bodies that the open forms would send. */
  typed: readonly object[];
  /** Closes the dialog in which the preview is shown; absent if it is next to the forms. */
  onClose?: () => void;
}

/** The member's own card as others see it, including unsaved changes. */
export function ProfilePreview({ user, typed, onClose }: ProfilePreviewProps) {
  const titleId = useId();
  const member = shownTo(withTyped(user, typed));
  const isWaiting = user.pictures.some(({ state }) => state === 'pending');
  const title = t`How others see you`;
  const unsaved = (
    <Box role="status" mb={onClose && typed.length > 0 ? '0.75rem' : 0}>
      {typed.length > 0 && <Tag tone="attention">{t`Not saved yet`}</Tag>}
    </Box>
  );
  const card = (
    <>
      <Text mb="1rem" c="dimmed">
        {t`They also see roughly how far away you are, once we know your city.`}
        {isWaiting && ` ${t`Pictures waiting for review are not shown yet.`}`}
      </Text>
      <MemberCard member={member} isPart>
        <Story user={member.user} distanceFormatted={member.distanceFormatted} />
      </MemberCard>
    </>
  );
  if (onClose === undefined)
    return (
      <div role="region" tabIndex={0} className={classes.previewPane} aria-labelledby={titleId}>
        <Group gap="0.4rem 1rem" justify="space-between" mb="0.6rem">
          <Title id={titleId} order={2}>
            {title}
          </Title>
          {unsaved}
        </Group>
        {card}
      </div>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      {unsaved}
      {card}
    </Dialog>
  );
}
