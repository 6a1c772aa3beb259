import { create } from 'zustand';
import type { Translate } from '../../../ui/text/text.ts';

/** How many conversations hold something the member has not read, as last told by the server. */
export const useUnreadMessages = create<{ count: number }>()(() => ({ count: 0 }));

/** How many conversations wait, in words; undefined when none does. */
export function unreadMessagesText(count: number, t: Translate): string | undefined {
  if (count === 0) return undefined;
  return t('{count, plural, one {# conversation} other {# conversations}} with something new', { count });
}
