import { IconClock, IconMapPin, IconRuler2, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type ProfileDetails, prompts as promptTexts } from '#contract/profiles/profile-details.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import classes from './member.module.css';
import { locale, t } from '../../../ui/text/text.ts';
import { habitFacts, languageName } from '../../../ui/text/detail-words.ts';
import { formatExactTime, lastActiveText } from '../../../ui/text/format.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { genderWord, placeText } from '../../../ui/text/person.ts';

/** Short words as chips; null without any. */
export function ChipList({ label, words }: { label: string; words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={label}>
      {words.map((word) => (
        <li key={word} className={classes.chip}>
          {word}
        </li>
      ))}
    </ul>
  );
}

/** Names with their values; null values are left out. Null when nothing is left. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, words: string | null])[] }) {
  const said = facts.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {said.map(([name, words]) => (
        <div key={name} className={classes.fact}>
          <dt className={classes.factName}>{name}</dt>
          <dd className={classes.factWords}>
            <bdi>{words}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Prompts with the member's answers; null without any. */
export function PromptList({ prompts }: Pick<ProfileDetails, 'prompts'>) {
  if (prompts.length === 0) return null;
  return (
    <dl className={classes.prompts}>
      {prompts.map(({ prompt, answer }) => (
        <div key={prompt} className={classes.prompt}>
          <dt>{t(promptTexts[prompt])}</dt>
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the member is looking for, likes, speaks and answers; nothing for what was left empty. */
export function MemberDetails({ details }: { details: ProfileDetails }) {
  const languages = details.languages.map((code) => languageName(code));
  const speaks = languages.length === 0 ? null : new Intl.ListFormat(locale, { type: 'unit' }).format(languages);
  return (
    <div className={classes.details}>
      <PromptList prompts={details.prompts} />
      <ChipList label={t('Interests')} words={details.interests.map((interest) => t(interest))} />
      <FactList facts={[...habitFacts(details), [t('Speaks'), speaks]]} />
    </div>
  );
}

/** What may be shown of a member. */
interface Shown {
  user: PublicUser;
  distanceFormatted: string | null;
}

function Fact({ Icon, children }: { Icon: typeof IconUser; children: ReactNode }) {
  return (
    <li className={classes.aboutFact}>
      <Icon className={classes.aboutIcon} size={18} stroke={1.6} aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

function MemberFacts({ user, distanceFormatted }: Shown) {
  const now = useNow(60_000);
  const gender = genderWord(user);
  const place = placeText(user.location);
  const lastActive = user.isOnline === true ? null : user.lastActive;
  const { text, values } = lastActiveText(lastActive, now);
  return (
    <ul className={classes.aboutFacts}>
      {gender !== null && <Fact Icon={IconUser}>{t(gender)}</Fact>}
      {place !== null && <Fact Icon={IconMapPin}>{place}</Fact>}
      {distanceFormatted !== null && <Fact Icon={IconRuler2}>{t(distanceFormatted)}</Fact>}
      {lastActive !== null && (
        <Fact Icon={IconClock}>
          <time dateTime={lastActive} title={formatExactTime(lastActive)}>
            {t('Last active: {time}', { time: t(text, values) })}
          </time>
        </Fact>
      )}
    </ul>
  );
}

/** What a member shares about themselves, as far as it may be shown. */
export function MemberAbout({ user, distanceFormatted }: Shown) {
  return (
    <>
      <MemberFacts user={user} distanceFormatted={distanceFormatted} />
      {user.bio && (
        <p className={classes.aboutBio} dir="auto">
          {user.bio}
        </p>
      )}
      <MemberDetails details={user} />
    </>
  );
}
