import { useQuery } from '@tanstack/react-query';
import type { Notice as Decision } from '#contract/moderation/decision.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { AppealBox } from './AppealBox.tsx';
import { DecisionText } from './DecisionText.tsx';
import classes from './notices.module.css';
import { noticesQuery, useAcknowledge, useAppeal, useWithdraw } from './queries.ts';

function DecisionPanel({ decision }: { decision: Decision }) {
  const acknowledge = useAcknowledge();
  const appeal = useAppeal();
  const withdraw = useWithdraw();
  return (
    <Panel title={t('A decision about your account')} lead={formatDate(decision.at)}>
      <DecisionText decision={decision} />
      <ErrorNotice error={acknowledge.error} />
      {decision.measures.some(({ needsAcknowledgement }) => needsAcknowledgement) && (
        <BusyButton
          isBusy={acknowledge.isPending}
          busyText={t('Saving...')}
          onClick={() => acknowledge.mutate(decision._id)}
        >
          {t('I have read this warning')}
        </BusyButton>
      )}
      <AppealBox
        right={decision.appeal}
        lead={t('Do you disagree?')}
        send={(text) => appeal.mutateAsync({ decisionId: decision._id, text })}
        withdraw={(id) => withdraw.mutateAsync(id)}
      />
    </Panel>
  );
}

/** The decisions about the member with their reasons; nothing for most members, who have none. */
export function NoticeList() {
  const { data: notices = [] } = useQuery(noticesQuery);
  if (notices.length === 0) return null;
  return (
    <div className={classes.list}>
      {notices.map((decision) => (
        <DecisionPanel key={decision._id} decision={decision} />
      ))}
    </div>
  );
}
