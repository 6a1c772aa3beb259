import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { ActionIcon, Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, type Ref, type RefObject, useRef } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import { Notice } from '../../feedback/Notice.tsx';
import { Skeleton } from '../../feedback/PageStates.tsx';
import classes from './list.module.css';

/** The filters above a list. Pressing Enter in one of them submits. */
export function FilterBar({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <search>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </search>
  );
}

interface FilterSelectProps<V extends string> {
  label: string;
  value: V;
  /** Each value with its label; a string is shown as it is. */
  choices: readonly (readonly [value: V, label: MessageDescriptor | string])[];
  onChoose: (value: V) => void;
}

/** A select field that filters by one of a few values. */
export function FilterSelect<V extends string>({ label, value, choices, onChoose }: FilterSelectProps<V>) {
  return (
    <NativeSelect
      className={classes.select}
      label={label}
      value={value}
      data={choices.map(([choice, name]) => ({ value: choice, label: typeof name === 'string' ? name : t(name) }))}
      onChange={(event) => onChoose(event.currentTarget.value as V)}
    />
  );
}

interface FilterDayProps {
  label: string;
  /** `YYYY-MM-DD`; undefined means no filter. */
  value: string | undefined;
  onChoose: (day: string | undefined) => void;
}

/** A field that filters by a calendar day. */
export function FilterDay({ label, value = '', onChoose }: FilterDayProps) {
  return (
    <TextInput
      className={classes.select ?? ''}
      type="date"
      label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
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

/** The number of selected rows with the actions for them, which stays in view while the list scrolls. */
export function SelectionBar({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  return (
    <div className={classes.selection} role="group" aria-label={label}>
      <strong>{t`${plural(count, { one: '# selected', other: '# selected' })}`}</strong>
      {children}
    </div>
  );
}

interface FilterChoicesProps<V extends string> {
  label: string;
  /** The text of the field while nothing is chosen. */
  allText: MessageDescriptor;
  chosen: readonly V[] | undefined;
  choices: readonly (readonly [value: V, label: MessageDescriptor])[];
  /** The chosen values, in the order of the choices. */
  onChoose: (chosen: V[]) => void;
}

/**
 * A filter by several of a few values. Its field offers those that are not chosen yet; the chosen ones are shown as
 * `FilterChip`s.
 */
export function FilterChoices<V extends string>(props: FilterChoicesProps<V>) {
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

interface ListCaptionProps {
  /** The number of rows, announced when it changes. */
  text: ReactNode;
  isTextHidden?: boolean;
  hint?: string | false;
  /** Clears the filters; undefined if none are set. */
  onClear?: (() => void) | undefined;
  /** Shown at the end of the line: the age of the data. */
  end?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  children?: ReactNode;
}

/** The line between the filters and the list. */
export function ListCaption({ text, isTextHidden = false, hint, onClear, end, ref, children }: ListCaptionProps) {
  return (
    <Group gap="0.35rem 1rem" mih="2.25rem" mb="0.6rem" ref={ref}>
      <Text role="status" c="dimmed" fw={600} {...(isTextHidden && { className: 'visually-hidden' })}>
        {text}
      </Text>
      {hint && (
        <Text c="dimmed" className={classes.hint ?? ''}>
          {hint}
        </Text>
      )}
      {children}
      {onClear && (
        <Button className={classes.clear} variant="subtle" size="compact-sm" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
      <Box ms="auto">{end}</Box>
    </Group>
  );
}

/** Placeholders for the caption, the table head and the rows while they are loading. */
export function ListSkeleton({ rowHeight }: { rowHeight: string }) {
  return (
    <Stack gap="0.4rem" pt="2.85rem">
      <Skeleton height="2.75rem" />
      <Skeleton height={rowHeight} count={8} />
    </Stack>
  );
}

interface MoreRowsProps {
  query: {
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  loadingText: string;
  errorText: (error: string) => string;
}

/** Shown below a list while more rows are loading, or if they could not be loaded. */
export function MoreRows({ query, loadingText, errorText }: MoreRowsProps) {
  if (query.isFetchNextPageError) {
    return (
      <Box mt="0.75rem">
        <Notice kind="error" onRetry={query.fetchNextPage}>
          {errorText(query.error?.message ?? '')}
        </Notice>
      </Box>
    );
  }
  return (
    <p role="status" className={classes.more}>
      {query.isFetchingNextPage && loadingText}
    </p>
  );
}

interface SearchFieldProps {
  placeholder: string;
  /** What else can be typed, as a tooltip and for screen readers. */
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
