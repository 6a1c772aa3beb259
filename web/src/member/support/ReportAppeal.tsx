import { useQuery } from '@tanstack/react-query';
import { AppealBox } from '../../features/notices/AppealBox.tsx';
import { reportAppealQuery, useAppeal, useWithdraw } from '../../features/notices/queries.ts';
import { t } from '../../ui/text/text.ts';

/** The right of a reporter to appeal a decision not to act on their report; nothing without any. */
export function ReportAppeal({ reportId }: { reportId: string }) {
  const { data: right } = useQuery(reportAppealQuery(reportId));
  const appeal = useAppeal();
  const withdraw = useWithdraw();
  if (right == null || (!right.mayAppeal && right.appeal === null)) return null;
  return (
    <AppealBox
      right={right}
      lead={t('We decided not to act on this report. Do you disagree?')}
      send={(text) => appeal.mutateAsync({ decisionId: right.decisionId, text })}
      withdraw={(id) => withdraw.mutateAsync(id)}
    />
  );
}
