import { type ProfileDetails, prompts as beginnings } from '#contract/profiles/profile-details.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from './PromptList.module.css';

/** Beginnings with somebody's own endings; null without any. */
export function PromptList({ prompts }: Pick<ProfileDetails, 'prompts'>) {
  const t = useText();
  if (prompts.length === 0) return null;
  return (
    <dl className={classes.prompts}>
      {prompts.map(({ prompt, answer }) => (
        <div key={prompt} className={classes.prompt}>
          <dt>{t(beginnings[prompt])}</dt>
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
