import type { OwnUser } from '#contract/profiles/user.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { t } from '../../../ui/text/text.ts';
import { MemberCard, type ShownMember } from '../view/MemberCard.tsx';
import { Story } from '../view/Story.tsx';
import classes from './profile.module.css';

/** The member as others see them: no last name, and no activity times if these are hidden. */
function shownTo(user: OwnUser): ShownMember {
  const { showLastActive } = user.settings;
  const pictures = user.pictures.filter(({ state }) => state === 'approved');
  return {
    user: {
      ...user,
      pictures,
      name: user.firstName,
      isOnline: showLastActive ? user.isOnline : null,
      lastActive: showLastActive ? user.lastActive : null,
    },
    privacyInfo: { showLastActive },
    distance: null,
    distanceFormatted: null,
    compatibilityScore: null,
    compatibilityBand: null,
  };
}

/** The member's own card as others see it, in a dialog. */
export function ProfilePreview({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const member = shownTo(user);
  const isWaiting = user.pictures.some(({ state }) => state === 'pending');
  return (
    <Dialog title={t('How others see you')} onClose={onClose}>
      <p className={classes.previewHint}>
        {t('They also see roughly how far away you are, once we know your city.')}
        {isWaiting && ` ${t('Pictures waiting for review are not shown yet.')}`}
      </p>
      <MemberCard member={member} isPart>
        <Story user={member.user} distanceFormatted={member.distanceFormatted} />
      </MemberCard>
    </Dialog>
  );
}
