import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getProfile } from '#contract/profiles/profiles.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { memberName } from '../../ui/text/person.ts';
import { RingsArt } from '../../ui/layout/RingsArt.tsx';
import { t } from '../../ui/text/text.ts';
import type { NewMatch } from './decisions.ts';
import classes from './likes.module.css';

const pictureSize = 132;

/** The moment two people turn out to like each other. */
export function MatchMoment({ match: { matchId, user }, onClose }: { match: NewMatch; onClose: () => void }) {
  const own = useQuery({
    queryKey: [...keys.ownProfile, 'user'],
    queryFn: async ({ signal }) => (await call(getProfile, { signal })).userData.user,
  });
  const name = memberName(user);
  const me = own.data;
  return (
    <Dialog
      title={t('You and {name} like each other', { name })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Keep looking')}
          </Button>
          <Button component={Link} to={`/app/messages/${matchId}`} onClick={onClose}>
            {t('Write to {name}', { name })}
          </Button>
        </>
      }
    >
      <div className={classes.moment}>
        <RingsArt className={classes.rings} />
        <figure className={classes.momentPerson}>
          <Avatar
            id={me?._id ?? 'me'}
            name={me?.firstName ?? null}
            picture={me?.profilePicture ?? null}
            size={pictureSize}
          />
          <figcaption>{me?.firstName ?? t('You')}</figcaption>
        </figure>
        <figure className={classes.momentPerson}>
          <Avatar id={user._id} name={name} picture={user.profilePicture} size={pictureSize} />
          <figcaption>
            <bdi>{name}</bdi>
          </figcaption>
        </figure>
      </div>
      <p className={classes.momentWords}>{t("It's a match. You can write to each other now.")}</p>
    </Dialog>
  );
}
