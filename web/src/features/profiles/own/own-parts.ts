import { msg } from '@lingui/core/macro';
import { readDraft } from '../../../ui/form/drafts.ts';

/** The parts of the profile that are edited separately, by the names of their drafts. */
export const ownParts = {
  pictures: msg`My pictures`,
  about: msg`About me`,
  place: msg`Where I live`,
  habits: msg`What I'm looking for, and how I live`,
  interests: msg`Interests`,
  languages: msg`Languages`,
  prompts: msg`In my own words`,
  wishes: msg`Who I want to meet`,
};

export type OwnPart = keyof typeof ownParts;

/** The name under which the draft of a part of the profile is stored. */
export function profileDraft(name: string): string {
  return `profile:${name}`;
}

/** The first part with text that was typed but not saved; null if there is none. */
export function draftedPart(): OwnPart | null {
  return (Object.keys(ownParts) as OwnPart[]).find((part) => readDraft(profileDraft(part)) !== null) ?? null;
}
