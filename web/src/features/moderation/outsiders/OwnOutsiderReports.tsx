import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type OutsiderOutcome, type OwnOutsiderReport, forgetOutsider } from '#contract/moderation/outsider-reports.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Hint, Quote } from '../../../ui/layout/text-blocks.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { AppealBox } from '../statements/AppealBox.tsx';
import { useOutsiderAppeal } from './queries.ts';

const outcomeWords: Record<OutsiderOutcome, MessageDescriptor> = {
  acted: msg`We found that our rules were broken, and acted.`,
  not_acted: msg`We found nothing at this address that breaks our rules or the law, so we did not act.`,
  unsaid: msg`We have looked into it. Without the address of a profile or picture we can’t tell you more, because that would tell who uses {brand}.`,
};

function OutsiderReportPanel({ report, token }: { report: OwnOutsiderReport; token: string }) {
  const appeal = useOutsiderAppeal(token);
  const { _id: noticeId, type, text, at, outcome, decidedAt, right } = report;
  return (
    <Panel title={t(outsiderTypes[type])}>
      <Hint>{t`Sent on ${{ date: formatDate(at) }}`}</Hint>
      <Quote my="0.75rem" dir="auto">
        {text}
      </Quote>
      <Text>{outcome === null ? t`We received it. A person will read it and decide.` : t(outcomeWords[outcome])}</Text>
      {decidedAt !== null && <Hint>{t`Decided on ${{ date: formatDate(decidedAt) }}`}</Hint>}
      {right !== null && (
        <AppealBox
          right={right}
          lead={t`Do you disagree?`}
          send={(plea) => appeal.mutateAsync({ noticeId, text: plea })}
        />
      )}
    </Panel>
  );
}

/** The results of someone's outsider reports, with buttons to appeal, and to erase their name and address. */
export function OwnOutsiderReports({ reports, token }: { reports: readonly OwnOutsiderReport[]; token: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const forget = useCommand(forgetOutsider, () => ({ body: { token } }));
  if (forget.isSuccess)
    return <Notice kind="success">{t`We erased your name and address. This page no longer opens.`}</Notice>;
  return (
    <Stack gap="1.25rem">
      {reports.map((report) => (
        <OutsiderReportPanel key={report._id} report={report} token={token} />
      ))}
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setIsAsking(true)}>
        {t`Forget my name and address`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Forget your name and address?`}
          confirmText={t`Forget them`}
          busyText={t`Erasing...`}
          command={forget}
          errorText={(error) => t`Couldn't erase them: ${error}`}
          onClose={() => setIsAsking(false)}
        >
          {t`We still look into what you sent, but can’t answer you any more, and you can’t appeal.`}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
