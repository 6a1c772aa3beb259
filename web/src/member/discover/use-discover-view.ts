import { useMediaQuery } from '@mantine/hooks';
import { useSearchParams } from 'react-router';

/** From here on there is room for many side by side. */
const wide = '(min-width: 64rem)';

/** What stands in the address of the deck: how it is shown, and whether the wishes are open over it. */
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
    areWishesOpen: params.get('wishes') === 'open',
    showGrid: (isGrid: boolean) => set('view', isGrid ? 'grid' : null),
    openWishes: (areOpen: boolean) => set('wishes', areOpen ? 'open' : null),
  };
}
