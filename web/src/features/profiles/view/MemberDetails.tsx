import { prompts as promptTexts } from '#contract/profiles/interests.ts';
import { type ProfileDetails } from '#contract/profiles/profile-details.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './member.module.css';

/** Short words as chips; null without any. */
export function ChipList({ label, words }: { label: string; words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={label}>
      {words.map((word) => (
        <li key={word} className={classes.chip}>
          {word}
        </li>
      ))}
    </ul>
  );
}

/** Names with their values; null values are left out. Null when nothing is left. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, words: string | null])[] }) {
  const said = facts.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {said.map(([name, words]) => (
        <div key={name} className={classes.fact}>
          <dt className={classes.factName}>{name}</dt>
          <dd className={classes.factWords}>
            <bdi>{words}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Prompts with the member's answers; null without any. */
export function PromptList({ prompts }: Pick<ProfileDetails, 'prompts'>) {
  if (prompts.length === 0) return null;
  return (
    <dl className={classes.prompts}>
      {prompts.map(({ prompt, answer }) => (
        <div key={prompt} className={classes.prompt}>
          <dt>{t(promptTexts[prompt])}</dt>
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
