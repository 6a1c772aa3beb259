import { IconCards, IconHeart, IconHearts, IconMessageCircle, IconUser } from '@tabler/icons-react';
import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { TabBar } from '../../ui/layout/TabBar.tsx';
import { t } from '../../ui/text/text.ts';

/** What members come for, within reach of the thumb. */
export function MemberTabs() {
  return (
    <TabBar
      label={t('Most used')}
      tabs={[
        { to: '/app/discover', label: t('Discover'), Icon: IconCards },
        { to: '/app/likes', label: t('Likes'), Icon: IconHeart },
        { to: '/app/matches', label: t('Matches'), Icon: IconHearts },
        {
          to: '/app/messages',
          label: t('Messages'),
          Icon: IconMessageCircle,
          badge: <UnreadMessagesBadge />,
        },
        { to: '/app/profile', label: t('Profile'), Icon: IconUser },
      ]}
    />
  );
}
