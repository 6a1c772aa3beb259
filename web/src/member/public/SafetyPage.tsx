import { t } from '@lingui/core/macro';
import { HelpLines } from '../../features/moderation/help-lines/HelpLines.tsx';
import { ReadingPage } from './ReadingPage.tsx';
import { safetyTexts } from '../../features/service/shipped/safety.ts';

/** The safety center: advice for members and everyone else, and help lines by country. */
export function SafetyPage() {
  return (
    <ReadingPage
      kind="safety"
      title={t`Safety center`}
      lead={t`In danger? Call your local emergency number first.`}
      sections={safetyTexts}
      question={t`Did something happen on {brand}?`}
    >
      <HelpLines />
    </ReadingPage>
  );
}
