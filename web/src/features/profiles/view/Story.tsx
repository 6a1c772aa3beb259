import { t } from '@lingui/core/macro';
import { Box, Stack, Text } from '@mantine/core';
import {
  IconBarbell,
  IconBottle,
  IconCheck,
  IconClock,
  IconLanguage,
  IconMapPin,
  IconMoodKid,
  IconRuler2,
  IconRulerMeasure,
  IconSmoking,
  IconTarget,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LikedPart } from '#contract/connections.ts';
import type { Picture as PictureData } from '#contract/media.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { heroWidth, PartLikeButton, Picture, pictureName } from '../../../ui/data/Picture.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { goalWords, habitPhrases, languageName } from '../../../ui/text/detail-words.ts';
import { distanceText } from '../../../ui/text/distance.ts';
import { formatExactTime, formatNumber, lastActiveText } from '../../../ui/text/format.ts';
import { interestName, promptText } from '../../../ui/text/interest-words.ts';
import { genderWord, memberName, placeText } from '../../../ui/text/person.ts';
import { listed } from '../../../ui/text/text.ts';
import { completeOwn, ownProfileQuery } from '../own/queries.ts';
import classes from './profile-view.module.css';

type EditedPart = 'about' | 'place' | 'habits' | 'languages' | 'interests' | 'prompts' | 'pictures';

interface StoryProps {
  user: PublicUser;
  distanceFormatted: string | null;
  /** City and distance are already shown over the picture. */
  hasPlaceAbove?: boolean;
  /** Called with the part of the profile that is liked; absent if likes are not possible. */
  onLike?: ((part: LikedPart) => void) | undefined;
  /**
   * On the viewer's own profile: renders a button over a part that edits it; `isRepeated` if the form has another button
   * before.
   */
  editOf?: ((part: EditedPart, isRepeated: boolean) => ReactNode) | undefined;
  /** Renders further actions below a picture. */
  actionOf?: ((picture: PictureData) => ReactNode) | undefined;
}

/** The viewer's profile is fetched again after this time. */
const knownForMs = 300_000;

type Shared = Pick<ProfileDetails, 'interests' | 'languages' | 'goal'>;

/**
 * The viewer's details, with which the profile is compared; empty until they are loaded, and on the viewer's own
 * profile.
 */
function useViewer(userId: string): Shared {
  const { data: viewer } = useQuery({
    ...ownProfileQuery,
    staleTime: knownForMs,
    select: ({ user }) => completeOwn(user),
  });
  return viewer === undefined || viewer._id === userId ? { interests: [], languages: [], goal: null } : viewer;
}

function Chip({
  Icon,
  isShared = false,
  edit,
  children,
}: {
  Icon?: typeof IconUser;
  isShared?: boolean;
  /** A button over the chip. */
  edit?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={classes.chip} data-shared={isShared || undefined}>
      {Icon && <Icon size={17} stroke={1.6} aria-hidden="true" />}
      <span>{children}</span>
      {isShared && <span className="visually-hidden">{t`(you too)`}</span>}
      {edit}
    </li>
  );
}

/**
 * Adds the tooltip only when the pointer arrives, because loading the browser's date formats takes longer on a phone
 * than anything else on the first card.
 */
function addExactTime(time: HTMLTimeElement) {
  time.title ||= formatExactTime(time.dateTime);
}

/** Gender, place, goal and habits as chips; those that the viewer shares are highlighted. */
function Facts({ user, distanceFormatted, hasPlaceAbove = false, editOf, viewer }: StoryProps & { viewer: Shared }) {
  const now = useNow(60_000);
  const place = hasPlaceAbove && user.location?.city ? null : placeText(user.location);
  const lastActive = user.isOnline === true ? null : user.lastActive;
  const { children, smoking, drinking, exercise } = habitPhrases(user);
  const speaks = user.languages.map((code) => languageName(code));
  const facts: [icon: typeof IconUser, words: string | null, part: EditedPart][] = [
    [IconTarget, user.goal && t(goalWords[user.goal]), 'habits'],
    [IconUser, genderWord(user), 'about'],
    [IconMapPin, place, 'place'],
    [IconRuler2, hasPlaceAbove ? null : distanceFormatted && distanceText(distanceFormatted), 'place'],
    [IconRulerMeasure, user.heightCm === null ? null : t`${{ height: formatNumber(user.heightCm) }} cm`, 'habits'],
    [IconMoodKid, children, 'habits'],
    [IconSmoking, smoking, 'habits'],
    [IconBottle, drinking, 'habits'],
    [IconBarbell, exercise, 'habits'],
  ];
  const shown = facts.filter(([, words]) => words);
  const firstOf = (part: EditedPart) => shown.findIndex((fact) => fact[2] === part);
  return (
    <ul className={classes.facts} aria-label={t`About ${{ name: memberName(user) }}`}>
      {shown.map(([Icon, words, part], index) => (
        <Chip
          key={words}
          Icon={Icon}
          isShared={Icon === IconTarget && user.goal === viewer.goal}
          edit={editOf?.(part, part === 'about' || index > firstOf(part))}
        >
          <bdi>{words}</bdi>
        </Chip>
      ))}
      {speaks.length > 0 && (
        <Chip
          Icon={IconLanguage}
          isShared={user.languages.some((code) => viewer.languages.includes(code))}
          edit={editOf?.('languages', false)}
        >
          {listed(speaks, 'commas')}
        </Chip>
      )}
      {lastActive !== null && (
        <Chip Icon={IconClock}>
          <time dateTime={lastActive} onPointerEnter={({ currentTarget }) => addExactTime(currentTarget)}>
            {t`Last active: ${{ time: lastActiveText(lastActive, now) }}`}
          </time>
        </Chip>
      )}
    </ul>
  );
}

