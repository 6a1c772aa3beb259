import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import { t } from '../../text/text.ts';
import classes from './list.module.css';

interface SearchFieldProps {
  placeholder: string;
  value: string;
  onType: (search: string) => void;
  onClear: () => void;
  /** For callers that move the focus here. */
  field?: RefObject<HTMLInputElement | null>;
}

/** A search field with a button that clears it; the focus stays here. */
export function SearchField({ placeholder, value, onType, onClear, field }: SearchFieldProps) {
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
      label={t('Search')}
      placeholder={placeholder}
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
            aria-label={t('Clear search')}
            title={t('Clear search')}
            onClick={clear}
          >
            <IconX size={17} stroke={1.75} />
          </ActionIcon>
        )
      }
    />
  );
}
