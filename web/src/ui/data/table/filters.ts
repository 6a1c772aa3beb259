/** What each filter may be: one of these values, of which the first is none, or any text. */
type Allowed<L> = { [K in keyof L]: readonly L[K][] | 'text' };

/**
 * The filters of a list as parameters of its address, for `useListAddress`: unknown values count as none, and what is
 * none is left out. Other parameters stay.
 */
export function addressFilters<L extends Record<keyof L, string>>(allowed: Allowed<L>) {
  const names = Object.keys(allowed) as (keyof L & string)[];
  const of = (value: (name: keyof L & string) => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as L;
  const none = of((name) => {
    const values = allowed[name];
    return values === 'text' ? '' : (values[0] ?? '');
  });

  function read(params: URLSearchParams): L {
    return of((name) => {
      const given = params.get(name) ?? '';
      const values = allowed[name];
      return values === 'text' ? given : (values.find((value) => value === given) ?? none[name]);
    });
  }

  function change(params: URLSearchParams, changed: Partial<L>): URLSearchParams {
    const next = new URLSearchParams(params);
    const filters: L = { ...read(params), ...changed };
    for (const name of names) {
      const value = filters[name].trim();
      if (value === none[name]) next.delete(name);
      else next.set(name, value);
    }
    return next;
  }

  return {
    none,
    read,
    change,
    /** Whether any filter is set. */
    isFiltered: (filters: L) => names.some((name) => filters[name].trim() !== none[name]),
  };
}
