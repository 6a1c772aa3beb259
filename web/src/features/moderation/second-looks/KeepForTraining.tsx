import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { addGoldenCase, goldenStoryMax, goldenStoryMin } from '#contract/moderation/second-looks.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { LazyReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';

/** A button below a decision that lets senior moderators keep the case for training. */
export function KeepForTraining({ decisionId }: { decisionId: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const add = useCommand(addGoldenCase, (story: string) => ({ body: { decisionId, story } }), {
    onSuccess: close,
    waits: true,
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t`Keep for training`}
      </Button>
      {isOpen && (
        <LazyReasonDialog
          title={t`Keep for training`}
          size="sheet"
          description={t`Colleagues judge it later without knowing the decision.`}
          confirm={t`Keep`}
          busyText={t`Saving...`}
          command={add}
          minLength={goldenStoryMin}
          maxLength={goldenStoryMax}
          onConfirm={(story) => add.mutate(story)}
          onClose={close}
        >
          {t`Describe what happened, without names or anything else that could identify someone.`}
        </LazyReasonDialog>
      )}
    </>
  );
}
