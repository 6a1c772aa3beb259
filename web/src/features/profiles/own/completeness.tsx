import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Track } from '../../../ui/data/Track.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { listed } from '../../../ui/text/text.ts';

export type CompletionField = (typeof profileCompletionFields)[number];

/** A label for each part that is missing from a complete profile. */
const completionWords: Record<CompletionField, MessageDescriptor> = {
  firstName: msg`your first name`,
  birthDate: msg`your birth date`,
  gender: msg`your gender`,
  seeking: msg`who you would like to meet`,
  location: msg`where you live`,
  pictures: msg`a picture`,
};

/** Whether there is a picture. One that is waiting for review counts; a rejected one does not. */
export function hasPicture({ pictures }: OwnUser): boolean {
  return pictures.some(({ state }) => state !== 'rejected');
}

/**
 * The parts that are missing from a complete profile, in the order in which people fill them in; empty if the server
 * says that the profile is complete.
 */
export function missingFields(user: OwnUser): CompletionField[] {
  if (user.profileComplete) return [];
  const isThere: Record<CompletionField, boolean> = {
    firstName: user.firstName !== null,
    birthDate: user.birthDate !== null,
    gender: user.gender !== null,
    seeking: user.seeking.length > 0,
    location: user.location !== null,
    pictures: hasPicture(user),
  };
  return profileCompletionFields.filter((field) => !isThere[field]);
}

/** Shows how complete the profile is, and what is missing. */
export function CompletenessMeter({ user }: { user: OwnUser }) {
  const missing = missingFields(user);
  const total = profileCompletionFields.length;
  const done = total - missing.length;
  const words = listed(missing.map((field) => t(completionWords[field])));
  const text = missing.length === 0 ? t`Your profile is complete.` : t`Still missing: ${words}.`;
  return (
    <Stack gap="0.5rem">
      <Track
        role="meter"
        aria-label={t`Profile completeness`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={t`${done} of ${total}`}
        share={done / total}
      />
      <Hint>{text}</Hint>
    </Stack>
  );
}
