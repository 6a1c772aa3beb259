import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { interestGroups } from '#contract/profiles/interests.ts';
import { languages } from '#contract/profiles/languages.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  heightMaxCm,
  heightMinCm,
  interestsMax,
  languagesMax,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { knownPlaces } from '../../../api/session/known-places.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { CheckField } from '../../../ui/form/CheckField.tsx';
import { type Chip, ChipPicker } from '../../../ui/form/ChipPicker.tsx';
import { ChoiceGroup } from '../../../ui/form/ChoiceGroup.tsx';
import { CityField } from '../../../ui/form/CityField.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import type { useFields } from '../../../ui/form/use-fields.ts';
import { listOf } from '../../../ui/form/wishes-form.ts';
import {
  childrenWords,
  drinkingWords,
  exerciseWords,
  goalWords,
  languageName,
  smokingWords,
} from '../../../ui/text/detail-words.ts';
import { locale, t } from '../../../ui/text/text.ts';
import classes from '../discovery.module.css';
import { type PreferenceForm, takesPremium } from './preference-form.ts';

interface PreferenceFieldsProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'set' | 'values'>;
  isPremium: boolean;
}

type Picked = 'interests' | 'languages';
type Habit = 'goal' | 'children' | 'smoking' | 'drinking' | 'exercise';

const habits: { wish: Habit; title: string; words: Record<string, string>; values: readonly string[] }[] = [
  { wish: 'goal', title: 'What they are here for', words: goalWords, values: relationshipGoals },
  { wish: 'children', title: 'Children', words: childrenWords, values: childrenAnswers },
  { wish: 'smoking', title: 'Smoking', words: smokingWords, values: smokingAnswers },
  { wish: 'drinking', title: 'Drinking', words: drinkingWords, values: drinkingAnswers },
  { wish: 'exercise', title: 'Exercise', words: exerciseWords, values: exerciseAnswers },
];

/** Whether a wish is a must; what takes premium has the choice with premium alone, or where it is one from earlier. */
function Must({
  wish,
  title,
  fields,
  isPremium,
}: PreferenceFieldsProps & { wish: Picked | Habit | 'height'; title: string }) {
  const isFree = !takesPremium(wish === 'height' ? 'heightCm' : wish);
  if (!isFree && !isPremium && fields.values[`${wish}Must`] !== 'true') return null;
  return (
    <SelectField
      {...fields.bind(`${wish}Must`)}
      label={t('{wish}: this preference is', { wish: title })}
      choices={[
        { value: 'false', label: t('Nice to have') },
        { value: 'true', label: t('A must') },
      ]}
    />
  );
}

/** Interests, goal, languages, habits and height, each nice to have or required. */
export function FurtherPreferences({ fields, isPremium }: PreferenceFieldsProps) {
  const { bind, set, values } = fields;
  const must = { fields, isPremium };
  const interestChips = Object.entries(interestGroups).map(([title, words]) => ({
    title: t(title),
    chips: words.map((word): Chip => ({ value: word, label: t(word) })),
  }));
  const languageChips = languages
    .map((code): Chip => ({ value: code, label: languageName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));
  const titleWithCount = (title: string, wish: Picked) => {
    const count = listOf(values[wish]).length;
    return count === 0 ? title : t('{title} ({count})', { title, count });
  };

  return (
    <>
      <Disclosure title={titleWithCount(t('Interests'), 'interests')} heading="h3" isLazy>
        <div className={classes.part}>
          <ChipPicker
            name="interests"
            label={t('Interests')}
            searchLabel={t('Search interests')}
            groups={interestChips}
            chosen={listOf(values.interests)}
            most={interestsMax}
            error={bind('interests').error}
            onChange={(chosen) => set('interests', chosen.join(','))}
          />
          <Must wish="interests" title={t('Interests')} {...must} />
        </div>
      </Disclosure>
      <h3 className={classes.preferenceTitle}>{t('More about them')}</h3>
      {!isPremium && (
        <PremiumLock>
          {t('These are nice to have: people who fit come first. With premium you can make them a must.')}
        </PremiumLock>
      )}
      {habits.map(({ wish, title, words, values: all }) => (
        <div key={wish} className={classes.part}>
          <ChoiceGroup
            type="checkbox"
            name={wish}
            legend={t(title)}
            choices={all.map((value) => ({ value, label: t(words[value] ?? value) }))}
            chosen={listOf(values[wish])}
            isRow
            error={bind(wish).error}
            onChange={(chosen) => set(wish, chosen.join(','))}
          />
          <Must wish={wish} title={t(title)} {...must} />
        </div>
      ))}
      <fieldset className={classes.part}>
        <legend className={classes.legend}>{t('Height')}</legend>
        <div className={classes.pair}>
          <TextField
            {...bind('heightMin')}
            label={t('From height, cm')}
            placeholder={String(heightMinCm)}
            inputMode="numeric"
            maxLength={3}
          />
          <TextField
            {...bind('heightMax')}
            label={t('To height, cm')}
            placeholder={String(heightMaxCm)}
            inputMode="numeric"
            maxLength={3}
          />
          <Must wish="height" title={t('Height')} {...must} />
        </div>
      </fieldset>
      <Disclosure title={titleWithCount(t('Languages'), 'languages')} heading="h3" isLazy>
        <div className={classes.part}>
          <ChipPicker
            name="languages"
            label={t('Languages')}
            searchLabel={t('Search languages')}
            groups={[{ title: null, chips: languageChips }]}
            chosen={listOf(values.languages)}
            most={languagesMax}
            error={bind('languages').error}
            onChange={(chosen) => set('languages', chosen.join(','))}
          />
          <Must wish="languages" title={t('Languages')} {...must} />
        </div>
      </Disclosure>
    </>
  );
}

interface LookChoicesProps {
  fields: Pick<ReturnType<typeof useFields<PreferenceForm>>, 'bind' | 'bindCheckbox' | 'set' | 'values'>;
  isPremium: boolean;
}

/** How one looks: in which order; with premium unseen, and in another city. What one has from earlier can be given up. */
export function BrowsingFields({ fields, isPremium }: LookChoicesProps) {
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

/** Says what needs premium, with a link to it. */
function PremiumLock({ children }: { children: string }) {
  return (
    <p className={classes.lock}>
      <IconLock size={18} stroke={1.75} aria-hidden="true" />
      <span>
        {children} <Link to="/app/premium">{t('What premium adds')}</Link>
      </span>
    </p>
  );
}
