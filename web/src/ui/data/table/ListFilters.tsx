import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconFilter, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import classes from './list.module.css';

/** A value with its label; a string is shown as it is. */
type Choice<V extends string> = readonly [value: V, label: MessageDescriptor | string];

/** The values with their labels. */
export const optionsOf = <V extends string>(values: readonly V[], words: Record<V, MessageDescriptor>) =>
  values.map((value): [V, MessageDescriptor] => [value, words[value]]);

const labelOf = (label: MessageDescriptor | string) => (typeof label === 'string' ? label : t(label));

/**
 * The filters above a list. Pressing Enter in one of them submits. On phones, if there are more than two, unset ones are folded, so that
 * the list begins on the first screen.
 */
export function FilterBar({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The unfolded fields come before the button.
  useEffect(() => {
    if (isOpen)
      form.current?.querySelector<HTMLElement>(`.${classes.select}:not([data-set]) :is(select, input)`)?.focus();
  }, [isOpen]);
  return (
    <search>
      <form
        ref={form}
        className={classes.bar}
        data-open={isOpen || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Button
          className={classes.fold ?? ''}
          variant="default"
          leftSection={<IconFilter size={17} stroke={1.75} aria-hidden="true" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t`Filters`}
        </Button>
      </form>
    </search>
  );
}

interface FilterSelectProps<V extends string> {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  /** The value that is no filter; the first one by default. */
  usual?: V | undefined;
  onChoose: (value: V) => void;
}

/** A select field that filters by one of a few values. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, value, choices, usual = choices[0]?.[0], onChoose } = props;
  return (
    <NativeSelect
      className={classes.select}
      wrapperProps={{ 'data-set': value !== usual || undefined }}
      label={label}
      value={value}
      data={choices.map(([choice, name]) => ({ value: choice, label: labelOf(name) }))}
      onChange={(event) => onChoose(event.currentTarget.value as V)}
    />
  );
}

/** A filter of a list: one of a few values, or without choices a calendar day. */
export type ListFilter<L> = {
  [K in keyof L & string]: {
    name: K;
    label: MessageDescriptor;
    choices?: readonly Choice<(string & NonNullable<L[K]>) | ''>[];
    /** The value that is no filter; the first one by default. */
    usual?: string | undefined;
  };
}[keyof L & string];

interface FilterFieldsProps<L> {
  of: readonly ListFilter<L>[];
  filters: L;
  onChoose: (changed: Partial<L>) => void;
}

/** The fields of filters; '' means no filter. */
export function FilterFields<L>({ of, filters, onChoose }: FilterFieldsProps<L>) {
  return of.map(({ name, label, choices, usual }) => {
    const value = String(filters[name] ?? '');
    const choose = (chosen: string) => onChoose({ [name]: chosen } as Partial<L>);
    if (choices !== undefined)
      return <FilterSelect<string> key={name} label={t(label)} onChoose={choose} {...{ value, choices, usual }} />;
    return (
      <TextInput
        key={name}
        className={classes.select ?? ''}
        wrapperProps={{ 'data-set': value !== '' || undefined }}
        type="date"
        label={t(label)}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    );
  });
}

/** An active filter, which is removed by pressing it. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button type="button" className={classes.chip} onClick={onRemove} aria-label={t`Remove filter: ${text}`}>
      {text}
      <IconX size={14} stroke={2} aria-hidden="true" />
    </button>
  );
}

/** The active filters, below the other fields. */
export function FilterChips({ children }: { children: ReactNode }) {
  return (
    <Group gap="0.4rem" flex="1 0 100%" role="group" aria-label={t`Chosen filters`}>
      {children}
    </Group>
  );
}

interface SeveralProps<V extends string> {
  chosen: readonly V[] | undefined;
  choices: readonly (readonly [value: V, label: MessageDescriptor])[];
  /** The chosen values, in the order of the choices. */
  onChoose: (chosen: V[]) => void;
}

/**
 * A filter by several of a few values. Its field offers those that are not chosen yet; the chosen ones are shown as
 * `ChosenChips`.
 */
export function FilterChoices<V extends string>(
  props: SeveralProps<V> & { label: string; allText: MessageDescriptor },
) {
  const { label, allText, chosen = [], choices, onChoose } = props;
  return (
    <FilterSelect<V | ''>
      label={label}
      value=""
      choices={[
        ['', chosen.length === 0 ? allText : msg`Add another…`],
        ...choices.filter(([value]) => !chosen.includes(value)),
      ]}
      onChoose={(added) =>
        onChoose(choices.flatMap(([value]) => (value === added || chosen.includes(value) ? [value] : [])))
      }
    />
  );
}

/** The chosen ones of several values, each with a button to remove it. */
export function ChosenChips<V extends string>({ chosen = [], choices, onChoose }: SeveralProps<V>) {
  return choices.flatMap(([value, label]) =>
    chosen.includes(value) ? (
      <FilterChip key={value} text={t(label)} onRemove={() => onChoose(chosen.filter((one) => one !== value))} />
    ) : (
      []
    ),
  );
}

interface SearchFieldProps {
  placeholder: string;
  /** Other input that is possible, as a tooltip and for screen readers. */
  hint?: string | undefined;
  value: string;
  onType: (search: string) => void;
  onClear: () => void;
  /** A ref for callers that focus the field. */
  field?: RefObject<HTMLInputElement | null>;
}

/** A search field with a button that clears it and keeps the focus in the field. */
export function SearchField({ placeholder, hint, value, onType, onClear, field }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;

  function clear() {
    onClear();
    input.current?.focus();
  }

  return (
    <TextInput
      ref={input}
      className={classes.search}
      label={t`Search`}
      placeholder={placeholder}
      title={hint}
      aria-description={hint}
      type="text"
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      maxLength={searchMaxLength}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
      rightSection={
        value !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Clear search`}
            title={t`Clear search`}
            onClick={clear}
          >
            <IconX size={17} stroke={1.75} />
          </ActionIcon>
        )
      }
    />
  );
}

interface ListFiltersProps<L> {
  /** The filters as they are being chosen and typed, from `useListAddress`. */
  address: { draft: L; type: (changed: Partial<L>) => void; apply: (changed: Partial<L>) => void };
  onChoose: (changed: Partial<L>) => void;
  onSubmit: () => void;
  /** The texts of the search field, and a ref for callers that focus it. */
  search: Pick<SearchFieldProps, 'placeholder' | 'hint' | 'field'>;
  filters: readonly ListFilter<L>[];
  /** Buttons after the filters. */
  children?: ReactNode;
}

/** The search field and filters of a list whose filters are in the address. */
export function ListFilters<L extends { search: string }>(props: ListFiltersProps<L>) {
  const { address, onChoose, onSubmit, search, filters, children } = props;
  const { draft } = address;
  const searching = (text: string) => ({ search: text }) as Partial<L>;
  return (
    <FilterBar onSubmit={onSubmit}>
      <SearchField
        {...search}
        value={draft.search}
        onType={(text) => address.type(searching(text))}
        onClear={() => address.apply(searching(''))}
      />
      <FilterFields of={filters} filters={draft} onChoose={onChoose} />
      {children}
    </FilterBar>
  );
}
