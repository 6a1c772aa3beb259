import { msg } from '@lingui/core/macro';

/** The labels of the genders for a person who chooses their own. */
export const genderChoices = [
  { value: 'woman', label: msg`Woman` },
  { value: 'man', label: msg`Man` },
  { value: 'non-binary', label: msg`Non-binary` },
] as const;
