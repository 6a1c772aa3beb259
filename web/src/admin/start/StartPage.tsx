import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { progressQuery } from '../../features/profiles/staff/bulk/queries.ts';
import { StartBoard, startQuery } from '../../features/moderation/start/StartBoard.tsx';
import { startKeys } from '../../features/moderation/start/start-words.ts';
import { BulkProgress } from '../../features/profiles/staff/bulk/BulkProgress.tsx';
import { useAddressDialog } from '../../ui/data/table/use-list-address.ts';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The progress of the act on many people that the address names. */
function NamedAct({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: act } = useQuery(progressQuery(id));
  return act === undefined ? null : <BulkProgress act={act} onClose={onClose} />;
}

/** The start page of staff. */
export function StartPage() {
  const query = useQuery(startQuery);
  const dialog = useAddressDialog('act');
  return (
    <Page
      title={t`Start`}
      actions={
        <>
          <LastUpdated query={query} />
          <KeysButton keys={startKeys} hasForms={false} />
        </>
      }
    >
      <StartBoard />
      {dialog.value !== null && <NamedAct id={dialog.value} onClose={dialog.close} />}
    </Page>
  );
}
