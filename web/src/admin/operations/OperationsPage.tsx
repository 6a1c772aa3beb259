import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { templateWords } from '../../features/moderation/user-file/file-words.ts';
import { OperationsOverview, operationsQuery } from '../../features/operations/Operations.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The state of the installation: jobs, versions, sizes and backups. */
export function OperationsPage() {
  const query = useQuery(operationsQuery);
  return (
    <Page title={t`Operations`} actions={<LastUpdated query={query} />}>
      <OperationsOverview mailName={templateWords} />
    </Page>
  );
}
