import { msg, t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import type { LikedPart } from '#contract/connections.ts';
import type { CardView } from '#contract/discovery.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { ApiError } from '../../api/api-error.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';
import { usePart } from '../../brand.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { Compatibility } from '../../features/discovery/deck/CardText.tsx';
import { DecisionNotices } from '../../features/connections/DecisionNotices.tsx';
import { LikeNoteDialog, MemberDecision } from '../../features/connections/MemberDecision.tsx';
import { decide } from '../../features/connections/decide.ts';
import { useDecisionOn } from '../../features/connections/decisions.ts';
import { MemberCard, type ShownMember } from '../../features/profiles/view/MemberCard.tsx';
import { AboutPersonButton, PartLikeButton, useFreshAddresses } from '../../ui/data/Picture.tsx';
import { quietLink, ReportLink, reportOf } from '../../features/moderation/own-reports/ReportLink.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { BackLink } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../ui/text/person.ts';
import classes from '../members.module.css';
import { NotYet } from '../sign-in/NotYet.tsx';
import { ReportOrBlock } from './ReportOrBlock.tsx';

/** Loads the rest of the profile separately; fetched together with the profile's data. */
const [Story, preloadStory] = lazyPart(async () => (await import('../../features/profiles/view/Story.tsx')).Story);

/** Shows what the person liked; loaded separately because most profiles don't need it. */
const [LikedYou] = lazyPart(
  async () => (await import('../../features/connections/LikedYou.tsx')).LikedYou,
  <Skeleton height="10.5rem" />,
);

const [BookmarkButton] = lazyPart(
  async () => (await import('../../features/connections/Bookmarks.tsx')).BookmarkButton,
);

/** Screens with the picture next to the rest of the profile. */
const wide = '(min-width: 60rem)';

/** The lists that lead to a profile, by `?from=`. */
const lists = {
  likes: { to: '/app/likes', title: msg`Likes` },
  sent: { to: '/app/likes?tab=sent', title: msg`Likes` },
  matches: { to: '/app/matches', title: msg`Matches` },
  people: { to: '/app/people', title: msg`People` },
  bookmarks: { to: '/app/people?tab=bookmarks', title: msg`Bookmarks` },
};

const isList = (name: string | null): name is keyof typeof lists => name !== null && Object.hasOwn(lists, name);

/** Links back to the list or page the member was opened from, at its scroll position; or to Discover if the address was opened directly. */
function Back({ list }: { list: keyof typeof lists | null }) {
  const navigate = useNavigate();
  const isArrival = useLocation().key === 'default';
  const hasPeople = usePart('people');
  const known = list === 'people' && !hasPeople ? null : list;
  const { to, title } = known ? lists[known] : { to: '/app/discover', title: isArrival ? msg`Discover` : msg`Back` };
  return (
    <BackLink
      to={to}
      onClick={(event) => {
        if (isArrival || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      {t(title)}
    </BackLink>
  );
}

/** Shown above the profile: the link back, and what its owner liked. */
function Above({ list, likerId }: { list: keyof typeof lists | null; likerId: string | null }) {
  return (
    <div className={classes.above}>
      <Back list={list} />
      {likerId !== null && <LikedYou userId={likerId} reportOf={reportOf} />}
    </div>
  );
}

function Bookmarking(props: { user: ShownMember['user']; isBookmarked: boolean }) {
  return (
    <Buttons ofForm pt="1.2rem">
      <BookmarkButton {...props} />
    </Buttons>
  );
}

interface OnPictureProps {
  user: ShownMember['user'];
  onLike: ((on: LikedPart) => void) | undefined;
  onReport: () => void;
}

/** The buttons in the corners of the first picture. */
function OnPicture({ user, onLike, onReport }: OnPictureProps) {
  const [first] = user.pictures;
  const name = memberName(user);
  return (
    <>
      {first && onLike && (
        <PartLikeButton
          text={t`Like picture ${{ number: 1 }} of ${name}`}
          onPress={() => onLike({ kind: 'picture', publicId: first.publicId })}
        />
      )}
      <AboutPersonButton text={t`Report or block ${name}`} onPress={onReport} />
    </>
  );
}

function ReportPicture({ user, id }: { user: ShownMember['user']; id: string }) {
  const number = user.pictures.findIndex(({ publicId }) => publicId === id) + 1;
  return (
    <Group justify="flex-end" py="0.2rem">
      <ReportLink
        user={{ _id: user._id, name: user.firstName ?? user.name }}
        pictureId={id}
        label={t`Report picture ${number} of ${{ total: user.pictures.length }}`}
        {...quietLink}
      />
    </Group>
  );
}

/** The member as known from the deck, shown until the answer arrives, so that the card's picture can move to its place at once. */
function memberInDeck(id: string): ShownMember | undefined {
  const deck = queryClient.getQueryData<{ cards: readonly CardView[] }>(keys.deck);
  const card = deck?.cards.find(({ user }) => user._id === id);
  return card && { ...card, privacyInfo: { showLastActive: card.user.lastActive !== null } };
}

/** Shown if the member left, is hidden, or never existed; the server doesn't tell which. */
function Unavailable() {
  return (
    <Stack align="flex-start" mt="0.75rem" fz="1.05rem">
      <p>{t`This profile isn't available.`}</p>
      <Button component={Link} to="/app/discover" variant="default">
        {t`Discover people`}
      </Button>
    </Stack>
  );
}

/** The member with this id, if they may be shown. */
function useMember(id: string) {
  const [known] = useState(() => memberInDeck(id));
  return useEndpoint(getUser, { params: { id } }, { ...live, gcTime: 0, ...(known && { placeholderData: known }) });
}

/** Asks for a comment on the liked part of a profile. */
function NoteTo({ user, on, onClose }: { user: ShownMember['user']; on: LikedPart; onClose: () => void }) {
  return (
    <LikeNoteDialog
      user={user}
      picture={undefined}
      on={on}
      onSend={(words) => {
        onClose();
        decide(user, 'like', words);
      }}
      onClose={onClose}
    />
  );
}

function OneMember({ id }: { id: string }) {
  const ownId = useSession((session) => session.user?._id);
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  const from = useSearchParams()[0].get('from');
  const isAnswer = from === 'likes';
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });
  const [liking, setLiking] = useState<LikedPart | null>(null);
  const [isReporting, setReporting] = useState(false);
  const made = useDecisionOn(id);
  useEffect(preloadStory, []);
  const query = useMember(id);
  const reporting = {
    isOpen: isReporting,
    onHidden: () => void query.refetch(),
    onClose: () => setReporting(false),
  };
  const refreshPictures = useFreshAddresses(query.dataUpdatedAt, () => void query.refetch());
  const refusal = query.error instanceof ApiError ? query.error : null;
  const isGone = refusal?.status === 404;
  const isHidden = isGone || refusal?.status === 403;
  const member = isHidden ? undefined : query.data;
  const user = member?.user;
  const first = user?.pictures[0];
  const canReport = user !== undefined && user._id !== ownId;
  const isDecided = made !== null || member?.decision === 'like' || (member?.matchId ?? null) !== null;
  // Outside of the card, so that it is within reach at the top of the page on phones; inside, it would start below the picture.
  const isDecisionApart = !isWide;
  const decision = member && canReport && !isStaff && (
    <MemberDecision member={member} picture={first} isAnswer={isAnswer} isApart={isDecisionApart} />
  );
  const onLike = canReport && !isStaff && !isDecided ? setLiking : undefined;

  return (
    <div className={classes.page}>
      <DecisionNotices />
      <Above list={isList(from) ? from : null} likerId={isAnswer && !isHidden ? id : null} />
      <MemberCard
        member={member}
        isRefused={isHidden || (member === undefined && query.error !== null)}
        onPictureFailed={refreshPictures}
        heroAction={canReport && <OnPicture user={user} onLike={onLike} onReport={() => setReporting(true)} />}
      >
        {isGone ? (
          <Unavailable />
        ) : isHidden ? (
          <NotYet error={refusal} />
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading the profile...`}
            skeleton="16rem"
            errorText={(error) => t`Couldn't load the profile: ${error}`}
          >
            {(member) => (
              <>
                <Compatibility band={member.compatibilityBand} />
                <Story
                  user={member.user}
                  distanceFormatted={member.distanceFormatted}
                  onLike={onLike}
                  actionOf={({ publicId }) => canReport && <ReportPicture user={member.user} id={publicId} />}
                />
                {!isDecisionApart && decision}
                {canReport && member.isBookmarked !== undefined && (
                  <Bookmarking user={member.user} isBookmarked={member.isBookmarked} />
                )}
                {first && canReport && <ReportPicture user={member.user} id={first.publicId} />}
                {canReport && <ReportOrBlock {...reporting} user={member.user} isStaying />}
              </>
            )}
          </QueryStates>
        )}
      </MemberCard>
      {isDecisionApart && decision}
      {liking !== null && user && <NoteTo user={user} on={liking} onClose={() => setLiking(null)} />}
    </div>
  );
}

/** Another member's profile, where they can be liked, reported and blocked. */
export function MemberPage() {
  const { id = '' } = useParams();
  return <OneMember key={id} id={id} />;
}
