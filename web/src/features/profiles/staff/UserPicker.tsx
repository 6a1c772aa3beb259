import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import { listUsers } from '#contract/profiles/profiles.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { readableAddress } from '#contract/text.ts';
import { call } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { shortUserId } from './UserDetails.tsx';
import classes from './users.module.css';
import { Soft } from '../../../ui/data/Words.tsx';

const suggestions = 8;
const typingPauseMs = 250;

/** Finds one user by name or email, or takes an id as it is. */
export function UserPicker({ label, onPick }: { label: string; onPick: (userId: string, user?: ListedUser) => void }) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const query = useQuery({
    queryKey: staffKeys.userSuggestions(search),
    queryFn: async ({ signal }) =>
      (await call(listUsers, { query: { search, limit: suggestions }, signal })).data.users,
    enabled: search !== '',
  });
  const users = search === '' ? [] : (query.data ?? []);
  const isShown = isOpen && typed.trim() !== '' && search === typed.trim() && query.data !== undefined;
  const active = users[Math.min(marked, users.length - 1)];

  function pick(userId: string, user?: ListedUser) {
    setTyped('');
    setOpen(false);
    onPick(userId, user);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') setOpen(false);
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isShown && active) pick(active._id, active);
      else if (typed.trim() !== '' && isShown) pick(typed.trim());
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setMarked((before) => (before + step + users.length) % Math.max(1, users.length));
  }

  const optionId = (user: ListedUser) => `${listId}-${user._id}`;

  return (
    <div className={classes.picker}>
      <TextInput
        label={label}
        placeholder={t('Name, email or user id...')}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown && users.length > 0}
        aria-controls={isShown && users.length > 0 ? listId : undefined}
        aria-activedescendant={isShown && active ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={searchMaxLength}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMarked(0);
          setOpen(true);
        }}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      {isShown && users.length > 0 && (
        <ul id={listId} role="listbox" aria-label={label} className={classes.list}>
          {users.map((user, index) => (
            <li
              key={user._id}
              id={optionId(user)}
              role="option"
              aria-selected={user === active}
              className={classes.option}
              onPointerEnter={() => setMarked(index)}
              // Pressing must not take the focus from the field, or the list would be gone before the click.
              onPointerDown={(event) => {
                event.preventDefault();
                pick(user._id, user);
              }}
            >
              <Text span fw={600} truncate>
                {personName(user) ?? t('Unknown')}
              </Text>
              <Soft span truncate>
                {readableAddress(user.email)} · {shortUserId(user._id)}
              </Soft>
            </li>
          ))}
        </ul>
      )}
      <Soft role="status" pos="absolute" mt="0.25rem">
        {isShown && users.length === 0 && t('No users found. Press Enter to use this as a user ID.')}
      </Soft>
    </div>
  );
}
