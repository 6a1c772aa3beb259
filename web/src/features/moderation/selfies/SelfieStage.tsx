import { plural, t } from '@lingui/core/macro';
import { Box, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { poses, type QueuedSelfie } from '#contract/photo-verification.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { PictureThumbnail } from '../pictures/PictureDialog.tsx';
import { pictureStateWords } from '../pictures/picture-data.ts';
import classes from '../pictures/pictures.module.css';

/** The name of the person, with their age if it is known. */
export function personWords({ name, age }: QueuedSelfie['user']): string {
  const known = name ?? t`Unknown`;
  return age === null ? known : t`${{ name: known }}, ${{ age: formatNumber(age) }}`;
}

function Facts({ selfie: { user, pose, sentAt, rejectedBefore } }: { selfie: QueuedSelfie }) {
  return (
    <Group gap="0.25rem 1rem">
      <Text fw={600}>
        <Link to={`/users/${user._id}`}>
          <bdi>{personWords(user)}</bdi>
        </Link>
      </Text>
      <Text>{t`Pose: ${{ pose: t(poses[pose]) }}`}</Text>
      <Hint>
        <RichText text={({ time }) => t`Waiting since ${time}`} parts={{ time: <Time at={sentAt} /> }} />
      </Hint>
      {rejectedBefore > 0 && (
        <Tag tone="attention">
          {t`${plural({ count: rejectedBefore }, { one: 'Rejected once before', other: 'Rejected # times before' })}`}
        </Tag>
      )}
    </Group>
  );
}

interface SelfieStageProps {
  selfie: QueuedSelfie;
  /** The position of the profile's picture that the selfies are compared with. */
  compared: number;
  onCompare: (at: number) => void;
  isZoomed: boolean;
  onZoom: () => void;
}

/** Both selfies next to one picture of the profile, and all its pictures below; pressing one of the three enlarges them. */
export function SelfieStage({ selfie, compared, onCompare, isZoomed, onZoom }: SelfieStageProps) {
  const { frontUrl, posedUrl, pictures } = selfie;
  const picture = pictures[compared];
  const place = { place: formatNumber(compared + 1), count: formatNumber(pictures.length) };
  const shown: [url: string, caption: string][] = [[frontUrl, t`Selfie: face`]];
  if (picture) {
    const state = t(pictureStateWords[picture.state]);
    shown.push([picture.url, t`Picture ${{ place: place.place }} of ${{ count: place.count }}: ${state}`]);
  }
  shown.push([posedUrl, t`Selfie: pose`]);
  return (
    <Stack>
      <Facts selfie={selfie} />
      <Box
        display="grid"
        style={{
          gridTemplateColumns: `repeat(auto-fit, minmax(min(${isZoomed ? '30rem' : '9rem'}, 100%), 1fr))`,
          gap: '0.75rem',
          alignItems: 'start',
        }}
      >
        {shown.map(([url, caption]) => (
          <Stack component="figure" key={url} gap="0.35rem" m={0}>
            <button
              type="button"
              className={classes.thumbnail}
              aria-label={isZoomed ? t`Make the pictures smaller` : t`Enlarge the pictures`}
              onClick={onZoom}
            >
              <img src={url} alt="" style={{ display: 'block', width: '100%' }} />
            </button>
            <Hint component="figcaption">{caption}</Hint>
          </Stack>
        ))}
      </Box>
      {pictures.length > 1 && (
        <Group component="ul" gap="0.5rem" aria-label={t`Pictures of the profile`}>
          {pictures.map((one, at) => (
            <Box component="li" key={one.publicId} w="4.5rem">
              <PictureThumbnail
                picture={one}
                label={t`Compare with picture ${{ place: formatNumber(at + 1) }}`}
                onEnlarge={() => onCompare(at)}
              />
            </Box>
          ))}
        </Group>
      )}
    </Stack>
  );
}
