import { t } from '@lingui/core/macro';
import { Box, Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import type { BlockView } from '#contract/connections.ts';
import { errorMessage } from '../../api/api-error.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Rows } from '../../ui/layout/Rows.tsx';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useBlocks, useUnblock } from './queries.ts';

function Blocked({ block: { user, blockedAt }, onUnblock }: { block: BlockView; onUnblock: () => void }) {
  const name = user.name ?? t`A member`;
  return (
    <Group component="li" gap="0.85rem">
      <Avatar id={user._id} name={user.name} picture={user.profilePicture} />
      <Box flex="1 1 8rem" miw={0}>
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Hint>
          <time dateTime={blockedAt} title={formatExactTime(blockedAt)}>
            {t`Blocked on ${{ date: formatDate(blockedAt) }}`}
          </time>
        </Hint>
      </Box>
      <Button variant="default" size="xs" aria-label={t`Unblock ${name}`} onClick={onUnblock}>
        {t`Unblock`}
      </Button>
    </Group>
  );
}

/** The people that the member has blocked, each with a button to unblock them. */
export function BlockList() {
  const query = useBlocks();
  const unblock = useUnblock();
  const place = useRef<HTMLDivElement>(null);
  const unblocked = unblock.variables;

  function release({ user }: BlockView) {
    if (unblock.isPending) return;
    place.current?.focus();
    unblock.mutate(user);
  }

  return (
    <div ref={place} tabIndex={-1}>
      {unblock.error !== null && (
        <Notice mb="1rem" kind="error">
          {t`This person is still blocked: ${{ error: errorMessage(unblock.error) }}`}
        </Notice>
      )}
      {unblock.isSuccess && (
        <Notice mb="1rem" kind="success">
          {t`${{ name: unblocked?.name ?? t`A member` }} is no longer blocked.`}
        </Notice>
      )}
      <QueryStates
        query={query}
        loadingText={t`Loading the people you blocked...`}
        skeleton="4rem"
        errorText={(error) => t`Couldn't load the people you blocked: ${error}`}
      >
        {(blocks) => {
          const shown = blocks.filter(({ user }) => unblock.isError || user._id !== unblocked?._id);
          if (shown.length === 0)
            return (
              <Text c="dimmed">
                {t`You haven't blocked anyone. You can block people on their profile; they aren't notified.`}
              </Text>
            );
          return (
            <InfiniteList query={query} size="xs" margin="0.9rem 0 0">
              <Rows>
                {shown.map((block) => (
                  <Blocked key={block.user._id} block={block} onUnblock={() => release(block)} />
                ))}
              </Rows>
            </InfiniteList>
          );
        }}
      </QueryStates>
    </div>
  );
}
