import { EmptyState } from '../../ui/PageStates.tsx';
import { Page } from '../../ui/Page.tsx';
import { useText } from '../../ui/text.ts';

/** Reports management: the list is empty as long as nobody can file a report. */
export function ReportsPage() {
  const t = useText();
  return (
    <Page title={t('Reports Management')}>
      <EmptyState
        text={t('No reports found matching your criteria.')}
        hint={t('What members report to us appears here.')}
        isFramed
      />
    </Page>
  );
}
