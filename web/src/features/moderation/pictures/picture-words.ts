import type { QueuedPicture, PictureState } from '#contract/media.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import { t } from '../../../ui/text/text.ts';

export const pictureStateWords: Record<PictureState, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const pictureStateTones: Record<PictureState, TagTone> = {
  pending: 'attention',
  approved: 'positive',
  rejected: 'quiet',
};

/** The most common reasons for a rejection, worded for the owner of the picture. */
export const readyReasons: readonly string[] = [
  'It shows someone else',
  'No person is visible',
  'Nudity or sexual content',
  'Someone looks under 18',
  'Contact details or advertising',
  'It shows several people, and it is unclear which one is you',
];

/** The name of the picture's owner. */
export function ownerName({ name }: QueuedPicture['user']): string {
  return name ?? t('Unknown');
}

/** The name of the picture's owner, with their age if it is known. */
export function ownerWords(owner: QueuedPicture['user']): string {
  const name = ownerName(owner);
  return owner.age === null ? name : t('{name}, {age}', { name, age: formatNumber(owner.age) });
}
