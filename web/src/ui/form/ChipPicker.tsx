import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { folded } from '#contract/folding.ts';
import { interestsMax, languages, languagesMax } from '#contract/profiles/profile-details.ts';
import { Hint } from '../layout/text-blocks.tsx';
import { languageName } from '../text/detail-words.ts';
import { interestName, offeredInterests } from '../text/interest-words.ts';
import { compareTexts } from '../text/format.ts';
import { listOf } from './BasicPreferenceFields.tsx';
import { ErrorText, TextField } from './Field.tsx';
import classes from './form.module.css';

export interface Chip {
  value: string;
  label: string;
}

interface ChipPickerProps {
  name: string;
  /** The accessible name of the group. */
  label: string;
  searchLabel: string;
  groups: readonly { title: string | null; chips: readonly Chip[] }[];
  chosen: readonly string[];
  most: number;
  /** The name of a chosen option that is no longer among the groups; usually its value. */
  nameOf?: (value: string) => string;
  error?: string | undefined;
  onChange: (chosen: string[]) => void;
}

/** Moves the focus from a chip that is about to disappear to the next one, or to the control beside the last one. */
function leaveChip({ currentTarget }: MouseEvent<HTMLElement>): void {
  const [item, list] = [currentTarget.closest('li'), currentTarget.closest('ul')];
  const near = [item, list].flatMap((place) => [place?.nextElementSibling, place?.previousElementSibling]);
  near.find(Boolean)?.querySelector<HTMLElement>('button, input, select')?.focus();
}

/** The chosen options; pressing one removes it. */
export function Chosen({ chips, onRemove }: { chips: readonly Chip[]; onRemove: (value: string) => void }) {
  return (
    <Group component="ul" gap="0.45rem" aria-label={t`Chosen`}>
      {chips.map(({ value, label }) => (
        <li key={value}>
          <button
            type="button"
            className={classes.taken}
            aria-label={t`Remove ${{ name: label }}`}
            onClick={(event) => {
              leaveChip(event);
              onRemove(value);
            }}
          >
            <bdi>{label}</bdi>
            <IconX size={15} stroke={2} aria-hidden="true" />
          </button>
        </li>
      ))}
    </Group>
  );
}

/**
 * A picker for several of many options up to a limit. Chosen options are listed on top, and all options can be
 * searched.
 */
export function ChipPicker({ name, label, searchLabel, groups, chosen, most, onChange, ...more }: ChipPickerProps) {
  const { nameOf = String, error } = more;
  const id = useId();
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

  return (
    <fieldset className={classes.picker} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="visually-hidden">{label}</legend>
      {chosen.length > 0 && (
        <Chosen
          chips={chosen.map((value) => all.find((other) => other.value === value) ?? { value, label: nameOf(value) })}
          onRemove={toggle}
        />
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
      <Text role="status" c={isRefused ? 'var(--hw-alarm)' : 'dimmed'} fz="note" fw={isRefused ? 600 : 400}>
        {isRefused
          ? t`You can choose up to ${most}. Remove one to add another.`
          : t`${{ count: chosen.length }} of ${most} chosen`}
      </Text>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div className={classes.groups} ref={arrows.within}>
        {shown.length === 0 && <Hint>{t`No matches.`}</Hint>}
        {shown.map(({ title, chips }) => (
          <div key={title} role="group" aria-label={title ?? label}>
            {title !== null && (
              <Hint mb="0.4rem" fw={600}>
                {title}
              </Hint>
            )}
            <Group gap="0.45rem">
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
            </Group>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Makes a group of controls a single tab stop, in which the arrow keys, Home and End move the focus. `names` are the
 * values of the controls in order. The tab stop is the control that had the focus last, or the first one.
 */
function useArrowKeys(names: readonly string[]) {
  const within = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<string | null>(null);
  const stop = last !== null && names.includes(last) ? last : names[0];

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const controls = [...(within.current?.querySelectorAll('input') ?? [])];
    const at = controls.indexOf(event.currentTarget);
    const step = steps[event.key];
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl' && /Left|Right/.test(event.key);
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? controls.length - 1
          : step === undefined
            ? null
            : at + (isMirrored ? -step : step);
    if (at === -1 || to === null) return;
    event.preventDefault();
    controls[Math.max(0, Math.min(controls.length - 1, to))]?.focus();
  }

  return {
    /** Props for the element around the controls. */
    within,
    stopOf: (name: string) => ({ tabIndex: name === stop ? 0 : -1, onFocus: () => setLast(name), onKeyDown }),
  };
}

interface PickerProps<N extends string> {
  fields: {
    values: Record<N, string>;
    bind: (name: N) => { error: string | undefined };
    set: (name: N, value: string) => void;
  };
}

/** The form field `interests`: interests from the list, separated by commas. */
export function InterestPicker({ fields: { values, bind, set } }: PickerProps<'interests'>) {
  return (
    <ChipPicker
      name="interests"
      label={t`Interests`}
      searchLabel={t`Search interests`}
      groups={offeredInterests().map(({ title, interests }) => ({
        title,
        chips: interests.map((word): Chip => ({ value: word, label: interestName(word) })),
      }))}
      nameOf={interestName}
      chosen={listOf(values.interests)}
      most={interestsMax}
      error={bind('interests').error}
      onChange={(chosen) => set('interests', chosen.join(','))}
    />
  );
}

/** The form field `languages`: language codes, separated by commas. */
export function LanguagePicker({ fields: { values, bind, set } }: PickerProps<'languages'>) {
  const chips = languages
    .map((code): Chip => ({ value: code, label: languageName(code) }))
    .sort((one, other) => compareTexts(one.label, other.label));
  return (
    <ChipPicker
      name="languages"
      label={t`Languages`}
      searchLabel={t`Search languages`}
      groups={[{ title: null, chips }]}
      chosen={listOf(values.languages)}
      most={languagesMax}
      error={bind('languages').error}
      onChange={(chosen) => set('languages', chosen.join(','))}
    />
  );
}
