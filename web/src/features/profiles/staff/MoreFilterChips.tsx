import { FilterChip, FilterChips } from '../../../ui/data/table/ListFilters.tsx';
import { moreFilterTexts, type TagChoices } from './more-filter-words.ts';
import type { MoreFilters as Filters } from './user-filters.ts';

export interface MoreFilterChipsProps {
  filters: Filters;
  tags: TagChoices;
  onChange: (change: Partial<Filters>) => void;
}

/** The filters that are set; pressing one removes it. */
export function MoreFilterChips({ filters, tags, onChange }: MoreFilterChipsProps) {
  const chips = moreFilterTexts(filters, tags);
  if (chips.length === 0) return null;
  return (
    <FilterChips>
      {chips.map(({ name, text }) => (
        <FilterChip key={name} text={text} onRemove={() => onChange({ [name]: '' })} />
      ))}
    </FilterChips>
  );
}
