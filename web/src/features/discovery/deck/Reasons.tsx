import { IconSparkles } from '@tabler/icons-react';
import { type MatchReason, reasonWords } from '#contract/discovery/match-reasons.ts';
import { languageName } from '../../../ui/text/detail-words.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';
import classes from './Reasons.module.css';

/** A reason as a sentence, with languages, interests and numbers as they are read; `name` is the other person. */
export function reasonText(reason: MatchReason, name: string): string {
  const list = (words: string[]) => new Intl.ListFormat(locale).format(words);
  const values: Record<string, string> = { name };
  if (reason.kind === 'ages') values['viewerAge'] = formatNumber(reason.viewerAge);
  if (reason.kind === 'answers') values['common'] = formatNumber(reason.common);
  if (reason.kind === 'languages') values['languages'] = list(reason.languages.map((code) => languageName(code)));
  if (reason.kind === 'interests') values['interests'] = list(reason.interests.map((interest) => t(interest)));
  return t(reasonWords(reason), values);
}

/** Why a person is shown, in sentences; nothing if there are no reasons. */
export function Reasons({ reasons, name }: { reasons: readonly MatchReason[]; name: string }) {
  if (reasons.length === 0) return null;
  return (
    <ul className={classes.reasons} aria-label={t('Why you see {name}', { name })}>
      {reasons.map((reason) => (
        <li key={reason.kind}>
          <IconSparkles size={16} stroke={1.75} aria-hidden="true" />
          <span>{reasonText(reason, name)}</span>
        </li>
      ))}
    </ul>
  );
}
