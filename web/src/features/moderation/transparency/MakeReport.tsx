import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { makeTransparencyReport } from '#contract/moderation/transparency.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';

/** Creates the report of the last year, for staff who may verify the audit trail; others see the published ones. */
export function MakeReport() {
  const year = new Date().getUTCFullYear() - 1;
  const mayMake = useMay('audit.verify');
  const make = useMutation({ mutationFn: () => call(makeTransparencyReport) });
  return (
    <Group component="section" aria-label={t`Transparency report`} mb="1.25rem">
      {mayMake && (
        <BusyButton isBusy={make.isPending} busyText={t`Publishing...`} variant="default" onClick={() => make.mutate()}>
          {t`Publish the report of ${year}`}
        </BusyButton>
      )}
      <Link to="/app/transparency">{t`Published reports`}</Link>
      {make.isSuccess && <Notice kind="success">{t`The report of ${year} will be published in a moment.`}</Notice>}
      <ErrorNotice error={make.error} text={(error) => t`Couldn't make the report: ${error}`} />
    </Group>
  );
}
