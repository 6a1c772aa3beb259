import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { presentBrand } from '../../brand.ts';
import { IconCards, IconHeart, IconMessageCircle, IconUser } from '@tabler/icons-react';

interface Place {
  to: string;
  label: MessageDescriptor;
}

/** The main places of the members' app: in the rail of wide screens and the tabs of narrow ones. */
export const mainPlaces: readonly (Place & { Icon: typeof IconUser })[] = [
  { to: '/app/discover', label: msg`Discover`, Icon: IconCards },
  { to: '/app/likes', label: msg`Likes`, Icon: IconHeart },
  { to: '/app/messages', label: msg`Messages`, Icon: IconMessageCircle },
  { to: '/app/profile', label: msg`Profile`, Icon: IconUser },
];

/** The other places: in the rail of wide screens, and as cards on the profile on narrow ones. */
export const morePlaces: readonly Place[] = [
  { to: '/app/settings', label: msg`Settings` },
  { to: '/app/premium', label: msg`Premium` },
  { to: '/app/support', label: msg`Support` },
  {
    to: '/app/people',
    // While the owner has People off, its page is that of the bookmarks.
    get label() {
      return presentBrand().parts?.people === false ? msg`Bookmarks` : msg`People`;
    },
  },
  { to: '/app/safety', label: msg`Safety` },
];

/** Whether the screen has no room for a rail next to the page. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 59.99rem)', undefined, { getInitialValueInEffect: false });
}
