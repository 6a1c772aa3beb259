import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { FilterName } from '#contract/discovery.ts';

/** The filters of a member within a sentence about them. */
export const filterWords: Record<FilterName, MessageDescriptor> = {
  gender: msg`who they want to meet`,
  age: msg`age`,
  distance: msg`distance`,
  interests: msg`interests`,
  photoVerified: msg`photo verification`,
  goal: msg`what they are here for`,
  languages: msg`languages`,
  children: msg`children`,
  smoking: msg`smoking`,
  drinking: msg`drinking`,
  exercise: msg`exercise`,
  heightCm: msg`height`,
};
