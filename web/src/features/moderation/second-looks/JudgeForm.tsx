import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DecisionOutcome, decisionOutcomes } from '#contract/moderation/decisions.ts';
import { judgeSecondLook } from '#contract/moderation/second-looks.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { outcomeWords } from '../cases/decision-words.ts';
import { rulesQuery } from '../cases/queries.ts';

interface JudgeFormProps {
  id: string;
  onNext: () => void;
}

/** The reader's outcome and rule; afterwards, what was decided. */
export function JudgeForm({ id, onNext }: JudgeFormProps) {
  const [outcome, setOutcome] = useState<DecisionOutcome | ''>('');
  const [clause, setClause] = useState('');
  const { data: rules = [] } = useQuery(rulesQuery);
  const needsRule = outcome === 'actioned';
  const client = useQueryClient();
  const judge = useMutation({
    mutationFn: async (given: DecisionOutcome) =>
      (await call(judgeSecondLook, { params: { id }, body: { outcome: given, ...(needsRule && { clause }) } })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: staffKeys.secondLookFigures }),
  });
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
