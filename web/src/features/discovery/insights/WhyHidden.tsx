import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import type { profileCompletionFields } from '#contract/profiles/profiles.ts';
import { getVisibility, type HidingReason, type Visibility } from '#contract/visibility.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { StateList } from '../../../ui/data/Facts.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { filterWords } from './filter-words.ts';

const reasonWords: Record<HidingReason, MessageDescriptor> = {
  staff: msg`They are staff, who take no part in matching.`,
  leaving: msg`They deleted their account and can still return.`,
  deactivated: msg`Their account is deactivated.`,
  hidden: msg`A decision hides their profile.`,
  unverified: msg`They have not confirmed their email address.`,
  incomplete: msg({ message: 'Their profile is incomplete. Missing: {missing}.' }),
  paused: msg`They paused their profile.`,
  incognito: msg`They are incognito: only people they liked see them.`,
  unopened: msg`They have not opened the app since they joined, so they are left out until they do.`,
  inactive: msg`They were not active for 30 days, so they are left out until they return.`,
};

const partWords: Record<(typeof profileCompletionFields)[number], MessageDescriptor> = {
  firstName: msg`first name`,
  birthDate: msg`birth date`,
  gender: msg`gender`,
  seeking: msg`who they want to meet`,
  location: msg`place`,
  pictures: msg`a picture`,
};

/** Where the server stops counting. */
const countedMost = 500;

const countOf = (count: number | null) =>
  count === null
    ? t`fewer than 10`
    : count >= countedMost
      ? t`${{ count: formatNumber(countedMost) }} or more`
      : formatNumber(count);

function Audience({ audience, name: person }: { audience: NonNullable<Visibility['audience']>; name: string }) {
  const rows = [
    { id: 'nearby', name: t`Active members nearby`, count: audience.nearby },
    { id: 'canSee', name: t`Can get them as a card`, count: audience.canSee },
    ...audience.ownFilters.map(({ filter, excluded }) => ({
      id: filter,
      name: t`Excluded only by ${person}’s own filter for ${{ filter: t(filterWords[filter]) }}`,
      count: excluded,
    })),
    { id: 'theirDistance', name: t`Want someone closer by than ${person}`, count: audience.theirDistance },
    {
      id: 'theirFilters',
      name: t`Have other filters that ${person} does not meet`,
      count: audience.theirFilters,
    },
    { id: 'decided', name: t`Fit both ways, but one of the two has decided`, count: audience.decided },
  ];
  return (
    <StateList
      label={t`Who can see ${person}`}
      rows={rows.map(({ id, name, count }) => ({ id, name, end: <strong>{countOf(count)}</strong> }))}
    />
  );
}

interface WhyHiddenProps {
  userId: string;
  name: string;
  onClose: () => void;
}

/** Why other members can or cannot see a user. Each opening is in the audit trail, so nothing is kept. */
export function WhyHidden({ userId, name, onClose }: WhyHiddenProps) {
  const query = useEndpoint(
    getVisibility,
    { params: { id: userId } },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  );
  const isHidden = (query.data?.reasons ?? []).length > 0;
  return (
    <Dialog title={isHidden ? t`Why can’t ${name} be seen?` : t`Who can see ${name}?`} onClose={onClose}>
      <QueryStates
        query={query}
        loadingText={t`Looking at the profile...`}
        skeleton="14rem"
        errorText={(error) => t`Couldn't look at the profile: ${error}`}
      >
        {({ reasons, missing, audience }) => {
          const parts = missing.map((part) => t(partWords[part])).join(', ');
          return (
            <Stack>
              {reasons.length === 0 ? (
                <Notice kind="success">{t`Nothing about the profile hides it.`}</Notice>
              ) : (
                reasons.map((reason) => (
                  <Notice key={reason} kind="info">
                    {fill(reasonWords[reason], { missing: parts })}
                  </Notice>
                ))
              )}
              {audience !== null && <Audience audience={audience} name={name} />}
              <Hint>
                {audience === null
                  ? t`Without a gender, a birth date and who they want to meet, they take no part in matching.`
                  : t`Counted among the nearest 10,000 members, as if nothing above applied. Groups under ten are not shown.`}
              </Hint>
            </Stack>
          );
        }}
      </QueryStates>
    </Dialog>
  );
}