/** The interests, shared ones first. */
function Interests({ user: { interests }, editOf, viewer }: StoryProps & { viewer: Shared }) {
  if (interests.length === 0) return null;
  const isShared = (interest: (typeof interests)[number]) => viewer.interests.includes(interest);
  const sorted = [...interests].sort((one, other) => Number(isShared(other)) - Number(isShared(one)));
  return (
    <ul className={classes.facts} aria-label={t`Interests`}>
      {sorted.map((interest, index) => (
        <Chip
          key={interest}
          isShared={isShared(interest)}
          edit={editOf?.('interests', index > 0)}
          {...(isShared(interest) && { Icon: IconCheck })}
        >
          {interestName(interest)}
        </Chip>
      ))}
    </ul>
  );
}

type Part =
  { kind: 'picture'; picture: PictureData; number: number } | { kind: 'prompt'; prompt: string; answer: string };

/** Prompts and pictures (except the first) in alternating order. */
function partsOf({ prompts, pictures }: PublicUser): Part[] {
  const rest = pictures.slice(1);
  const length = Math.max(prompts.length, rest.length);
  return Array.from({ length }, (_, at): Part[] => {
    const said = prompts[at];
    const picture = rest[at];
    return [
      ...(said === undefined ? [] : [{ kind: 'prompt' as const, prompt: said.prompt, answer: said.answer }]),
      ...(picture === undefined ? [] : [{ kind: 'picture' as const, picture, number: at + 2 }]),
    ];
  }).flat();
}

/**
 * The profile below its first picture: facts, texts and pictures in one column, each of which can be liked separately.
 */
export function Story(props: StoryProps) {
  const { user, onLike, editOf, actionOf } = props;
  const viewer = useViewer(user._id);
  const name = memberName(user);
  const total = user.pictures.length;
  return (
    <Stack gap="1.25rem">
      <Facts {...props} viewer={viewer} />
      {user.bio && (
        <Text pos="relative" fz="lead" style={{ whiteSpace: 'pre-line' }} dir="auto" data-bio>
          {user.bio}
          {editOf?.('about', true)}
        </Text>
      )}
      <Interests {...props} viewer={viewer} />
      {partsOf(user).map((part) =>
        part.kind === 'prompt' ? (
          <figure key={part.prompt} className={classes.prompt} data-part="prompt">
            <figcaption>{promptText(part.prompt)}</figcaption>
            <blockquote dir="auto">{part.answer}</blockquote>
            {editOf?.('prompts', part.prompt !== user.prompts[0]?.prompt)}
            {onLike && (
              <PartLikeButton
                text={t`Like the answer to “${{ prompt: promptText(part.prompt) }}”`}
                onPress={() => onLike({ kind: 'prompt', prompt: part.prompt })}
              />
            )}
          </figure>
        ) : (
          <div key={part.picture.publicId} data-part="picture">
            <Box pos="relative" bdrs="var(--hw-radius-photo)" style={{ overflow: 'hidden' }}>
              <Picture picture={part.picture} alt={pictureName(name, part.number, total)} sizes={heroWidth} />
              {editOf?.('pictures', true)}
              {onLike && (
                <PartLikeButton
                  text={t`Like picture ${{ number: part.number }} of ${name}`}
                  onPress={() => onLike({ kind: 'picture', publicId: part.picture.publicId })}
                />
              )}
            </Box>
            {actionOf?.(part.picture)}
          </div>
        ),
      )}
    </Stack>
  );
}
