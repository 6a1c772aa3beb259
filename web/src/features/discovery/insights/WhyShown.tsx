import { msg, plural, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { type FilterName, type CardExplanation, explainCard } from '#contract/discovery.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { Facts, StateList } from '../../../ui/data/Facts.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Columns, Panel } from '../../../ui/layout/Page.tsx';
import { formatDate, formatNumber } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { filterWords } from './filter-words.ts';

interface Step {
  text: string;
  /** Whether this check allows the card to be shown; null if it is only information. */
  isPassed: boolean | null;
}

/** The checks that decide whether a card is shown, in the order in which the server makes them. */
function stepsOf(found: CardExplanation): Step[] {
  const [viewer, person] = [nameOf(found.viewer), nameOf(found.person)];
  const step = (isPassed: boolean, yes: string, no: string): Step => ({ isPassed, text: isPassed ? yes : no });
  const filters = (refuses: readonly FilterName[], who: string, other: string): Step => ({
    isPassed: refuses.length === 0,
    text:
      refuses.length === 0
        ? t`${other} meets all required filters of ${who}.`
        : t`${other} doesn’t meet required filters of ${who}: ${{ filters: refuses.map((name) => t(filterWords[name])).join(', ') }}.`,
  });
  const day = formatDate(found.decided?.at);
  const decided = {
    like: t`${viewer} liked ${person} on ${day}.`,
    pass: t`${viewer} passed on ${person} on ${day}.`,
    unmatch: t`They were a match until ${day}.`,
  };
  return [
    step(
      found.takesPart,
      t`${viewer} takes part in discovery.`,
      t`${viewer} can't use discovery: a staff account, or one without gender, birth date or preferred genders.`,
    ),
    step(
      !found.isViewerPaused,
      t`${viewer} has not paused their profile.`,
      t`${viewer} paused their profile and gets no cards until they resume it.`,
    ),
    step(
      !found.isPersonPaused,
      t`${person} has not paused their profile.`,
      t`${person} paused their profile, so no one new sees it.`,
    ),
    step(
      found.isVisible,
      t`${person} is visible to others.`,
      t`${person} is not visible: incomplete, unverified, hidden, suspended, leaving or staff.`,
    ),
    step(
      found.isActive,
      t`${person} was active within 30 days.`,
      t`${person} was not active for 30 days and is left out until they return.`,
    ),
    step(
      !found.isIncognito,
      t`${person} is not hidden from ${viewer} by incognito mode.`,
      t`${person} is incognito and has not liked ${viewer}.`,
    ),
    step(!found.isBlocked, t`Neither blocked the other.`, t`One of them blocked the other.`),
    filters(found.viewerRefuses, viewer, person),
    filters(found.personRefuses, person, viewer),
    found.decided === null
      ? { isPassed: true, text: t`${viewer} has not decided about ${person}.` }
      : {
          isPassed: false,
          text: decided[found.decided.kind],
        },
    step(!found.hasPassed, t`${person} has not passed on ${viewer}.`, t`${person} passed on ${viewer} before today.`),
    deckStep(found),
  ];
}

function deckStep({ deck, terms, ...found }: CardExplanation): Step {
  const [viewer, person] = [nameOf(found.viewer), nameOf(found.person)];
  if (deck === null)
    return {
      isPassed: null,
      text: t`${viewer} has no cards waiting; new ones are selected at the next visit.`,
    };
  const age = deck.isOutdated
    ? ` ${t`Their preferences have changed since then, so new cards are selected at the next visit.`}`
    : '';
  if (deck.place !== null) {
    const [place, cards] = [formatNumber(deck.place), formatNumber(deck.cards)];
    const text = deck.isExploration
      ? t`${person} is at position ${place} of ${cards}, which is reserved for people with few decisions about them.`
      : t`${person} is at position ${place} of ${cards}.`;
    return { isPassed: true, text: text + age };
  }
  const isBelow = deck.cut !== null && terms !== null && terms.rank < deck.cut;
  const [rank, cut] = [String(terms?.rank ?? ''), String(deck.cut ?? '')];
  const text = isBelow
    ? t`${person} ranks below the selected cards: ${rank}, while the lowest card has ${cut}.`
    : t`${person} is not among the selected cards: already decided on, not among the candidates, or changed since then.`;
  return { isPassed: false, text: text + age };
}

