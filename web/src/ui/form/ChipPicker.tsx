import { IconX } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import classes from './form.module.css';
import { TextField } from './TextField.tsx';
import { t } from '../text/text.ts';
import { useArrowKeys } from '../keyboard/use-arrow-keys.ts';

export interface Chip {
  value: string;
  label: string;
}

interface ChipPickerProps {
  name: string;
  /** The name of the group. */
  label: string;
  searchLabel: string;
  groups: readonly { title: string | null; chips: readonly Chip[] }[];
  chosen: readonly string[];
  most: number;
  error?: string | undefined;
  onChange: (chosen: string[]) => void;
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** Picks several of many options up to a limit: chosen ones are listed on top, all can be searched. */
export function ChipPicker({ name, label, searchLabel, groups, chosen, most, error, onChange }: ChipPickerProps) {
  const id = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const [search, setSearch] = useState('');
  const [isRefused, setRefused] = useState(false);
  const wanted = folded(search.trim());
  const all = groups.flatMap(({ chips }) => chips);
  const shown = groups
    .map(({ title, chips }) => ({ title, chips: chips.filter((chip) => folded(chip.label).includes(wanted)) }))
    .filter(({ chips }) => chips.length > 0);
  const arrows = useArrowKeys(shown.flatMap(({ chips }) => chips.map(({ value }) => value)));

  function toggle(value: string) {
    const isChosen = chosen.includes(value);
    setRefused(!isChosen && chosen.length >= most);
    if (isChosen) onChange(chosen.filter((other) => other !== value));
    else if (chosen.length < most) onChange([...chosen, value]);
  }

  function takeAway(value: string) {
    toggle(value);
    place.current?.querySelector<HTMLElement>('input[type="search"]')?.focus();
  }

  return (
    <fieldset ref={place} className={classes.picker} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="visually-hidden">{label}</legend>
      {chosen.length > 0 && (
        <ul className={classes.chosen} aria-label={t('Chosen')}>
          {chosen.map((value) => {
            const chip = all.find((other) => other.value === value) ?? { value, label: value };
            return (
              <li key={value}>
                <button
                  type="button"
                  className={classes.taken}
                  aria-label={t('Remove {name}', { name: chip.label })}
                  onClick={() => takeAway(value)}
                >
                  <bdi>{chip.label}</bdi>
                  <IconX size={15} stroke={2} aria-hidden="true" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <TextField
        type="search"
        name={name}
        label={searchLabel}
        autoComplete="off"
        enterKeyHint="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p role="status" className={classes.count} data-refused={isRefused || undefined}>
        {isRefused
          ? t('You can choose up to {most}. Remove one to add another.', { most })
          : t('{count} of {most} chosen', { count: chosen.length, most })}
      </p>
      {error && (
        <p id={`${id}-error`} className={classes.chipPickerError}>
          {error}
        </p>
      )}
      <div className={classes.groups} ref={arrows.within}>
        {shown.length === 0 && <p className={classes.none}>{t('No matches.')}</p>}
        {shown.map(({ title, chips }) => (
          <div key={title} role="group" aria-label={title ?? label}>
            {title !== null && <p className={classes.chipPickerGroup}>{title}</p>}
            <div className={classes.chips}>
              {chips.map((chip) => (
                <label key={chip.value} className={classes.chip}>
                  <input
                    type="checkbox"
                    {...arrows.stopOf(chip.value)}
                    className="visually-hidden"
                    checked={chosen.includes(chip.value)}
                    onChange={() => toggle(chip.value)}
                  />
                  <bdi>{chip.label}</bdi>
                </label>
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
