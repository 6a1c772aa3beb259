import { msg } from '@lingui/core/runtime-macro';

/** What outsiders can report, in the words they choose from. */
export const outsiderTypes = {
  child_abuse: msg`Sexual abuse of a child`,
  minor: msg`Someone under 18 uses {brand}`,
  threat: msg`A threat to someone’s life or safety`,
  intimate_pictures: msg`Intimate pictures shown without consent`,
  impersonation: msg`A profile with my pictures or my name`,
  scam: msg`Fraud or extortion`,
  harassment: msg`Harassment or hate`,
  other: msg`Something else that is illegal or breaks your rules`,
};
export type OutsiderType = keyof typeof outsiderTypes;
export const outsiderTypeNames = Object.keys(outsiderTypes) as OutsiderType[];

/** Only these reports require neither a name nor an address. */
export const mayBeAnonymous = (type: string): boolean => type === 'child_abuse';
