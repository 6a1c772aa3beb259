import { t } from '@lingui/core/macro';
import { useMay } from '../../api/session/permission.ts';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { SecondLookFigures } from '../../features/moderation/second-looks/SecondLookFigures.tsx';
import { SecondLooks } from '../../features/moderation/second-looks/SecondLooks.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** Decisions that a second person judges without knowing them. */
export function SecondLooksPage() {
  const isLead = useMay('cases.lead');
  return (
    <Page title={t`Second looks`}>
      <QueueTabs current="secondLooks" />
      <div data-in-order>
        <SecondLooks />
        {isLead && <SecondLookFigures />}
      </div>
    </Page>
  );
}
