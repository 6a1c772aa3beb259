import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EmptyDeck as Emptiness, PreferenceKey } from '#contract/discovery.ts';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';
import { RingsArt } from '../../../ui/layout/RingsArt.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { clockTime, formatNumber } from '../../../ui/text/format.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { AlertOffer } from './AlertOffer.tsx';
import { readPreferences, usePause, useSavePreferences } from '../queries.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';

interface DeckNoticeProps {
  ref?: Ref<HTMLDivElement>;
  title: string;
  children: ReactNode;
}

/** Shown in place of the deck while there is no card to show. */
function DeckNotice({ title, children, ...box }: DeckNoticeProps) {
  return (
    <Stack
      tabIndex={-1}
      w="calc(100% - 2 * var(--hw-gutter))"
      maw="36rem"
      my="clamp(1.5rem, 0.8rem + 4vw, 4rem)"
      mx="auto"
      {...box}
    >
      <Box w="min(9rem, 40%)" c="var(--hw-accent)" opacity={0.5}>
        <RingsArt />
      </Box>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

type Filter = Emptiness['perFilter'][number];

const preferenceWords: Record<Filter['filter'], MessageDescriptor> = {
  gender: msg`Who you would like to meet`,
  age: msg`Age`,
  distance: msg`Distance`,
  interests: msg`Interests`,
  photoVerified: msg`Photo verified only`,
  goal: msg`What they are here for`,
  languages: msg`Languages`,
  children: msg`Children`,
  smoking: msg`Smoking`,
  drinking: msg`Drinking`,
  exercise: msg`Exercise`,
  heightCm: msg`Height`,
};

/** The way to relax a preference that can't be only nice to have. */
const widenWords: Partial<Record<Filter['filter'], MessageDescriptor>> = {
  gender: msg`Change who you would like to meet`,
  photoVerified: msg`Show everyone again`,
};

/** The server stops counting at this number. */
const countedMost = 500;

interface EmptyDeckProps {
  empty: Emptiness;
  /** Called when a requirement was made optional. */
  onWidened: () => void;
  onPreferences: () => void;
  onAgain: () => void;
}

/** When the daily quotas start again, at the same time for everyone. */
function nextDay(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}

function FilterRow({ filter: { filter, removed }, onWiden }: { filter: Filter; onWiden: () => void }) {
  const preference = t(preferenceWords[filter]);
  const isMost = removed >= countedMost;
  return (
    <Well component="li">
      <Group gap="0.5rem 1rem" justify="space-between">
        <div>
          <Text fw={600}>{preference}</Text>
          <Hint>
            {isMost
              ? t`${{ count: formatNumber(countedMost) }} people or more would be here without it.`
              : t`${plural({ count: removed }, { one: 'One person', other: '# people' })} would be here without it.`}
          </Hint>
        </div>
        <Button variant="default" onClick={onWiden}>
          {widenWords[filter] ? t(widenWords[filter]) : t`Make ${preference} nice to have`}
        </Button>
      </Group>
    </Well>
  );
}

/**
 * Shown when there are no people left: the preferences that hide people, each of which can be relaxed with one press,
 * or other next steps.
 */
function EmptyDeck({ empty: { perFilter, decided, isUsedUp }, onWidened, onPreferences, onAgain }: EmptyDeckProps) {
  const place = useRef<HTMLDivElement>(null);
  const { mutateAsync: save } = useSavePreferences();
  const widen = useMutation({
    mutationFn: async (key: PreferenceKey | 'photoVerified') => {
      if (key === 'photoVerified') {
        await save({ photoVerifiedOnly: false });
        return onWidened();
      }
      const preference = (await readPreferences())[key];
      if (preference === null) return onPreferences();
      await save({ [key]: { ...preference, required: false } });
      onWidened();
    },
    onError: () => place.current?.focus(),
  });

  /** Makes a requirement optional. The preferred genders can only be changed in the form. */
  function press(filter: Filter['filter']) {
    if (filter === 'gender') return onPreferences();
    place.current?.focus();
    if (!widen.isPending) widen.mutate(filter);
  }

  return (
    <DeckNotice ref={place} title={t`No one is left for now`}>
      <ErrorNotice error={widen.error} text={(error) => t`Couldn't change your preference: ${error}`} />
      {perFilter.length > 0 && (
        <>
          <p>{t`These preferences hide people:`}</p>
          <Stack component="ul" gap="0.6rem">
            {perFilter.map((filter) => (
              <FilterRow key={filter.filter} filter={filter} onWiden={() => press(filter.filter)} />
            ))}
          </Stack>
        </>
      )}
      {perFilter.length === 0 && (
        <p>
          {isUsedUp
            ? t`That's everyone for today. There will be more people from ${{ time: clockTime(nextDay()) }} on.`
            : decided > 0
              ? t`You've seen everyone who matches your preferences. New people join every day, so come back tomorrow.`
              : t`There's no one yet who matches your preferences and is looking for someone like you. New people join every day, so come back tomorrow.`}
        </p>
      )}
      {!isUsedUp && <AlertOffer onDone={() => place.current?.focus()} />}
      <p>
        <Link to="/app/profile">{t`Meanwhile you can answer a few questions, or add a picture.`}</Link>
      </p>
      <Buttons>
        <Button variant="default" onClick={onAgain}>
          {t`Look again`}
        </Button>
        <Button variant="default" onClick={onPreferences}>
          {t`Change preferences`}
        </Button>
      </Buttons>
    </DeckNotice>
  );
}

/** Shown in place of the deck while the member's profile is paused. */
function PausedDeck({ onResumed }: { onResumed: () => void }) {
  const pause = usePause();
  return (
    <DeckNotice title={t`Your profile is paused`}>
      <p>{t`New people can't find you, and you don't see new people here. Your matches and conversations continue.`}</p>
      <ErrorNotice error={pause.error} text={(error) => t`Couldn't resume your profile: ${error}`} />
      <Buttons>
        <BusyButton
          isBusy={pause.isPending}
          busyText={t`Resuming...`}
          onClick={() => pause.mutate(false, { onSuccess: onResumed })}
        >
          {t`Resume`}
        </BusyButton>
        <Button component={Link} to="/app/likes" variant="default">
          {t`See who likes you`}
        </Button>
      </Buttons>
    </DeckNotice>
  );
}

/** Why there is no deck: no one is left, or, if `empty` is null, the member's profile is paused. */
export function NoDeck({ empty, ...acts }: Omit<EmptyDeckProps, 'empty'> & { empty: Emptiness | null }) {
  return empty === null ? <PausedDeck onResumed={acts.onAgain} /> : <EmptyDeck {...acts} empty={empty} />;
}
