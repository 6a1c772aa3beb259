import { t } from '@lingui/core/macro';
import { ReadingPage } from './ReadingPage.tsx';
import { termsSupplement, termsTexts } from '../../features/service/shipped/terms.ts';

/** The terms of use. */
export function TermsPage() {
  return (
    <ReadingPage
      kind="terms"
      isDate
      title={t`Terms`}
      lead={t`Last updated: Oct 20, 2025`}
      sections={termsTexts}
      supplement={termsSupplement}
      question={t`Questions about these terms?`}
    />
  );
}
