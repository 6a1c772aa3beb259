import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getProfile } from '#contract/profiles/profiles.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { memberName } from '../../ui/text/person.ts';
import { RingsArt } from '../../ui/layout/RingsArt.tsx';
import type { NewMatch } from './decisions.ts';
import classes from './likes.module.css';

const pictureSize = 132;

interface MatchMomentProps {
  match: NewMatch;
  /** The field to write the first message in. */
  firstMessage: ReactNode;
  onClose: () => void;
}

/** Celebrates that two people like each other. */
export function MatchMoment({ match: { user }, firstMessage, onClose }: MatchMomentProps) {
  const own = useQuery({
    queryKey: [...keys.ownProfile, 'user'],
    queryFn: async ({ signal }) => (await call(getProfile, { signal })).userData.user,
  });
  const name = memberName(user);
  const me = own.data;
  return (
    <Dialog
      title={t`You and ${name} like each other`}
      size="narrow"
      onClose={onClose}
      actions={
        // The second press of a double click was meant for the button behind the dialog.
        <Button variant="default" onClick={({ detail }) => detail < 2 && onClose()}>
          {t`Keep looking`}
        </Button>
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
          <Text component="figcaption" lineClamp={2} mt="0.5rem" px="0.6rem" ff="heading" fz="1.15rem" fw={600}>
            {me?.firstName ?? t`You`}
          </Text>
        </figure>
        <figure className={classes.momentPerson}>
          <Avatar id={user._id} name={name} picture={user.profilePicture} size={pictureSize} />
          <Text component="figcaption" lineClamp={2} mt="0.5rem" px="0.6rem" ff="heading" fz="1.15rem" fw={600}>
            <bdi>{name}</bdi>
          </Text>
        </figure>
      </div>
      <Text mt="1rem" ta="center">
        {t`It's a match. You can write to each other now.`}
      </Text>
      <div className={classes.momentField}>{firstMessage}</div>
    </Dialog>
  );
}
