import type { QueuedPicture } from '#contract/media/media.ts';
import { formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { Link } from '../../../ui/layout/Link.tsx';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ownerWords } from './picture-words.ts';
import classes from './PictureFacts.module.css';
import { genderWords } from '../reports/report-words.ts';

/** Whose picture waits, what it is to them, and since when. */
export function PictureFacts({ picture }: { picture: QueuedPicture }) {
  const t = useText();
  const locale = useLocale();
  const { user, claimedAt } = picture;
  return (
    <div className={classes.facts}>
      <p className={classes.owner}>
        <Link to={`/users/${user._id}`}>
          <bdi>{ownerWords(user, t, locale)}</bdi>
        </Link>
        {user.gender !== null && <span className={classes.soft}>{t(genderWords[user.gender] ?? user.gender)}</span>}
        {picture.isProfilePicture && <Tag tone="info">{t('Profile picture')}</Tag>}
      </p>
      <p className={classes.soft}>
        <RichText
          text="Waiting since {time}"
          parts={{
            time: (
              <time dateTime={claimedAt} title={formatExactTime(claimedAt, locale)}>
                {formatTime(claimedAt, locale)}
              </time>
            ),
          }}
        />
      </p>
    </div>
  );
}
