import { IconCards, IconHeart, IconHearts, IconUser } from '@tabler/icons-react';
import { TabBar } from '../ui/TabBar.tsx';
import { useText } from '../ui/text.ts';
import { discoverPage, likesPage, matchesPage, profilePage } from './member-pages.ts';

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
        { to: '/app/profile', label: t('Profile'), Icon: IconUser, preload: profilePage.preload },
      ]}
    />
  );
}
