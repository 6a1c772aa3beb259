import { type ReactNode, useState } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { FloatingNotice } from '../../../../ui/feedback/FloatingNotice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { shortReportId } from '../report-words.ts';

/** The report that is being replied to, and the word that the reply is on its way once it is. */
export function useReplies(): {
  report: StaffReport | null;
  open: (report: StaffReport) => void;
  close: () => void;
  sent: () => void;
  notice: ReactNode;
} {
  const t = useText();
  const [report, setReport] = useState<StaffReport | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return {
    report,
    open: (opened) => {
      setSentTo(null);
      setReport(opened);
    },
    close: () => setReport(null),
    sent: () => {
      setSentTo(report?._id ?? null);
      setReport(null);
    },
    notice: sentTo !== null && (
      <FloatingNotice kind="success" onClose={() => setSentTo(null)}>
        {t('The reply to report #{id} is sent.', { id: shortReportId(sentTo) })}
      </FloatingNotice>
    ),
  };
}
