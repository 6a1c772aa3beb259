import { useText } from '../../ui/text/text.ts';
import { privacyTexts } from './privacy-texts.ts';
import { ReadingPage } from './ReadingPage.tsx';

/** The privacy policy. */
export function PrivacyPage() {
  const t = useText();
  return (
    <ReadingPage
      title={t('Privacy Policy')}
      lead={t('Last updated: Oct 20, 2025')}
      sections={privacyTexts}
      question={t('Questions about your data?')}
    />
  );
}
