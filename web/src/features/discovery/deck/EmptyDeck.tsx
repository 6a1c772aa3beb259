import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'react-router';
import {
  type EmptyDeck as Emptiness,
  getPreferences,
  type PreferenceKey,
  putPreferences,
} from '#contract/discovery/discovery.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './EmptyDeck.module.css';

type Filter = Emptiness['perFilter'][number];

const wishWords: Record<Filter['filter'], string> = {
  gender: 'Whom you seek',
  age: 'Age',
  distance: 'Distance',
  interests: 'Interests',
  goal: 'What they are here for',
  languages: 'Languages',
  children: 'Children',
  smoking: 'Smoking',
  drinking: 'Drinking',
  exercise: 'Exercise',
  heightCm: 'Height',
};

/** The server counts no further. */
const countedMost = 500;

interface EmptyDeckProps {
  empty: Emptiness;
  /** A wish is a must no longer. */
  onWidened: () => void;
  /** Opens the member's wishes. */
  onWishes: () => void;
  onAgain: () => void;
}

function FilterRow({ filter: { filter, removed }, onWiden }: { filter: Filter; onWiden: () => void }) {
  const t = useText();
  const locale = useLocale();
  const wish = t(wishWords[filter]);
  const isMost = removed >= countedMost;
  return (
    <li className={classes.filter}>
      <div>
        <p className={classes.wish}>{wish}</p>
        <p className={classes.removed}>
          {isMost
            ? t('{count} people or more would be here without it.', { count: formatNumber(countedMost, locale) })
            : t('{count, plural, one {One person} other {# people}} would be here without it.', { count: removed })}
        </p>
      </div>
      <Button variant="default" onClick={onWiden}>
        {filter === 'gender' ? t('Change whom you seek') : t('Make {wish} nice to have', { wish })}
      </Button>
    </li>
  );
}

/** Nobody is left: which wishes keep people away, each to be widened with one press, else what can be done. */
export function EmptyDeck({ empty: { perFilter, decided, isUsedUp }, onWidened, onWishes, onAgain }: EmptyDeckProps) {
  const t = useText();
  const command = useCommand();
  const place = useRef<HTMLDivElement>(null);

  /** A must becomes nice to have. Whom one seeks is no matter of one press, and what is no must is looked at first. */
  async function widen(filter: Filter['filter']) {
    if (filter === 'gender') return onWishes();
    place.current?.focus();
    const key: PreferenceKey = filter;
    const isDone = await command.run(async () => {
      const wish = (await call(getPreferences)).data.preferences[key];
      if (wish === null) return onWishes();
      await call(putPreferences, { body: { [key]: { ...wish, required: false } } });
      onWidened();
    });
    if (!isDone) place.current?.focus();
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.empty}>
      <h2 className={classes.title}>{t('Nobody is left for now')}</h2>
      {command.error !== null && (
        <Notice kind="error">{t('Your wish could not be changed: {error}', { error: t(command.error) })}</Notice>
      )}
      {perFilter.length > 0 && (
        <>
          <p>{t('These of your wishes keep people away:')}</p>
          <ul className={classes.filters}>
            {perFilter.map((filter) => (
              <FilterRow key={filter.filter} filter={filter} onWiden={() => void widen(filter.filter)} />
            ))}
          </ul>
        </>
      )}
      {perFilter.length === 0 && (
        <p>
          {isUsedUp
            ? t('These were all the people for today: nobody is shown more in a day. There are more tomorrow.')
            : decided > 0
              ? t('You have decided on everybody who fits. New people join every day: come back tomorrow.')
              : t('Nobody who fits both ways is here yet. New people join every day: come back tomorrow.')}
        </p>
      )}
      <p>
        <Link to="/app/profile">{t('Meanwhile you can answer a few questions, or add a picture.')}</Link>
      </p>
      <div className={classes.ways}>
        <Button variant="default" onClick={onAgain}>
          {t('Look again')}
        </Button>
        <Button variant="default" onClick={onWishes}>
          {t('Change your wishes')}
        </Button>
      </div>
    </div>
  );
}
