import { describe, expect, it } from 'vitest';
import { addressFilters } from './filters.ts';

interface Filters {
  search: string;
  status: 'all' | 'open';
}

const filters = addressFilters<Filters>({ search: 'text', status: ['all', 'open'] });
const params = (search: string) => new URLSearchParams(search);

describe('addressFilters', () => {
  it('reads known values and treats unknown ones as no filter', () => {
    expect(filters.read(params('search=ada&status=open'))).toEqual({ search: 'ada', status: 'open' });
    expect(filters.read(params('status=gone'))).toEqual(filters.none);
  });

  it('leaves out unset filters and keeps other parameters', () => {
    const changed = filters.change(params('status=open&user=7'), { search: ' ada ', status: 'all' });
    expect(changed.toString()).toBe('user=7&search=ada');
  });

  it('knows whether any filter is set', () => {
    expect(filters.isFiltered({ search: '  ', status: 'all' })).toBe(false);
    expect(filters.isFiltered({ search: '', status: 'open' })).toBe(true);
  });
});
