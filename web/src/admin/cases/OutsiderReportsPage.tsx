import { t } from '@lingui/core/macro';
import { noticeKeys } from '../../features/moderation/outsiders/NoticeDesk.tsx';
import { OutsiderReportsBrowser } from '../../features/moderation/outsiders/OutsiderReportsBrowser.tsx';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The reports of people who are not members. */
export function OutsiderReportsPage() {
  return (
    <Page title={t`Notices from outside`} actions={<KeysButton keys={noticeKeys} />}>
      <QueueTabs current="notices" />
      <OutsiderReportsBrowser
        userPicker={(onPick) => <UserPicker label={t`Person`} isFloating={false} onPick={onPick} />}
      />
    </Page>
  );
}
