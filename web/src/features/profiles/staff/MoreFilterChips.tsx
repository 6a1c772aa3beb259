import { FilterChip, FilterChips } from '../../../ui/data/table/ListParts.tsx';
import { filterText, moreFilterFields, type TagChoices } from './more-filter-words.ts';
import { type MoreFilters as Filters, setFilters } from './user-filters.ts';

export interface MoreFilterChipsProps {
  filters: Filters;
  tags: TagChoices;
  onChange: (change: Partial<Filters>) => void;
}

/** The filters that are set; pressing one removes it. */
export function MoreFilterChips({ filters, tags, onChange }: MoreFilterChipsProps) {
  const set = setFilters(filters);
  if (set.length === 0) return null;
  return (
    <FilterChips>
      {moreFilterFields
        .filter(({ name }) => set.includes(name))
        .map((field) => (
          <FilterChip
            key={field.name}
            text={filterText(field, filters[field.name], tags, filters.zone)}
            onRemove={() => onChange({ [field.name]: '' })}
          />
        ))}
    </FilterChips>
  );
}
