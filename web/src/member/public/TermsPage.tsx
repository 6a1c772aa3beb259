import { termsVersion } from '#contract/constants.ts';
import { formatDay } from '../../ui/text/format.ts';
import { useLocale, useText } from '../../ui/text/text.ts';
import { ReadingPage } from './ReadingPage.tsx';
import { termsTexts } from './terms-texts.ts';

/** What joining means, in plain words. */
export function TermsPage() {
  const t = useText();
  const locale = useLocale();
  return (
    <ReadingPage
      title={t('Terms')}
      lead={t('Last updated: {date}', { date: formatDay(termsVersion, locale) })}
      sections={termsTexts}
      question={t('Questions about these terms?')}
    />
  );
}
