import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { type DecisionOutcome, decisionOutcomes, listRules } from '#contract/moderation/decisions.ts';
import { judgeSecondLook } from '#contract/moderation/second-looks.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { outcomeWords } from '../cases/decision-words.ts';

/** The choices of a reviewer so far, and the command that sends them. */
export function useJudgement(id: string) {
  const [outcome, setOutcome] = useState<DecisionOutcome | ''>('');
  const [clause, setClause] = useState('');
  const needsRule = outcome === 'actioned';
  const judge = useCommand(
    judgeSecondLook,
    (given: DecisionOutcome) => ({ params: { id }, body: { outcome: given, ...(needsRule && { clause }) } }),
    { waits: true },
  );
  return { outcome, setOutcome, clause, setClause, needsRule, judge };
}

interface JudgeFormProps {
  judgement: ReturnType<typeof useJudgement>;
  onNext: () => void;
}

/** The reviewer's outcome and rule, and afterwards the original decision. */
export function JudgeForm({ judgement, onNext }: JudgeFormProps) {
  const { outcome, setOutcome, clause, setClause, needsRule, judge } = judgement;
  const { rules = [] } = useEndpoint(listRules).data ?? {};
  const isIncomplete = outcome === '' || (needsRule && clause === '');
  const ruleName = (of: string | null) => {
    const rule = rules.find((one) => one.clause === of);
    return rule === undefined ? t`No rule` : `${rule.clause}. ${rule.title}`;
  };

  if (judge.data !== undefined) {
    const { isAgreed, decided } = judge.data;
    return (
      <Panel title={isAgreed ? t`You agree` : t`You differ`}>
        <Stack gap="1rem" align="flex-start">
          <Notice kind={isAgreed ? 'success' : 'info'}>
            {t`The decision was: ${{ outcome: t(outcomeWords[decided.outcome]) }}. ${{ rule: ruleName(decided.clause) }}`}
          </Notice>
          <Button onClick={onNext}>{t`Next`}</Button>
        </Stack>
      </Panel>
    );
  }
  return (
    <Panel title={t`Your judgement`}>
      <Stack gap="1rem" align="flex-start">
        <SelectField
          label={t`Outcome`}
          value={outcome}
          choices={[
            { value: '', label: t`Choose` },
            ...decisionOutcomes.map((value) => ({ value, label: t(outcomeWords[value]) })),
          ]}
          onChange={({ currentTarget: { value } }) => setOutcome(decisionOutcomes.find((one) => one === value) ?? '')}
        />
        {needsRule && (
          <SelectField
            label={t`Rule`}
            value={clause}
            choices={[
              { value: '', label: t`Choose` },
              ...rules.map((rule) => ({ value: rule.clause, label: ruleName(rule.clause) })),
            ]}
            onChange={(event) => setClause(event.currentTarget.value)}
          />
        )}
        <ErrorNotice error={judge.error} />
        <BusyButton
          isBusy={judge.isPending}
          busyText={t`Saving...`}
          disabled={isIncomplete}
          onClick={() => outcome !== '' && judge.mutate(outcome)}
        >
          {t`Save`}
        </BusyButton>
      </Stack>
    </Panel>
  );
}
