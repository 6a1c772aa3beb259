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
import { type Chip, ChipPicker } from '../../../ui/form/ChipPicker.tsx';
import { ChoiceGroup } from '../../../ui/form/ChoiceGroup.tsx';
import {
  childrenWords,
  drinkingWords,
  exerciseWords,
  goalWords,
  languageName,
  smokingWords,
} from '../../../ui/text/detail-words.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { locale, t } from '../../../ui/text/text.ts';
import type { useFields } from '../../../ui/form/use-fields.ts';
import { listOf } from '../../../ui/form/wishes-form.ts';
import { type PreferenceForm, takesPremium } from './preference-form.ts';
import classes from './PreferencesForm.module.css';
import { PremiumLock } from './PremiumLock.tsx';

interface FurtherWishesProps {
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
}: FurtherWishesProps & { wish: Picked | Habit | 'height'; title: string }) {
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
export function FurtherWishes({ fields, isPremium }: FurtherWishesProps) {
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
      <h3 className={classes.title}>{t('More about them')}</h3>
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
