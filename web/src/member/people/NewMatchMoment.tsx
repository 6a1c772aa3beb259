import { useQuery } from '@tanstack/react-query';
import { MatchMoment } from '../../features/connections/MatchMoment.tsx';
import type { MomentProps } from '../../features/connections/NewMatches.tsx';
import { Opening } from '../../features/messages/conversation/Bubble.tsx';
import { FirstMessage } from '../../features/messages/conversation/FirstMessage.tsx';
import { useConversation } from '../../features/messages/queries.ts';
import { completeOwn, ownProfileQuery } from '../../features/profiles/own/queries.ts';
import { memberName } from '../../ui/text/person.ts';
import { FirstWords } from './FirstWords.tsx';

/** A note is reported in the conversation. */
const notHere = () => null;

/** The dialog for a new match. It is complete at once, except for the likes that led to it and the suggestions, which are fetched. */
export function NewMatchMoment({ match: { matchId, user }, onSent, onClose }: MomentProps) {
  const { data: own } = useQuery({ ...ownProfileQuery, select: (profile) => completeOwn(profile.user) });
  const { data: conversation } = useConversation(matchId);
  const name = memberName(user);
  const likes = conversation?.likes ?? [];
  return (
    <MatchMoment
      me={own}
      user={{ ...user, ...(conversation && { pictures: conversation.user.pictures }) }}
      opening={
        own !== undefined &&
        likes.length > 0 && <Opening likes={likes} ownId={own._id} name={name} reportOf={notHere} />
      }
      field={
        <FirstMessage
          matchId={matchId}
          name={name}
          openers={(fill) => conversation && <FirstWords user={conversation.user} onChoose={fill} />}
          onSent={onSent}
        />
      }
      onClose={onClose}
    />
  );
}
