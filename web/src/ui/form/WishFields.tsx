import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import { genders } from '#contract/profiles/gender.ts';
import { CheckField } from './CheckField.tsx';
import { formatNumber } from '../text/format.ts';
import { SelectField } from './SelectField.tsx';
import { TextField } from './TextField.tsx';
import { t } from '../text/text.ts';
import type { useFields } from './use-fields.ts';
import classes from './form.module.css';
import { distances, listOf, type WishesForm } from './wishes-form.ts';

/** Genders as they are sought. */
export const soughtWords = { woman: 'Women', man: 'Men', 'non-binary': 'Non-binary people' } as const;

interface WishFieldsProps {
  fields: Pick<ReturnType<typeof useFields<WishesForm>>, 'bind' | 'set' | 'values'>;
  /** Leaves the distance for later. */
  isFirst?: boolean;
}

/** Fields for the preferred gender, age and distance, and which of them are required. */
export function WishFields({ fields: { bind, values, set }, isFirst = false }: WishFieldsProps) {
  const must = [
    { value: 'true', label: t('A must') },
    { value: 'false', label: t('Nice to have') },
  ];
  const sought = listOf(values.seeking);
  const kilometres = [...new Set([...distances.map(String), values.maxKm].filter((km) => km !== ''))];
  const error = bind('seeking').error;

  return (
    <>
      <fieldset className={classes.wishFieldsGroup} aria-describedby={error ? 'seeking-error' : undefined}>
        <legend className={classes.wishFieldsLegend}>{t('I would like to meet')}</legend>
        {genders.map((gender) => (
          <CheckField
            key={gender}
            name="seeking"
            label={t(soughtWords[gender])}
            checked={sought.includes(gender)}
            onChange={(event) => {
              const isSought = event.currentTarget.checked;
              set('seeking', genders.filter((g) => (g === gender ? isSought : sought.includes(g))).join(','));
            }}
          />
        ))}
        {error && (
          <p id="seeking-error" className={classes.wishFieldsError}>
            {error}
          </p>
        )}
      </fieldset>
      <fieldset className={classes.wishFieldsGroup}>
        <legend className="visually-hidden">{t('Age')}</legend>
        <div className={`${classes.pair} ${classes.short}`}>
          <TextField
            {...bind('ageMin')}
            label={t('From age')}
            placeholder={String(minimumAgeYears)}
            inputMode="numeric"
            maxLength={3}
          />
          <TextField
            {...bind('ageMax')}
            label={t('To age')}
            placeholder={String(maximumAgeYears)}
            inputMode="numeric"
            maxLength={3}
          />
          <SelectField {...bind('ageMust')} label={t('This age is')} choices={must} />
        </div>
      </fieldset>
      {!isFirst && (
        <fieldset className={classes.wishFieldsGroup}>
          <legend className="visually-hidden">{t('Distance')}</legend>
          <div className={classes.pair}>
            <SelectField
              {...bind('maxKm')}
              label={t('How far away')}
              choices={[
                { value: '', label: t('Does not matter') },
                ...kilometres.map((km) => ({
                  value: km,
                  label: t('Up to {km} km', { km: formatNumber(Number(km)) }),
                })),
              ]}
            />
            <SelectField {...bind('distanceMust')} label={t('This distance is')} choices={must} />
          </div>
        </fieldset>
      )}
      <p className={classes.wishFieldsHint}>
        {t('A must keeps others away. What is nice to have only brings those first who fit.')}
      </p>
    </>
  );
}
