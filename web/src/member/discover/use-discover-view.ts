import { useMediaQuery } from '@mantine/hooks';
import { useSearchParams } from 'react-router';

/** Screens wide enough for a grid. */
const wide = '(min-width: 64rem)';

/** The deck's state in the address: grid or single cards, and whether the preferences are open. */
export function useDiscoverView() {
  const [params, setParams] = useSearchParams();
  const mayBeGrid = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });

  function set(name: string, value: string | null) {
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  }

  return {
    mayBeGrid,
    isGrid: mayBeGrid && params.get('view') === 'grid',
    arePreferencesOpen: params.get('wishes') === 'open',
    showGrid: (isGrid: boolean) => set('view', isGrid ? 'grid' : null),
    openPreferences: (areOpen: boolean) => set('wishes', areOpen ? 'open' : null),
  };
}
