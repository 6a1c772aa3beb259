import { IconCards, IconHeart, IconMessageCircle, IconUser } from '@tabler/icons-react';

/** What members come for, in the rail of wide screens and the tabs of narrow ones. */
export const memberPlaces = [
  { to: '/app/discover', label: 'Discover', Icon: IconCards, hasMessages: false },
  { to: '/app/likes', label: 'Likes', Icon: IconHeart, hasMessages: false },
  { to: '/app/messages', label: 'Messages', Icon: IconMessageCircle, hasMessages: true },
  { to: '/app/profile', label: 'Profile', Icon: IconUser, hasMessages: false },
] as const;
