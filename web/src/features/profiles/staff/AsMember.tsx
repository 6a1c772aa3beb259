import { t } from '@lingui/core/macro';
import { getUserAsMember } from '#contract/visibility.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { MemberCard } from '../view/MemberCard.tsx';
import { Story } from '../view/Story.tsx';

interface AsMemberProps {
  userId: string;
  name: string;
  onClose: () => void;
}

/** A read-only profile as other members see it. Each opening is in the audit trail, so nothing is cached. */
export function AsMember({ userId, name, onClose }: AsMemberProps) {
  const query = useEndpoint(
    getUserAsMember,
    { params: { id: userId } },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  );
  return (
    <Dialog title={t`${name} as members see them`} onClose={onClose}>
      <Hint mb="1rem">
        {t`You only look at it, and are not signed in as them. Opening it is in the audit trail. Members also see roughly how far away they are.`}
      </Hint>
      <QueryStates
        query={query}
        loadingText={t`Loading the profile...`}
        skeleton="24rem"
        errorText={(error) => t`Couldn't load the profile: ${error}`}
      >
        {({ user }) => (
          <MemberCard
            isPart
            member={{
              user,
              privacyInfo: { showLastActive: user.lastActive !== null },
              distance: null,
              distanceFormatted: null,
              compatibilityScore: null,
              compatibilityBand: null,
            }}
          >
            <Story user={user} distanceFormatted={null} />
          </MemberCard>
        )}
      </QueryStates>
    </Dialog>
  );
}
