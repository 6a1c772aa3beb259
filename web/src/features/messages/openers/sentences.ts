import { msg, t } from '@lingui/core/macro';
import type { PublicUser } from '#contract/profiles/user.ts';
import { languageName } from '../../../ui/text/detail-words.ts';
import { interestName, promptText } from '../../../ui/text/interest-words.ts';
import { cityIn } from '../../../ui/text/text.ts';

/** The facts for suggestions: only what both people show on their profiles. */
export type Shown = Pick<PublicUser, 'interests' | 'languages' | 'prompts' | 'location'>;

const mostOpeners = 3;

const lightQuestions = [
  msg`Important question first: sweet or savory breakfast?`,
  msg`What made you smile today?`,
  msg`Sunday morning: already outside or still in bed?`,
];

/** A question about each fact that only the other person states: their answers, then their interests. */
function aboutThem(own: Shown, other: Shown): string[] {
  const asked = new Set(own.prompts.map(({ prompt }) => prompt));
  const answered = other.prompts
    .filter(({ prompt }) => !asked.has(prompt))
    .map(({ answer }) => t`You wrote “${answer}”. I’d love to hear the story behind it!`);
  const interests = other.interests
    .filter((interest) => !own.interests.includes(interest))
    .map(
      (interest) => t`You have ${{ interest: interestName(interest) }} on your profile. What's the best way to start?`,
    );
  return [...answered, ...interests];
}

/** A sentence about each thing that both share: an interest, a prompt, the city, languages. */
function aboutBoth(own: Shown, other: Shown): string[] {
  const interests = other.interests
    .filter((interest) => own.interests.includes(interest))
    .map((interest) => t`We both have ${{ interest: interestName(interest) }} on our profiles. What got you into it?`);
  const answered = other.prompts
    .filter(({ prompt }) => own.prompts.some((one) => one.prompt === prompt))
    .map(({ prompt }) => t`We both answered “${{ prompt: promptText(prompt) }}”. How did yours come about?`);
  const city = other.location?.city ?? null;
  const places =
    city !== null && city === own.location?.city
      ? [t`We're both in ${{ city: cityIn(other.location) }}. Which place should everyone know?`]
      : [];
  const languages = other.languages
    .filter((language) => language !== 'en' && own.languages.includes(language))
    .map((language) => t`We both speak ${{ language: languageName(language) }}. Where did you learn it?`);
  return [...interests, ...answered, ...places, ...languages];
}

/** Three suggestions of different kinds, as far as there are facts: about the other person, about both, and a light-hearted one. */
export function openersFor(own: Shown, other: Shown): string[] {
  const at = (other.prompts.length + other.interests.length) % lightQuestions.length;
  const light = [...lightQuestions.slice(at), ...lightQuestions.slice(0, at)].map((question) => t(question));
  const kinds = [aboutThem(own, other), aboutBoth(own, other), light];
  const [first, rest] = [kinds.flatMap((kind) => kind.slice(0, 1)), kinds.flatMap((kind) => kind.slice(1))];
  return [...first, ...rest].slice(0, mostOpeners);
}
