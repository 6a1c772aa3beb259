import type { interestGroups } from '#contract/profiles/interests.ts';
import { i18n } from './i18n.ts';

/** The text with this id, which is made of the English word; the word itself if the catalogues don't have it. */
const named = (id: string, message: string): string => i18n._({ id, message });

/** An interest's name; the word itself if it is no longer in the list. */
export const interestName = (interest: string): string => named(`interest.${interest}`, interest);

/** The title of a group of interests. */
export const interestTitle = (group: keyof typeof interestGroups): string => named(`interests.${group}`, group);
