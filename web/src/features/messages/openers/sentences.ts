import { t } from '@lingui/core/macro';
import { prompts } from '#contract/profiles/prompts.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { languageName } from '../../../ui/text/detail-words.ts';
import { interestName } from '../../../ui/text/interest-words.ts';
import { cityIn } from '../../../ui/text/text.ts';

/** What suggestions are made from: only what both people show on their profiles. */
export type Shown = Pick<PublicUser, 'interests' | 'languages' | 'prompts' | 'location'>;

const mostOpeners = 3;

/** A suggestion for each thing that two people share, of each kind in turn; then what only the other one tells. */
export function openersFor(own: Shown, other: Shown): string[] {
  const shared = other.interests.filter((interest) => own.interests.includes(interest));
  const both = shared.map(
    (interest) => t`We both have ${{ interest: interestName(interest) }} on our profiles. What got you into it?`,
  );
  const asked = new Set(own.prompts.map(({ prompt }) => prompt));
  const answers = other.prompts.toSorted((one, two) => Number(asked.has(two.prompt)) - Number(asked.has(one.prompt)));
  const answered = answers.map(({ prompt, answer }) =>
    asked.has(prompt)
      ? t`We both answered “${{ prompt: t(prompts[prompt]) }}”, and I like yours: “${answer}”. How did that come about?`
      : t`You wrote “${{ prompt: t(prompts[prompt]) }} ${answer}”. I’d love to hear the story behind it!`,
  );
  const city = other.location?.city ?? null;
  const places =
    city !== null && city === own.location?.city
      ? [t`We're both in ${{ city: cityIn(other.location) }}. Which place should everyone know?`]
      : [];
  const languages = other.languages
    .filter((language) => language !== 'en' && own.languages.includes(language))
    .map((language) => t`We both speak ${{ language: languageName(language) }}. Where did you learn it?`);
  const others = other.interests
    .filter((interest) => !shared.includes(interest))
    .map(
      (interest) => t`You have ${{ interest: interestName(interest) }} on your profile. What's the best way to start?`,
    );
  const kinds = [both, answered, places, languages];
  const first = kinds.flatMap((kind) => kind.slice(0, 1));
  return [...first, ...kinds.flatMap((kind) => kind.slice(1)), ...others].slice(0, mostOpeners);
}
