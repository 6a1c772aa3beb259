import { fill } from '../../ui/text/i18n.ts';
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ShownPart } from '#contract/connections.ts';
import { Picture } from '../../ui/data/Picture.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Well } from '../../ui/layout/text-blocks.tsx';
import { memberName } from '../../ui/text/person.ts';
import { promptText } from '../../ui/text/interest-words.ts';
import classes from './likes.module.css';
import { NoteLine, type ReportsNotes } from './PersonList.tsx';
import { likesReceivedQuery } from './queries.ts';

const titles: Record<ShownPart['kind'], MessageDescriptor> = {
  picture: msg({ message: '{name} liked your picture' }),
  prompt: msg({ message: '{name} liked your answer' }),
};

/** Shows above a person's profile what they liked and wrote; nothing if their like is not among the loaded ones. */
export function LikedYou({ userId, reportOf }: ReportsNotes & { userId: string }) {
  const { data, isPending } = useInfiniteQuery(likesReceivedQuery);
  if (isPending) return <Skeleton height="10.5rem" />;
  const like = data?.pages.flatMap(({ likes }) => likes).find(({ user }) => user._id === userId);
  if (like === undefined) return null;
  const { user, part, note } = like;
  const name = memberName(user);
  const title = part === null ? t`${name} liked you` : fill(titles[part.kind], { name });
  return (
    <Well component="section" radius="lg" bg="var(--hw-accent-soft)" aria-label={title}>
      <Group gap="0.9rem" wrap="nowrap" align="flex-start">
        {part?.kind === 'picture' && (
          <div className={classes.likedPicture}>
            <Picture picture={part.picture} alt={t`Your picture`} />
          </div>
        )}
        <Box flex={1} miw={0}>
          <Text fw={600}>{title}</Text>
          {part?.kind === 'prompt' && (
            <Text mt="0.2rem" fz="note">
              {promptText(part.prompt)} <q dir="auto">{part.answer}</q>
            </Text>
          )}
          <NoteLine by={t`${name} wrote:`} note={note}>
            {note !== null && reportOf(user, note)}
          </NoteLine>
        </Box>
      </Group>
    </Well>
  );
}
