import { Button } from '@mantine/core';
import { knownPlaces } from '../../../api/session/known-places.ts';
import { CheckField } from '../../../ui/form/CheckField.tsx';
import { ChoiceGroup } from '../../../ui/form/ChoiceGroup.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { t } from '../../../ui/text/text.ts';
import type { useFields } from '../../../ui/form/use-fields.ts';
import type { PreferenceForm } from './preference-form.ts';
import classes from './PreferencesForm.module.css';
import { PremiumLock } from './PremiumLock.tsx';

interface LookChoicesProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'bindCheckbox' | 'set' | 'values'>;
  isPremium: boolean;
}

/** How one looks: in which order; with premium unseen, and in another city. What one has from earlier can be given up. */
export function LookChoices({ fields, isPremium }: LookChoicesProps) {
  const { bind, bindCheckbox, set, values } = fields;
  const isElsewhere = values.city !== '' || values.country !== '';

  return (
    <>
      <ChoiceGroup
        type="radio"
        name="order"
        legend={t('Order')}
        choices={[
          { value: 'matching', label: t('Best match: people who are likely to suit you both come first') },
          { value: 'newest', label: t('Newest first: everyone who fits, by when they joined') },
        ]}
        chosen={[values.order]}
        onChange={([order = 'matching']) => set('order', order)}
      />
      <fieldset className={classes.part}>
        <legend className={classes.legend}>{t('With premium')}</legend>
        {!isPremium && <PremiumLock>{t('Browsing unseen or in another city needs premium.')}</PremiumLock>}
        <CheckField
          {...bindCheckbox('incognito')}
          disabled={!isPremium && !values.incognito}
          label={t('Incognito')}
          description={t('Only people you like see you.')}
        />
        {(isPremium || isElsewhere) && (
          <>
            <p className={classes.hint}>
              {t('Browse another city as if you lived there. Leave this empty for your own.')}
            </p>
            <div className={classes.pair}>
              <CityField
                {...bind('city')}
                label={t('Another city')}
                dir="auto"
                suggest={knownPlaces}
                onCity={(city, country) => {
                  set('city', city);
                  if (country !== null) set('country', country);
                }}
              />
              <TextField {...bind('country')} label={t('Country')} autoComplete="off" dir="auto" />
            </div>
          </>
        )}
        {isElsewhere && (
          <div>
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                set('city', '');
                set('country', '');
              }}
            >
              {t('Back to my own city')}
            </Button>
          </div>
        )}
      </fieldset>
    </>
  );
}
