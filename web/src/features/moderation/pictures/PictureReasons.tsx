import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { PictureLabel, QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { ownerName } from './picture-data.ts';

const labelWords: Record<PictureLabel, MessageDescriptor> = {
  qrCode: msg`Contains a QR code`,
  likeRemoved: msg`Looks like a removed picture`,
};

/** The people who have the same picture on their profile, as links. */
function People({ people }: { people: QueuedPicture['alsoOn'] }) {
  return people.map((person, index) => (
    <Fragment key={person._id}>
      {index > 0 && ', '}
      <Link to={`/users/${person._id}`}>
        <bdi>{ownerName(person)}</bdi>
      </Link>
    </Fragment>
  ));
}

/** Whether a picture needs a close look, and what automatic checks found in it. */
export function PictureReasons({ picture: { labels, externalLabels, alsoOn } }: { picture: QueuedPicture }) {
  const isFound = labels.length + externalLabels.length + alsoOn.length > 0;
  return (
    <Group gap="0.35rem" mt="0.4rem" role="group" aria-label={t`Automatic check`}>
      {isFound ? (
        <Tag tone="accent" hasDot>
          {t`Look closely`}
        </Tag>
      ) : (
        <Tag tone="quiet">{t`Checks found nothing`}</Tag>
      )}
      {labels.map((label) => (
        <Tag key={label} tone="attention">
          {t(labelWords[label])}
        </Tag>
      ))}
      {externalLabels.map((label) => (
        <Tag key={`external ${label}`} tone="attention">
          <span>
            <RichText text={(parts) => t`External check: ${parts.label}`} parts={{ label: <bdi>{label}</bdi> }} />
          </span>
        </Tag>
      ))}
      {alsoOn.length > 0 && (
        <Hint fz="small" w="100%">
          <RichText
            text={({ people }) => t`Same picture on: ${people}`}
            parts={{ people: <People people={alsoOn} /> }}
          />
        </Hint>
      )}
    </Group>
  );
}
