import { create } from 'zustand';
import { onSessionChange } from '../../../api/session/stored-session.ts';

/** How many of the member's reports have news for them, as last told by the server. */
export const useUnread = create<{ count: number }>()(() => ({ count: 0 }));

/** Shows this count wherever there is a mark for news. */
export function showUnread(count: number): void {
  useUnread.setState({ count });
}

onSessionChange((_session, ended) => {
  if (ended) showUnread(0);
});
