import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { type SecondLook, skipSecondLook, takeSecondLook } from '#contract/moderation/second-looks.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { PictureNumbers, ReportEvidence } from '../reports/ReportEvidence.tsx';
import { useCare } from '../care.ts';
import { Desk, useIsWide } from '../queue/Desk.tsx';
import { JudgeForm, useJudgement } from './JudgeForm.tsx';

/** The report, once the reviewer has opened it. */
function Content({ look }: { look: SecondLook }) {
  return (
    <PictureNumbers evidence={look.evidence}>
      <Panel title={t`Reports`}>
        <Stack component="ul" gap="0.75rem">
          {look.reports.map((report) => (
            <li key={report._id}>
              <UserText>{report.text}</UserText>
            </li>
          ))}
        </Stack>
      </Panel>
      {look.evidence.map(({ reportId, items }) => (
        <ReportEvidence key={reportId} reportId={reportId} evidence={items} />
      ))}
    </PictureNumbers>
  );
}

interface LookProps {
  look: SecondLook;
  onNext: () => void;
}

/** One decision: first its category, then the report, then the reviewer's judgement. */
function Look({ look, onNext }: LookProps) {
  const [isOpen, setOpen] = useState(false);
  const skip = useCommand(skipSecondLook, () => ({ params: { id: look._id } }), { onSuccess: onNext });
  const isWide = useIsWide();
  const judgement = useJudgement(look._id);
  const form = isOpen && <JudgeForm judgement={judgement} onNext={onNext} />;
  return (
    <Desk acts={isWide && form}>
      <Panel
        title={t`What it is about`}
        lead={t`You see neither the decision nor who made it. Your judgement changes nothing for the people in it.`}
      >
        <Group gap="0.5rem">
          {look.categories.map((category) => (
            <Tag key={category} tone="info">
              {t(reportTypeWords[category])}
            </Tag>
          ))}
          {look.mayBeMinor && <Tag tone="attention">{t`May be under 18`}</Tag>}
        </Group>
        <Group gap="0.5rem" mt="1rem">
          {!isOpen && <Button onClick={() => setOpen(true)}>{t({ message: 'Open', context: 'verb' })}</Button>}
          <BusyButton isBusy={skip.isPending} busyText={t`Saving...`} variant="default" onClick={() => skip.mutate()}>
            {t`Skip`}
          </BusyButton>
          <Hint>{t`No one sees or counts what you skip.`}</Hint>
        </Group>
        <ErrorNotice error={skip.error} />
      </Panel>
      {isOpen && <Content look={look} />}
      {!isWide && form}
    </Desk>
  );
}

/** Shows staff one decision after the other to review again. */
export function SecondLooks() {
  // A command, because taking a decision keeps others from it.
  const take = useCommand(takeSecondLook, () => ({}));
  const { data: care, isLoading } = useCare();
  const next = () => take.mutate();
  const { data } = take;
  if (data?.look) return <Look key={data.look._id} look={data.look} onNext={next} />;
  return (
    <Stack gap="1rem" align="flex-start" data-in-order>
      {data !== undefined && <Notice kind="success">{t`No decision is waiting for a second look.`}</Notice>}
      <Hint>
        {t`One of twenty decisions is judged again by someone who does not know it. Where two people often differ, a rule needs clearer words.`}
      </Hint>
      {isLoading && <Skeleton height="0" />}
      {care !== undefined && care.opened > 0 && (
        <Hint>
          {t`You opened ${plural({ count: care.opened }, { one: '# case', other: '# cases' })} today that may be hard to look at. After ${{ most: care.most }}, you are given no more of them until tomorrow.`}
        </Hint>
      )}
      <BusyButton isBusy={take.isPending} busyText={t`Loading...`} onClick={next}>
        {data === undefined ? t`Start` : t`Look again`}
      </BusyButton>
      <ErrorNotice error={take.error} />
    </Stack>
  );
}
