import { msg, t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import type { AnswerOf } from '#contract/endpoint.ts';
import { figuresIn, getFigures } from '#contract/service/figures.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { FigureList } from '../../features/service/FigureList.tsx';
import { kept } from '../../ui/text/format.ts';
import { language, locale } from '../../ui/text/text.ts';

const usualFigures = [
  { value: '50K+', label: msg`Active Users` },
  { value: '1K+', label: msg`Success Stories` },
  { value: '95%', label: msg`Satisfaction` },
  { value: '24/7', label: msg`Support` },
];

const liveLabels = {
  members: msg`Members`,
  joined: msg`Joined in the last 30 days`,
  matches: msg`Matches in the last 30 days`,
  conversations: msg`Conversations in the last 30 days`,
};

/** A large number in few characters, such as 12K. */
const roughly = (value: number) =>
  kept(`rough ${locale}`, () => new Intl.NumberFormat(locale, { notation: 'compact' })).format(value);

function figuresOf({ source, own, live }: AnswerOf<typeof getFigures>['data']) {
  if (source === 'own') return figuresIn(own, language);
  if (source === 'usual') return usualFigures.map(({ value, label }) => ({ value, label: t(label) }));
  return live.map(({ figure, atLeast }) => ({ value: `${roughly(atLeast)}+`, label: t(liveLabels[figure]) }));
}

/** The figures that the owner chose. Until they are known, invisible ones reserve their space. */
export function HomeFigures() {
  const { data, isError } = useEndpoint(getFigures);
  const figures = figuresOf(data ?? { source: 'usual', own: {}, live: [] });
  if (figures.length === 0 || (data === undefined && isError)) return null;
  return (
    <Box
      component="section"
      bg="var(--hw-surface)"
      style={{ borderBlock: '1px solid var(--hw-line)', ...(data === undefined && { visibility: 'hidden' }) }}
      aria-label={t`{brand} in figures`}
    >
      <FigureList figures={figures} />
    </Box>
  );
}
