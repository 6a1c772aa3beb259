import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { memberSearchSorts, searchUsers } from '#contract/profiles/profiles.ts';
import { knownPlaces } from '../../../api/known-places.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/form/Field.tsx';
import { FieldRow, Form } from '../../../ui/form/Form.tsx';
import { useFields } from '../../../ui/form/use-form.ts';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatDistance } from '../../../ui/text/distance.ts';
import { unitsFor } from '../../../ui/text/text.ts';
import type { DirectoryFilters as Filters } from './Directory.tsx';

const genderWords = { '': msg`Everyone`, woman: msg`Women`, man: msg`Men`, 'non-binary': msg`Non-binary people` };
const sortWords = {
  newest: msg`Newest first`,
  lastActive: msg`Last active first`,
  compatibility: msg`Best match first`,
};
const distances = ['', '5', '10', '25', '50', '100', '250', '500'];
const nothing = {
  search: '',
  gender: '',
  minAge: '',
  maxAge: '',
  maxDistance: '',
  city: '',
  sortBy: 'newest',
  onlineNow: false,
};

interface DirectoryFiltersProps {
  initial: Filters;
  onSearch: (filters: Filters) => void;
}

/** The filters of the directory, which apply when the form is sent. */
export function DirectoryFilters({ initial, onSearch }: DirectoryFiltersProps) {
  const { bind, bindCheckbox, set, check, reset, form, values } = useFields<typeof nothing>({
    ...nothing,
    ...(Object.fromEntries(Object.entries(initial)) as Partial<typeof nothing>),
    onlineNow: initial.onlineNow === 'true',
  });

  /** From then on, the fields show the values in the address. */
  function apply(filters: Filters) {
    reset();
    onSearch(filters);
  }

  function search() {
    const { onlineNow, ...texts } = values;
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));
    const filters = { ...given, ...(onlineNow && { onlineNow: 'true' }) };
    if (check(searchUsers.query, filters) !== null) apply(filters as Filters);
  }

  return (
    <Form
      ref={form}
      role="search"
      aria-label={t`Filters`}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <FieldRow>
        <TextField {...bind('search')} type="search" label={t`First name`} autoComplete="off" />
        <SelectField
          {...bind('gender')}
          label={t`Show`}
          choices={Object.entries(genderWords).map(([value, label]) => ({ value, label: t(label) }))}
        />
      </FieldRow>
      <FieldRow isShort>
        <TextField {...bind('minAge')} label={t`From age`} inputMode="numeric" maxLength={unitsFor(3)} />
        <TextField {...bind('maxAge')} label={t`To age`} inputMode="numeric" maxLength={unitsFor(3)} />
        <SelectField
          {...bind('maxDistance')}
          label={t`Distance`}
          choices={distances.map((value) => ({ value, label: value === '' ? t`Any` : formatDistance(Number(value)) }))}
        />
      </FieldRow>
      <FieldRow>
        <CityField {...bind('city')} label={t`City`} suggest={knownPlaces} onCity={(city) => set('city', city)} />
        <SelectField
          {...bind('sortBy')}
          label={t`Order`}
          choices={memberSearchSorts.map((value) => ({ value, label: t(sortWords[value]) }))}
        />
      </FieldRow>
      <CheckField {...bindCheckbox('onlineNow')} label={t`Online now`} />
      <Buttons>
        <BusyButton type="submit" isBusy={false} busyText="">
          {t`Search`}
        </BusyButton>
        <Button variant="default" onClick={() => apply({})}>
          {t`Clear filters`}
        </Button>
      </Buttons>
    </Form>
  );
}
