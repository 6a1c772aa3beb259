import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Picture } from '#contract/media.ts';
import type { Person } from '#contract/profiles/user.ts';
import { thumbnailWidth } from '#contract/constants.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import '../../ui/feedback/screen.css';
import { memberName } from '../../ui/text/person.ts';
import { RingsArt } from '../../ui/layout/RingsArt.tsx';
import { lastPress } from './decisions.ts';
import classes from './moment.module.css';

/** One of the two: what is known at once, and their pictures once they are loaded. */
type Matched = Pick<Person, '_id' | 'firstName' | 'name' | 'profilePicture'> & { pictures?: readonly Picture[] };

/** A photo that fills its half of the moment, sharper once the large one is known. */
function Half({ person }: { person: Matched | undefined }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (person === undefined) return <div className={classes.half} />;
  const { _id, profilePicture, pictures = [], ...names } = person;
  const [first] = pictures;
  const source = profilePicture ?? first?.thumbnailUrl ?? null;
  return (
    <div className={classes.half}>
      {source === null || source === failed ? (
        <Avatar id={_id} name={memberName(names)} picture={null} size={132} />
      ) : (
        <img
          src={source}
          srcSet={first && `${first.thumbnailUrl} ${thumbnailWidth}w, ${first.url} ${first.width}w`}
          sizes="56vw"
          alt=""
          onError={() => setFailed(source)}
        />
      )}
    </div>
  );
}

interface MatchMomentProps {
  me: Matched | undefined;
  user: Matched;
  /** What led to the match, if it was more than two likes. */
  opening: ReactNode;
  /** The field to write the first message in, which has the focus. */
  field: ReactNode;
  onClose: () => void;
}

/** Celebrates that two people like each other: their photos meet, and rings grow from where the member pressed. */
export function MatchMoment({ me, user, opening, field, onClose }: MatchMomentProps) {
  const [{ x, y }] = useState(lastPress);
  const name = memberName(user);
  const isFromRight = document.documentElement.dir === 'rtl';
  return (
    <Dialog
      title={t`You and ${name} like each other`}
      size="screen"
      onClose={onClose}
      close={
        // The second press of a double click was meant for the button behind the dialog.
        <Button className={classes.leave ?? ''} color="dark" onClick={({ detail }) => detail < 2 && onClose()}>
          {t`Keep looking`}
        </Button>
      }
    >
      <div className={classes.moment} style={{ '--x': `${x}px`, '--y': `${y}px` } as CSSProperties}>
        <div className={classes.halves}>
          {(isFromRight ? [user, me] : [me, user]).map((person) => (
            <Half key={person === user ? 'user' : 'me'} person={person} />
          ))}
        </div>
        <RingsArt className={classes.rings} />
        <div className={classes.middle}>
          <Text className={classes.names ?? ''} ff="heading" fw={600}>
            <bdi>{me?.firstName ?? t`You`}</bdi> & <bdi>{name}</bdi>
          </Text>
          <Text fz="lead" fw={500}>{t`You like each other.`}</Text>
          {opening && <div className={classes.opening}>{opening}</div>}
        </div>
        <div className={classes.field}>{field}</div>
      </div>
    </Dialog>
  );
}
