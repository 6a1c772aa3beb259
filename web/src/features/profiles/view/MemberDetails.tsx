import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ChipList } from './ChipList.tsx';
import { habitFacts, languageName } from '../../../ui/text/detail-words.ts';
import { FactList } from './FactList.tsx';
import classes from './MemberDetails.module.css';
import { PromptList } from './PromptList.tsx';

/** What somebody is here for, likes, speaks and answers; nothing where nothing was said. */
export function MemberDetails({ details }: { details: ProfileDetails }) {
  const t = useText();
  const locale = useLocale();
  const languages = details.languages.map((code) => languageName(code, locale));
  const speaks = languages.length === 0 ? null : new Intl.ListFormat(locale, { type: 'unit' }).format(languages);
  return (
    <div className={classes.details}>
      <PromptList prompts={details.prompts} />
      <ChipList label={t('Interests')} words={details.interests.map((interest) => t(interest))} />
      <FactList facts={[...habitFacts(details, t, locale), [t('Speaks'), speaks]]} />
    </div>
  );
}
