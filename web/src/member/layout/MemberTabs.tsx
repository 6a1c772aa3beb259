import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { TabBar } from '../../ui/shell/TabBar.tsx';
import { t } from '../../ui/text/text.ts';
import { memberPlaces } from './member-places.ts';

/** What members come for, within reach of the thumb. */
export function MemberTabs() {
  return (
    <TabBar
      label={t('Most used')}
      tabs={memberPlaces.map(({ to, label, Icon, hasMessages }) => ({
        to,
        label: t(label),
        Icon,
        badge: hasMessages && <UnreadMessagesBadge />,
      }))}
    />
  );
}
