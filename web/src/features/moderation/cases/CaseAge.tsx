import { t } from '@lingui/core/macro';
import { askForAge, type CaseAge as Age } from '#contract/moderation/age.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { ageWords } from './case-words.ts';

/** What is known about the age of a case's person, with a button to request an age check. */
export function CaseAge({ caseId, age }: { caseId: string; age: Age }) {
  const mayHandle = useMay('cases.handle');
  const ask = useCommand(askForAge, () => ({ params: { id: caseId } }));
  return (
    <Panel
      title={t`Age`}
      lead={t`Someone who was asked can't write to people first until a provider says that they are an adult.`}
    >
      <Facts
        facts={[
          [t`Known`, t(ageWords[age.state])],
          age.since !== null && [t`Since`, formatDay(age.since)],
          age.askedOn !== null && [t`Asked`, formatDay(age.askedOn)],
        ]}
      />
      {ask.isSuccess && <Notice kind="success">{t`Asked by mail`}</Notice>}
      <ErrorNotice error={ask.error} />
      {mayHandle && age.canAsk && (
        <BusyButton
          variant="default"
          mt="1rem"
          isBusy={ask.isPending}
          busyText={t`Asking...`}
          onClick={() => ask.mutate()}
        >
          {t`Ask for age assurance`}
        </BusyButton>
      )}
    </Panel>
  );
}
