import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { countryNames } from '#contract/profiles/countries.ts';
import {
  dayFilterNames,
  filterPermissions,
  type MoreUserFilter,
  moreUserFilterNames,
  moreUserFilters,
  userRanges,
} from '#contract/profiles/user-filters.ts';
import { may } from '#contract/roles.ts';
import { knownPlaces } from '../../../api/known-places.ts';
import { useOwnRole } from '../../../api/session/permission.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { SelectField, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { moreFilterFields, tagOf } from './more-filter-words.ts';
import type { MoreFilterChipsProps } from './MoreFilterChips.tsx';
import classes from './users.module.css';

const countries = countryNames();
const countriesId = 'filter-countries';

type Filters = Record<MoreUserFilter, string>;

const filtersWith = (value: (name: MoreUserFilter) => string) =>
  Object.fromEntries(moreUserFilterNames.map((name) => [name, value(name)])) as Filters;
const noFilters = filtersWith(() => '');

/** The zone of chosen days: people choose them by their own calendar. */
const zoneOf = (chosen: Filters, before: MoreFilterChipsProps['filters']) =>
  dayFilterNames.every((name) => chosen[name] === before[name]) ? before.zone : '';

// As text, days are in their order, and so are ages of the same length.
const inOrder = (text: string) => text.padStart(3, '0');
const backwards = (values: Filters) =>
  userRanges.flatMap(([from, to]) => {
    const [start, end] = [values[from].trim(), values[to].trim()];
    if (start === '' || end === '' || inOrder(end) >= inOrder(start)) return [];
    return [
      { field: to, msg: to === 'maxAge' ? t`Use the same age or a higher one` : t`Choose the same day or a later one` },
    ];
  });

interface MoreFiltersProps extends MoreFilterChipsProps {
  onClose: () => void;
}

/** The filters that ask the server, as a form; those that the viewer's role may not use are left out. */
export function MoreFilters({ filters, tags, onChange, onClose }: MoreFiltersProps) {
  const role = useOwnRole();
  const form = useForm({
    initial: { ...filtersWith((name) => filters[name]), tag: tagOf(tags, filters.tag)?.[0] ?? filters.tag },
    schema: z.object(moreUserFilters),
    check: backwards,
    send: () => {
      const chosen = filtersWith((name) => form.values[name].trim());
      onChange({ ...chosen, zone: zoneOf(chosen, filters) });
      return Promise.resolve();
    },
    onSent: onClose,
  });
  const fields = moreFilterFields.filter(({ name }) => {
    const permission = filterPermissions[name];
    return (permission === undefined || may(role, permission)) && (name !== 'tag' || tags.length > 0);
  });
  return (
    <FormDialog
      title={t`More filters`}
      form={form}
      sendText={t`Apply`}
      isLong
      onClose={onClose}
      onCancel={() => {
        onChange(noFilters);
        onClose();
      }}
      cancelText={t`Clear all`}
    >
      <div className={classes.fields}>
        {fields.map(({ name, label, kind }) => {
          if (kind === 'city')
            return (
              <CityField
                key={name}
                label={t(label)}
                {...form.bind(name)}
                suggest={knownPlaces}
                onCity={(city, country) => {
                  form.set('city', city);
                  if (country !== null) form.set('country', country);
                }}
              />
            );
          if (typeof kind === 'string')
            return (
              <TextField
                key={name}
                label={t(label)}
                type={kind === 'day' ? 'date' : 'text'}
                inputMode={kind === 'number' ? 'numeric' : undefined}
                list={kind === 'country' ? countriesId : undefined}
                autoComplete="off"
                {...form.bind(name)}
              />
            );
          const choices =
            name === 'tag'
              ? tags.map(([id, tag]) => [id, tag] as const)
              : kind.map(([value, text]) => [value, t(text)] as const);
          return (
            <SelectField
              key={name}
              label={t(label)}
              choices={[{ value: '', label: t`Any` }, ...choices.map(([value, text]) => ({ value, label: text }))]}
              {...form.bind(name)}
            />
          );
        })}
        <datalist id={countriesId}>
          {countries.map((country) => (
            <option key={country} value={country} />
          ))}
        </datalist>
      </div>
    </FormDialog>
  );
}
