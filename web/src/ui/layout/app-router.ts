import { createContext } from 'react';
import type { DataRouter } from 'react-router';

function missing(): never {
  throw new Error('There is no router here');
}

/**
 * The router around the page, for code that must know the current address before it is on the screen: `useLocation` follows once the
 * page has been rendered.
 */
export const AppRouterContext = createContext<
  Pick<DataRouter, 'subscribe'> & { state: Pick<DataRouter['state'], 'location'> }
>({
  subscribe: missing,
  get state() {
    return missing();
  },
});
