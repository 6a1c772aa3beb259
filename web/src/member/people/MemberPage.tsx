import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { getUser } from '#contract/profiles/profiles.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { BlockButton, BlockNotice, UnblockHint } from '../../features/blocks/BlockControls.tsx';
import { useBlock } from '../../features/blocks/use-block.ts';
import { Compatibility } from '../../features/discovery/deck/Compatibility.tsx';
import { DecisionNews } from '../../features/likes/DecisionNews.tsx';
import { MemberDecision } from '../../features/likes/MemberDecision.tsx';
import { MemberAbout } from '../../features/profiles/view/MemberDetails.tsx';
import { MemberCard, type ShownMember } from '../../features/profiles/view/MemberCard.tsx';
import { useFreshAddresses } from '../../features/media/use-fresh-addresses.ts';
import { ReportLink } from '../../features/support/ReportLink.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';
import { NotYet } from '../sign-in/NotYet.tsx';
import classes from './MemberPage.module.css';

/** What one can do about somebody else. */
function Actions({ user }: { user: ShownMember['user'] }) {
  const t = useText();
  const block = useBlock(user._id);
  const name = memberName(user, t);
  return (
    <>
      <div className={classes.actions}>
        <ReportLink user={{ _id: user._id, name: user.firstName ?? user.name }} />
        <BlockButton block={block} />
      </div>
      <UnblockHint block={block} />
      <BlockNotice block={block} name={name} />
    </>
  );
}

function ReportPicture({ user, id }: { user: ShownMember['user']; id: string }) {
  return (
    <div className={classes.report}>
      <ReportLink
        user={{ _id: user._id, name: user.firstName ?? user.name }}
        pictureId={id}
        size="compact-sm"
        variant="subtle"
        color="gray"
      />
    </div>
  );
}

/** Nobody to show: they left, are hidden, or never were; the server does not say which. */
function Nobody() {
  const t = useText();
  return (
    <div className={classes.nobody}>
      <p>{t('This person is not here (any more).')}</p>
      <Button component={Link} to="/home" variant="default">
        {t('Back to home')}
      </Button>
    </div>
  );
}

function OneMember({ id }: { id: string }) {
  const t = useText();
  const ownId = useSession((session) => session.user?._id);
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  const [pictureIndex, setPictureIndex] = useState(0);
  const query = useRead(id, async (signal) => (await call(getUser, { params: { id }, signal })).data);
  const askAnew = useFreshAddresses(query.data, query.refetch);
  const refusal = query.error instanceof ApiError ? query.error : null;
  const isGone = refusal?.status === 404;
  const isHidden = isGone || refusal?.status === 403;
  const member = isHidden ? undefined : query.data;
  const user = member?.user;

  return (
    <div className={classes.page}>
      <DecisionNews />
      <MemberCard
        pictureIndex={pictureIndex}
        onPictureIndex={setPictureIndex}
        member={member}
        isRefused={isHidden || (member === undefined && query.error !== null)}
        onPictureFailed={askAnew}
        pictureAction={({ publicId }) => user && user._id !== ownId && <ReportPicture user={user} id={publicId} />}
      >
        {isGone ? (
          <Nobody />
        ) : isHidden ? (
          <NotYet error={refusal} />
        ) : (
          <QueryStates
            query={query}
            loadingText={t('Loading the profile...')}
            skeleton={<Bone height="16rem" />}
            errorText={(error) => t('The profile could not be loaded: {error}', { error })}
          >
            {(member) => (
              <>
                <MemberAbout user={member.user} distanceFormatted={member.distanceFormatted} />
                <div className={classes.fit}>
                  <Compatibility score={member.compatibilityScore} band={member.compatibilityBand} common={null} />
                </div>
                {member.user._id !== ownId && !isStaff && (
                  <MemberDecision user={member.user} picture={member.user.pictures[pictureIndex]} />
                )}
                {member.user._id !== ownId && <Actions user={member.user} />}
              </>
            )}
          </QueryStates>
        )}
      </MemberCard>
    </div>
  );
}

/** Another member, as far as they may be shown, with the ways to like, to report and to block them. */
export function MemberPage() {
  const { id = '' } = useParams();
  return <OneMember key={id} id={id} />;
}
