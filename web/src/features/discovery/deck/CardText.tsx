import { msg, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { CompatibilityBand } from '#contract/compatibility.ts';
import { type CardView, type MatchReason, reasonWords } from '#contract/discovery.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { languageName } from '../../../ui/text/detail-words.ts';
import { distanceText } from '../../../ui/text/distance.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { interestName } from '../../../ui/text/interest-words.ts';
import { nameAndAge } from '../../../ui/text/person.ts';
import { cityIn, isolated, listed } from '../../../ui/text/text.ts';
import classes from './cards.module.css';

/** Name and age, if they are known. */
export const cardTitle = ({ user }: CardView) => nameAndAge(user);

/** City and distance, if they are known, and whether the person is photo verified; '' without any of them. */
export function cardPlace({ user, distanceFormatted }: CardView): string {
  const city = cityIn(user.location);
  const verified = user.isPhotoVerified && t`Photo verified`;
  return [city && isolated(city), distanceFormatted && distanceText(distanceFormatted), verified]
    .filter(Boolean)
    .join(' · ');
}

const bandWords = { good: msg`Good match`, high: msg`Great match` };

/** How well the answers of two people match; nothing if they match badly or share too few questions. */
export function Compatibility({ band }: { band: CompatibilityBand | null }) {
  if (band === null || band === 'low') return null;
  return (
    <Stack gap="0.35rem">
      <Text c={band === 'high' ? 'var(--hw-moss)' : 'var(--hw-ink)'} ff="heading" fz="title" fw={600} data-band={band}>
        {t(bandWords[band])}
      </Text>
      <Hint>{t`Based on what you both told us.`}</Hint>
    </Stack>
  );
}

/**
 * A reason as a sentence, with languages, interests and numbers formatted for the reader; `name` is the other person.
 */
export function reasonText(reason: MatchReason, name: string): string {
  const values: Record<string, string> = { name };
  if (reason.kind === 'ages') values['viewerAge'] = formatNumber(reason.viewerAge);
  if (reason.kind === 'near') values['distance'] = distanceText(reason.distance);
  if (reason.kind === 'languages') values['languages'] = listed(reason.languages.map(languageName));
  if (reason.kind === 'interests') values['interests'] = listed(reason.interests.map(interestName));
  return fill(reasonWords(reason), values);
}

/** The reasons apart from a rank raised by premium, which is disclosed but never a reason. */
export const ownReasons = ({ reasons }: Pick<CardView, 'reasons'>) => reasons.filter(({ kind }) => kind !== 'premium');

/** Why a person is shown, in sentences, and whether premium raised them; nothing if there are no reasons. */
export function Reasons({ card, name }: { card: Pick<CardView, 'reasons'>; name: string }) {
  const own = ownReasons(card);
  const disclosure = card.reasons.find(({ kind }) => kind === 'premium');
  return (
    <>
      {own.length > 0 && (
        <ul className={classes.reasons} aria-label={t`Why you see ${name}`}>
          {own.map((reason) => (
            <li key={reason.kind}>
              <IconSparkles size={16} stroke={1.75} aria-hidden="true" />
              <span>{reasonText(reason, name)}</span>
            </li>
          ))}
        </ul>
      )}
      {disclosure && <Hint>{reasonText(disclosure, name)}</Hint>}
    </>
  );
}