const nameOf = ({ _id, name }: CardExplanation['viewer']) => name ?? _id.slice(0, 8);
const signed = (value: number) => (value > 0 ? `+${value.toFixed(2)}` : value.toFixed(2).replace('-', '−'));

/** The terms that make up the rank, except for fixed bonuses such as the one for a place. */
function Terms({ found: { terms, viewer, person } }: { found: CardExplanation }) {
  if (terms === null) return null;
  const [one, other] = [nameOf(viewer), nameOf(person)];
  return (
    <Facts
      columns={3}
      leastRem={11}
      facts={[
        [t`Rank now`, terms.rank.toFixed(2).replace('-', '−')],
        [t`${one} likes ${other}`, t`${{ count: terms.viewerLikes }} % likely`],
        [
          t`${{ one: other }} likes ${{ other: one }}`,
          terms.likesViewer ? t`Does already` : t`${{ count: terms.personLikes }} % likely`,
        ],
        [t`Unread likes`, signed(-terms.inbox)],
        [t`Days away`, signed(-terms.absence)],
        [t`Premium`, signed(terms.premium)],
        [t`Preferences`, signed(terms.preferences)],
        [t`Daily randomness`, signed(terms.daily)],
      ]}
    />
  );
}

function Result({ found }: { found: CardExplanation }) {
  const steps = stepsOf(found);
  const stop = steps.find(({ isPassed }) => isPassed === false);
  return (
    <Stack mt="1rem">
      <Notice kind={stop === undefined ? 'success' : 'info'}>
        {stop?.text ??
          t`Nothing prevents ${{ person: nameOf(found.person) }} from being shown to ${{ viewer: nameOf(found.viewer) }}.`}
      </Notice>
      <StateList
        label={t`Steps`}
        isOrdered
        rows={steps.map(({ text, isPassed }) => ({
          id: text,
          name: text,
          end: (
            <Tag tone={isPassed === false ? 'attention' : isPassed === null ? 'quiet' : 'positive'} hasDot>
              {isPassed === false ? t`Prevents it` : isPassed === null ? t`Later` : t`Passed`}
            </Tag>
          ),
        }))}
      />
      <Terms found={found} />
      <Hint mt="0.25rem">
        {t`Asked`} <Time at={new Date().toISOString()} /> ·{' '}
        {t`${plural({ count: found.remaining }, { one: '# more this hour', other: '# more this hour' })}`}
      </Hint>
    </Stack>
  );
}

type Picked = { id: string; name: string };
type UserPicker = (label: string, onPick: (id: string, user?: ListedUser) => void) => ReactNode;

/** Explains why one member was or was not shown another. Staff have to give a reason, which is stored. */
export function WhyShown({ userPicker }: { userPicker: UserPicker }) {
  const [viewer, setViewer] = useState<Picked | null>(null);
  const [person, setPerson] = useState<Picked | null>(null);
  const ask = useMutation({
    mutationFn: (reason: string) =>
      call(explainCard, { body: { viewerId: viewer?.id ?? '', personId: person?.id ?? '', reason } }),
    gcTime: 0,
  });
  const choose = (set: (picked: Picked) => void) => (id: string, user?: ListedUser) => {
    ask.reset();
    set({ id, name: (user && personName(user)) ?? id });
  };
  return (
    <Panel
      title={t`Why were they shown, or not?`}
      lead={t`All conditions for showing a card, in order. Places and answers are never revealed.`}
    >
      <Columns isEven>
        {(
          [
            [t`Who sees the card`, viewer, setViewer],
            [t`Who is on the card`, person, setPerson],
          ] as const
        ).map(([label, picked, set]) => (
          <div key={label}>
            {userPicker(label, choose(set))}
            {picked !== null && (
              <Text mt="0.35rem">
                <Link to={`/users/${picked.id}`}>{picked.name}</Link>
              </Text>
            )}
          </div>
        ))}
      </Columns>
      <ReasonButton
        text={t`Explain...`}
        button={{ variant: 'filled', disabled: viewer === null || person === null }}
        title={t`Look at both members’ data?`}
        description={t`Saved in the audit trail of both with your name.`}
        confirm={t`Explain`}
        color="heartwood"
        busyText={t`Explaining...`}
        command={ask}
        suggestions={[msg`Answering their request`, msg`Investigating a problem with matching`]}
      >
        {t`You will see decisions, blocks and required filters of both. This counts as revealing the data of two people.`}
      </ReasonButton>
      {ask.data !== undefined && <Result found={ask.data.data} />}
    </Panel>
  );
}
