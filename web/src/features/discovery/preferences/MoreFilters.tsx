import { t } from '@lingui/core/macro';
import { Box, Button, Group, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { heightMaxCm, heightMinCm } from '#contract/profiles/profile-details.ts';
import { knownPlaces } from '../../../api/known-places.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { listOf } from '../../../ui/form/BasicPreferenceFields.tsx';
import { InterestPicker, LanguagePicker } from '../../../ui/form/ChipPicker.tsx';
import { CityField, cityOfRegion } from '../../../ui/form/CityField.tsx';
import { CheckField, TextField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup, FieldRow } from '../../../ui/form/Form.tsx';
import { MustPin } from '../../../ui/form/MustPin.tsx';
import { Slider } from '../../../ui/form/Slider.tsx';
import type { useFields } from '../../../ui/form/use-form.ts';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { heightWords, listFilters } from './chosen-filters.ts';
import { type ListPreference, type PreferenceForm, takesPremium } from './preference-form.ts';

interface MoreFiltersProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'bindCheckbox' | 'set' | 'values'>;
  isPremium: boolean;
}

/** The rarely changed filters: each one folded, with the choice beside its title. */
export function MoreFilters(props: MoreFiltersProps) {
  const { fields, isPremium } = props;
  const { values, set, bindCheckbox } = fields;
  const pickers: Partial<Record<ListPreference, ReactNode>> = {
    interests: <InterestPicker fields={fields} />,
    languages: <LanguagePicker fields={fields} />,
  };
  const newest = t`Newest first`;
  const best = t`Best match first`;
  return (
    <>
      <Box pb="1rem">
        <CheckField
          {...bindCheckbox('photoVerifiedOnly')}
          label={t`Photo verified only`}
          description={t`Only people whose selfies our team has compared with their pictures.`}
        />
      </Box>
      {listFilters.map(({ preference, title, words, nameOf }) => {
        const chosen = listOf(values[preference]);
        return (
          <FilterRow key={preference} {...props} preference={preference} title={t(title)} value={chosen.map(nameOf)}>
            {pickers[preference] ?? (
              <ChoiceGroup
                type="checkbox"
                name={preference}
                legend={t(title)}
                hidesLegend
                choices={Object.entries(words ?? {}).map(([value, label]) => ({ value, label: t(label) }))}
                chosen={chosen}
                isRow
                error={fields.bind(preference).error}
                onChange={(now) => set(preference, now.join(','))}
              />
            )}
          </FilterRow>
        );
      })}
      <FilterRow {...props} preference="height" title={t`Height`} value={[heightWords(values) ?? '']}>
        <HeightSlider fields={fields} />
      </FilterRow>
      <Disclosure title={t`Order`} note={values.order === 'newest' ? newest : best} heading="h3" isPlain isLazy>
        <ChoiceGroup
          type="radio"
          name="order"
          legend={t`Order`}
          hidesLegend
          choices={[
            { value: 'matching', label: best },
            { value: 'newest', label: newest },
          ]}
          chosen={[values.order]}
          onChange={([order = 'matching']) => set('order', order)}
        />
      </Disclosure>
      {!isPremium && (
        <Well>
          <Group component="p" gap="0.6rem" wrap="nowrap" align="flex-start">
            <IconLock size={18} stroke={1.75} aria-hidden="true" />
            <span>
              {t`With premium, more filters can be a must, and you can browse unseen or in another city.`}{' '}
              <Link to="/app/premium">{t`What premium adds`}</Link>
            </span>
          </Group>
        </Well>
      )}
      <BrowsingFields {...props} />
    </>
  );
}

interface FilterRowProps extends MoreFiltersProps {
  preference: ListPreference | 'height';
  title: string;
  /** What is chosen. */
  value: readonly string[];
  children: ReactNode;
}

/** A folded filter. Filters that need premium can be required only with premium, or if they already are. */
function FilterRow({ fields: { values, set }, isPremium, preference, title, value, children }: FilterRowProps) {
  const must = `${preference}Must` as const;
  const isMust = values[must] === 'true';
  const mayBeMust = isPremium || isMust || !takesPremium(preference === 'height' ? 'heightCm' : preference);
  return (
    <Disclosure title={title} note={value.join(' · ')} heading="h3" isPlain isLazy>
      <Stack gap="0.8rem" align="flex-start" pb="1rem">
        {children}
        {mayBeMust && (
          <MustPin
            name={must}
            of={title}
            isMust={isMust}
            isDisabled={value.join('') === ''}
            onChange={(next) => set(must, String(next))}
          />
        )}
      </Stack>
    </Disclosure>
  );
}

/** The range of heights, which has no limit where a thumb is at its end. */
function HeightSlider({ fields: { values, set } }: Pick<MoreFiltersProps, 'fields'>) {
  const said = (cm: number) => t`${{ height: formatNumber(cm) }} cm`;
  const [min, max] = [Number(values.heightMin || heightMinCm), Number(values.heightMax || heightMaxCm)];
  return (
    <Slider
      least={heightMinCm}
      most={heightMaxCm}
      thumbs={[
        {
          name: 'heightMin',
          'aria-label': t`Smallest height`,
          'aria-valuetext': said(min),
          value: min,
          onChange: (to) => set('heightMin', to === heightMinCm ? '' : String(to)),
        },
        {
          name: 'heightMax',
          'aria-label': t`Greatest height`,
          'aria-valuetext': said(max),
          value: max,
          onChange: (to) => set('heightMax', to === heightMaxCm ? '' : String(to)),
        },
      ]}
    />
  );
}

/** Whether the member browses unseen and in which city. Without premium, a saved setting can only be removed. */
function BrowsingFields({ fields: { bind, bindCheckbox, set, values }, isPremium }: MoreFiltersProps) {
  const isElsewhere = values.city !== '' || values.country !== '';
  return (
    <Stack gap="0.8rem" my="1rem">
      {(isPremium || values.incognito) && (
        <CheckField
          {...bindCheckbox('incognito')}
          label={t`Incognito`}
          description={t`Only people you like see you.`}
        />
      )}
      {(isPremium || isElsewhere) && (
        <>
          <Hint>{t`Browse another city as if you lived there. Leave this empty for your own.`}</Hint>
          <FieldRow isShort>
            <CityField
              {...bind('city')}
              label={t`Another city`}
              suggest={knownPlaces}
              onCity={(city, country, region) => {
                set('city', cityOfRegion(city, region));
                if (country !== null) set('country', country);
              }}
            />
            <TextField {...bind('country')} label={t`Country`} autoComplete="off" />
          </FieldRow>
        </>
      )}
      {isElsewhere && (
        <div ref={passingFocus}>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              set('city', '');
              set('country', '');
            }}
          >
            {t`Back to my own city`}
          </Button>
        </div>
      )}
    </Stack>
  );
}
