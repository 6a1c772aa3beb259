import { t } from '@lingui/core/macro';
import { Box, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import { pastedId } from '#contract/pasted.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { hasAtSign, readableAddress } from '#contract/text.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { Options, useOptions } from '../../../ui/form/Options.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { personName } from '../../../ui/text/person.ts';
import { termsToFind, useFindUsers } from './find-users.ts';
import { shortUserId } from './UserDetails.tsx';

/** The hint for a typed address, or the result of its look-up. */
function addressHint({ isPending, error, data }: ReturnType<typeof useFindUsers>): string {
  if (isPending) return t`Searching...`;
  if (error !== null) return errorMessage(error);
  return data === undefined ? t`Press Enter to look up the whole address.` : t`No one has this address.`;
}

const suggestions = 8;
const typingPauseMs = 250;

interface UserPickerProps {
  label: string;
  /** Shows the suggestions over what follows; false in dialogs, which would cut them off. */
  isFloating?: boolean;
  onPick: (userId: string, user?: ListedUser) => void;
}

/**
 * A search for one user by name, which also accepts an id. A whole email address is looked up on Enter; it is counted, and
 * sent in the body, because requests' addresses end up in logs.
 */
export function UserPicker({ label, isFloating = true, onPick }: UserPickerProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const wanted = pastedId(typed) ?? typed.trim();
  const [search] = useDebouncedValue(wanted, typingPauseMs);
  const query = useEndpoint(
    listUsers,
    { query: { search, limit: suggestions } },
    { enabled: search !== '' && !hasAtSign(search) },
  );
  const find = useFindUsers();
  const users = search === '' ? [] : (query.data?.users ?? []);
  const isShown = isOpen && wanted !== '' && search === wanted && query.data !== undefined;
  const options = useOptions(users.length, isShown);

  function pick(userId: string, user?: ListedUser) {
    setTyped('');
    setOpen(false);
    onPick(userId, user);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') setOpen(false);
    if (event.key === 'Enter') {
      const user = users[options.active];
      const terms = hasAtSign(typed) ? termsToFind(typed) : null;
      if (isShown && user) pick(user._id, user);
      else if (terms !== null) find.mutate(terms, { onSuccess: ({ users: [one] }) => one && pick(one._id, one) });
      else if (isShown) pick(wanted);
    } else if (options.move(event.key)) setOpen(true);
    else return;
    event.preventDefault();
  }

  return (
    <Box pos="relative">
      <TextInput
        {...options.field}
        data-autofocus
        label={label}
        placeholder={t`Name, email or user id...`}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
        maxLength={searchMaxLength}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          find.reset();
          options.mark(0);
          setOpen(true);
        }}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      {isShown && users.length > 0 && (
        <Options
          of={options}
          label={label}
          isFloating={isFloating}
          options={users.map((user) => ({
            key: user._id,
            content: (
              <Stack component="span" gap={0} miw={0}>
                <Text span fw={600} truncate>
                  {personName(user) ?? t`Unknown`}
                </Text>
                <Hint span truncate>
                  {[user.age, user.location?.city, readableAddress(user.email), shortUserId(user._id)]
                    .filter((part) => part != null)
                    .join(' · ')}
                </Hint>
              </Stack>
            ),
          }))}
          onChoose={(index) => pick(users[index]?._id ?? '', users[index])}
        />
      )}
      <Hint role="status" pos={isFloating ? 'absolute' : 'static'} mt="0.25rem">
        {hasAtSign(typed)
          ? addressHint(find)
          : isShown && users.length === 0 && t`No users found. Press Enter to use this as a user ID.`}
      </Hint>
    </Box>
  );
}
