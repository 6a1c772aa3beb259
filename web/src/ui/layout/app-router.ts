import { createContext } from 'react';
import type { DataRouter } from 'react-router';

function missing(): never {
  throw new Error('There is no router here');
}

/**
 * The router around the page, for code that needs the current address before the page has rendered; `useLocation` only
 * changes after that.
 */
export const AppRouterContext = createContext<
  Pick<DataRouter, 'subscribe'> & { state: Pick<DataRouter['state'], 'location'> }
>({
  subscribe: missing,
  get state() {
    return missing();
  },
});
