/** The allowed values of each filter: a list whose first value means "no filter", or any text. */
type Allowed<L> = { [K in keyof L]: readonly L[K][] | 'text' };

/**
 * Reads and writes the filters of a list as parameters of its address, for `useListAddress`. Unknown values count as no
 * filter, and unset filters are left out. Other parameters are kept.
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
