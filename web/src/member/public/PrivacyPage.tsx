import { t } from '@lingui/core/macro';
import { ReadingPage } from './ReadingPage.tsx';
import { privacySupplement, privacyTexts } from '../../features/service/shipped/privacy.ts';

/** The privacy policy. */
export function PrivacyPage() {
  return (
    <ReadingPage
      kind="privacy"
      isDate
      title={t`Privacy Policy`}
      lead={t`Last updated: Oct 20, 2025`}
      sections={privacyTexts}
      supplement={privacySupplement}
      question={t`Questions about your data?`}
    />
  );
}
