import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { NoticesBrowser } from '../../features/moderation/outsiders/NoticesBrowser.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** Notices by people who are not members. */
export function NoticesPage() {
  return (
    <Page title={t`Notices from outside`} actions={<Link to="/cases">{t`Cases`}</Link>}>
      <NoticesBrowser userPicker={(onPick) => <UserPicker label={t`Person`} onPick={onPick} />} />
    </Page>
  );
}
