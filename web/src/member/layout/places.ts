import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconCards,
  IconCrown,
  IconHeart,
  IconLifebuoy,
  IconMessageCircle,
  IconSettings,
  IconShieldHeart,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';

interface Place {
  to: string;
  label: MessageDescriptor;
  Icon: typeof IconUser;
}

/** The main places of the members' app: in the rail of wide screens and the tabs of narrow ones. */
export const mainPlaces: readonly Place[] = [
  { to: '/app/discover', label: msg`Discover`, Icon: IconCards },
  { to: '/app/likes', label: msg`Likes`, Icon: IconHeart },
  { to: '/app/messages', label: msg`Messages`, Icon: IconMessageCircle },
  { to: '/app/profile', label: msg`Profile`, Icon: IconUser },
];

/** The other places: in the rail of wide screens, and as cards on the profile on narrow ones. */
export const morePlaces: readonly Place[] = [
  { to: '/app/settings', label: msg`Settings`, Icon: IconSettings },
  { to: '/app/premium', label: msg`Premium`, Icon: IconCrown },
  { to: '/app/support', label: msg`Support`, Icon: IconLifebuoy },
  { to: '/app/people', label: msg`People`, Icon: IconUsers },
  { to: '/app/safety', label: msg`Safety`, Icon: IconShieldHeart },
];

/** Whether the screen has no room for a rail next to the page. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 59.99rem)', undefined, { getInitialValueInEffect: false });
}
