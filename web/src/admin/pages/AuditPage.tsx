import { AuditBrowser } from '../../features/moderation/AuditBrowser.tsx';
import { UserPicker } from '../../features/profiles/UserPicker.tsx';
import { Page } from '../../ui/Page.tsx';
import { useText } from '../../ui/text.ts';

/** What staff did and read. */
export function AuditPage() {
  const t = useText();
  return (
    <Page title={t('Audit')}>
      <AuditBrowser userPicker={(onPick) => <UserPicker label={t('User')} onPick={onPick} />} />
    </Page>
  );
}
