/** What people who are not members can tell us about, with the words they choose from. */
export const outsiderTypes = {
  child_abuse: 'Sexual abuse of a child',
  minor: 'Someone under 18 uses Heartwood',
  threat: 'A threat to someone’s life or safety',
  intimate_pictures: 'Intimate pictures shown without consent',
  impersonation: 'A profile with my pictures or my name',
  scam: 'Fraud or extortion',
  harassment: 'Harassment or hate',
  other: 'Something else that is illegal or breaks your rules',
} as const;
export type OutsiderType = keyof typeof outsiderTypes;
export const outsiderTypeNames = Object.keys(outsiderTypes) as OutsiderType[];

/** Only these need no name and no address of their own. */
export const mayBeAnonymous = (type: string): boolean => type === 'child_abuse';
