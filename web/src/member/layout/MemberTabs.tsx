import { IconCards, IconHeart, IconHearts, IconMessageCircle, IconUser } from '@tabler/icons-react';
import { UnreadMessagesBadge } from '../../features/messages/list/UnreadMessagesBadge.tsx';
import { TabBar } from '../../ui/layout/TabBar.tsx';
import { useText } from '../../ui/text/text.ts';
import { discoverPage, likesPage, matchesPage, messagesPage, profilePage } from './member-pages.ts';

/** What members come for, within reach of the thumb. */
export function MemberTabs() {
  const t = useText();
  return (
    <TabBar
      label={t('Most used')}
      tabs={[
        { to: '/app/discover', label: t('Discover'), Icon: IconCards, preload: discoverPage.preload },
        { to: '/app/likes', label: t('Likes'), Icon: IconHeart, preload: likesPage.preload },
        { to: '/app/matches', label: t('Matches'), Icon: IconHearts, preload: matchesPage.preload },
        {
          to: '/app/messages',
          label: t('Messages'),
          Icon: IconMessageCircle,
          preload: messagesPage.preload,
          badge: <UnreadMessagesBadge />,
        },
        { to: '/app/profile', label: t('Profile'), Icon: IconUser, preload: profilePage.preload },
      ]}
    />
  );
}
