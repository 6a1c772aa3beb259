import { t } from '@lingui/core/macro';
import { addGoldenCase, goldenStoryMax, goldenStoryMin } from '#contract/moderation/second-looks.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';

/** A button below a decision that lets senior moderators keep the case for training. */
export function KeepForTraining({ decisionId }: { decisionId: string }) {
  const add = useCommand(addGoldenCase, (story: string) => ({ body: { decisionId, story } }), { waits: true });
  return (
    <ReasonButton
      text={t`Keep for training`}
      button={{ size: 'xs' }}
      title={t`Keep for training`}
      size="sheet"
      description={t`Colleagues judge it later without knowing the decision.`}
      confirm={t`Keep`}
      command={add}
      minLength={goldenStoryMin}
      maxLength={goldenStoryMax}
    >
      {t`Describe what happened, without names or anything else that could identify someone.`}
    </ReasonButton>
  );
}
