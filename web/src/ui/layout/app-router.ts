import { createContext } from 'react';
import type { DataRouter } from 'react-router';

/**
 * The router around the page, for code that must know the current address before it is on the screen: `useLocation` follows once the
 * page has been rendered.
 */
export const AppRouterContext = createContext<{ readonly state: Pick<DataRouter['state'], 'location'> }>({
  get state(): never {
    throw new Error('There is no router here');
  },
});
