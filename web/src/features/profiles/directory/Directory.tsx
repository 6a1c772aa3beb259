import { plural, t } from '@lingui/core/macro';
import { Box, Paper, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { QueryInput } from '#contract/endpoint.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import type { ListedUser, PublicUser } from '#contract/profiles/user.ts';
import { endpointPages } from '../../../api/endpoint-query.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { InfiniteList, type ListProps, ListStates } from '../../../ui/data/InfiniteList.tsx';
import { Picture } from '../../../ui/data/Picture.tsx';
import { EmptyPlace } from '../../../ui/feedback/EmptyPlace.tsx';
import { nameAndAge } from '../../../ui/text/person.ts';
import { cityIn } from '../../../ui/text/text.ts';

export type DirectoryFilters = Omit<QueryInput<typeof searchUsers>, 'page' | 'limit' | 'cursor'>;

const pageSize = 24;
const isMember = (user: PublicUser | ListedUser): user is PublicUser => !('email' in user);

function useDirectory(filters: DirectoryFilters) {
  return useInfiniteQuery({
    ...endpointPages(searchUsers, { query: { ...filters, limit: pageSize } }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    select: ({ pages }) => {
      const users = pages.flatMap((page) => page.users).filter(isMember);
      return [...new Map(users.map((user) => [user._id, user])).values()];
    },
  });
}

function PersonCard({ user }: { user: PublicUser }) {
  const [picture] = user.pictures;
  const initial = <Avatar id={user._id} name={user.firstName} picture={null} size={96} />;
  return (
    <Paper component="li" style={{ overflow: 'hidden' }} pos="relative">
      <Box bg="var(--hw-sunken)" style={{ display: 'grid', placeItems: 'center', aspectRatio: '4 / 5' }}>
        {picture ? <Picture picture={picture} alt="" fallback={initial} /> : initial}
      </Box>
      <Stack gap={0} py="0.7rem" px="0.9rem">
        <Text component="h2" fz="lead" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <Link to={`/app/members/${user._id}?from=people`} viewTransition>
            {nameAndAge(user)}
          </Link>
        </Text>
        {user.location?.city && (
          <Text c="dimmed" fz="note">
            <bdi>{cityIn(user.location)}</bdi>
          </Text>
        )}
        {user.isOnline === true && (
          <Text c="var(--hw-moss)" fz="small">
            {t`Online`}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The members that fit the filters and may be shown, as cards that lead to their profiles. */
export function Directory({ filters, notYet }: ListProps & { filters: DirectoryFilters }) {
  const query = useDirectory(filters);
  const count = query.isPlaceholderData ? undefined : query.data?.length;
  return (
    <>
      <div role="status" className="visually-hidden">
        {count !== undefined &&
          t`${plural(count, { 0: 'No one is shown.', one: 'One person is shown.', other: '# people are shown.' })}`}
      </div>
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t`Looking for people...`}
        skeleton="30rem"
        errorText={(error) => t`Couldn't load people: ${error}`}
      >
        {(users) =>
          users.length === 0 ? (
            <EmptyPlace text={t`No one fits these filters.`} hint={t`Try fewer filters or a larger distance.`} />
          ) : (
            <InfiniteList query={query}>
              <Box
                component="ul"
                aria-label={t`People`}
                aria-busy={query.isPlaceholderData}
                style={{
                  display: 'grid',
                  gap: '1rem',
                  gridTemplateColumns: 'repeat(auto-fill, minmax(min(10rem, 100%), 1fr))',
                }}
              >
                {users.map((user) => (
                  <PersonCard key={user._id} user={user} />
                ))}
              </Box>
            </InfiniteList>
          )
        }
      </ListStates>
    </>
  );
}
