import type { OwnUser } from '#contract/profiles/user.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { useText } from '../../../ui/text/text.ts';
import { MemberAbout } from '../view/MemberDetails.tsx';
import { MemberCard, type ShownMember } from '../view/MemberCard.tsx';
import classes from './profile.module.css';

/** The member as others are shown them: no family name, and hidden times for nobody. */
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

/** One's own card as others see it, over the page. */
export function ProfilePreview({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const t = useText();
  const member = shownTo(user);
  const isWaiting = user.pictures.some(({ state }) => state === 'pending');
  return (
    <Dialog title={t('How others see you')} onClose={onClose}>
      <p className={classes.previewHint}>
        {t('They also see roughly how far away you are, once your city is one we know.')}
        {isWaiting && ` ${t('Pictures that wait for a look are not shown to them yet.')}`}
      </p>
      <MemberCard member={member} isPart>
        <MemberAbout user={member.user} distanceFormatted={member.distanceFormatted} />
      </MemberCard>
    </Dialog>
  );
}
